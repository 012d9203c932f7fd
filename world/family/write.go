package family

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// AppendTrees appends trees in the format of [ParseTrees]. A member without a name gets one if
// other members refer to it. The error reports a tree that has no text form: two members of one
// tree have the same name, or one is called nobody; a child lacks [ChildOf]; or a value belongs to
// a kind that its member lacks, sets a member's parent, holds a NaN, or refers to an object of a
// world.
func AppendTrees(dst []byte, trees ...Tree) ([]byte, error) {
	named := map[string]bool{}
	for i := range trees {
		t := &trees[i]
		if t.Name != "" && named[t.Name] {
			return dst, fmt.Errorf("family: two trees are called %.40q; rename one", t.Name)
		}
		named[t.Name] = true
		if i > 0 {
			dst = append(dst, '\n')
		}
		w := writing{text: dst}
		w.list(t)
		w.nameMembers()
		w.write(t, 0)
		if w.err != nil {
			return dst, w.err
		}
		dst = w.text
	}
	return dst, nil
}

// A writing is a tree that is being written.
type writing struct {
	text    []byte
	members []*Tree
	names   []string // per member
	next    int      // member to write
	err     error
}

func (w *writing) fail(member int, format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("family: member %d, %.40q: "+format,
			append([]any{member, w.names[member]}, args...)...)
	}
}

// list lists a tree and the trees below it.
func (w *writing) list(t *Tree) {
	w.members = append(w.members, t)
	w.names = append(w.names, t.Name)
	for i := range t.Children {
		w.list(&t.Children[i])
	}
}

// memberOf returns the number of the member of an id, if it stands for a member.
func (w *writing) memberOf(id world.GameObject) (n int, ok bool) {
	n = int(id.Index())
	return n, n < len(w.members) && id == Member(n)
}

// nameMembers checks the names of members, and names unnamed members that others refer to.
func (w *writing) nameMembers() {
	taken := map[string]bool{nobody: true}
	for i, name := range w.names {
		if name != "" && taken[name] {
			w.fail(i, "the name is taken; rename it")
		}
		taken[name] = true
	}
	for _, t := range w.members {
		for i := range t.Values {
			for _, id := range refersOf(&t.Values[i]) {
				if n, ok := w.memberOf(id); ok && w.names[n] == "" {
					w.names[n] = uniqueName("member"+strconv.Itoa(n), taken)
				}
			}
		}
	}
}

// uniqueName returns an unused name, and marks it as used.
func uniqueName(name string, taken map[string]bool) string {
	for taken[name] {
		name += "_"
	}
	taken[name] = true
	return name
}

// write writes a tree at a depth below the first member.
func (w *writing) write(t *Tree, depth int) {
	at := w.next
	w.next++
	w.text = append(w.text, strings.Repeat("\t", depth)...)
	if name := w.names[at]; name != "" {
		w.text = append(w.text, quoted(name)+":"...)
	} else {
		w.text = append(w.text, '-')
	}
	if t.Recipe != (world.Recipe{}) {
		w.text = append(w.text, " "+quoted(t.Recipe.String())...)
	}
	like := node{recipe: t.Recipe}
	for i, k := range t.Kinds {
		if k == nil {
			panic(fmt.Sprintf("family: number %d of the Kinds of a Tree is nil; declare it", i))
		}
		w.text = append(w.text, " + "+quoted(k.Kind().String())...)
		like.kinds = append(like.kinds, k.Kind())
	}
	w.text = append(w.text, '\n')
	if depth > maxDepth {
		w.fail(at, "it is more than %d deep; divide the tree", maxDepth)
		return
	}
	if depth > 0 && !like.has(ChildOf.Kind()) {
		w.fail(at, "a child lacks childOf; add it to its recipe or its Kinds")
	}
	for i := range t.Values {
		w.value(at, depth+1, &like, &t.Values[i])
	}
	for i := range t.Children {
		w.write(&t.Children[i], depth+1)
	}
}

// value writes a value of a member.
func (w *writing) value(member, depth int, of *node, v *layout.FieldValue) {
	f := v.Field
	switch {
	case !of.has(f.Kind.Handle()):
		w.fail(member, "it has no %s; add the kind to its recipe or its Kinds", titleOf(f))
	case f == ChildOf.Spec():
		w.fail(member, "its parent is the one whose child it is; leave out the value of %s", f.Name)
	}
	text := tool.TextNaming(f, bytesOf(v), func(id world.GameObject) string {
		n, ok := w.memberOf(id)
		switch {
		case ok:
			return quoted(w.names[n])
		case id != 0:
			w.fail(member, "%s refers to %v, an object of a world; refer to members",
				titleOf(f), id)
		}
		return nobody
	})
	if same, err := read(f, text, refersOf(v)); err != nil || !bytes.Equal(same, bytesOf(v)) {
		w.fail(member, "%s is %s, which cannot be read back; give numbers that are not NaN",
			titleOf(f), text)
	}
	w.text = append(w.text, strings.Repeat("\t", depth)...)
	w.text = append(w.text, quoted(titleOf(f))+" "+text+"\n"...)
}

// read returns the value of a text; its references are indexes of ids.
func read(f *layout.FieldSpec, text string, ids []world.GameObject) (b []byte, err error) {
	next := func(string, int, int) (world.GameObject, error) {
		id := ids[0]
		ids = ids[1:]
		return id, nil
	}
	if f.List != nil {
		return tool.ParseList(nil, f, text, next)
	}
	b = make([]byte, f.Stride)
	return b, tool.ParseText(b, f, text, next)
}

// refersOf returns the ids in a value.
func refersOf(v *layout.FieldValue) (ids []world.GameObject) {
	tool.TextNaming(v.Field, bytesOf(v), func(id world.GameObject) string {
		ids = append(ids, id)
		return ""
	})
	return ids
}
