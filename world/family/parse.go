package family

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// nobody is the text of a reference to no object; no member may have this name.
const nobody = "nobody"

// A reading is a text that is being read, line by line.
type reading struct {
	names names
	line  line
	err   error
	open  []block // the lines that the next line may be below
	roots []*node
	trees map[string]*node // the trees with a name

	members map[string]*node // of the current tree, by name
	count   int              // members of all trees
	bytes   int              // the memory that they take
}

// A block is an object of the text, with the lines below it.
type block struct {
	node   *node  // nil: the text
	indent string // of its line
	below  string // indentation of the lines directly below; "" until there is one
	line   int
	given  []*layout.FieldSpec // fields that lines of this block set
}

func newReading(counts world.Counts) *reading {
	return &reading{
		names: namesOf(counts), trees: map[string]*node{}, members: map[string]*node{},
		open: []block{{}},
	}
}

// readLine reads a line, and removes it from text.
func (r *reading) readLine(text *string) {
	whole, rest, _ := strings.Cut(*text, "\n")
	*text = rest
	r.line = line{number: r.line.number + 1, text: uncommented(whole)}
	r.line.space() // skips its indentation
	if r.line.ended() || !r.enter() {
		return
	}
	switch l := &r.line; {
	case l.skip("-"):
		r.object("", l.at-1)
	default:
		at := l.at
		word, ok := l.word()
		switch {
		case !ok:
			r.fail(at, "a quote is open, or holds no valid string; close it by \"")
		case l.skipByte(':'):
			r.object(word, at)
		default:
			r.value(word, at)
		}
	}
}

// fail records the first error, at an offset in the line.
func (r *reading) fail(at int, format string, args ...any) {
	if r.err == nil {
		r.err = &TextError{r.line.number, r.line.column(at), fmt.Errorf(format, args...)}
	}
}

// enter finds the block of a line, by its indentation.
func (r *reading) enter() bool {
	indent := r.line.text[:r.line.at]
	for len(r.open) > 1 && len(indent) <= len(r.open[len(r.open)-1].indent) {
		r.open = r.open[:len(r.open)-1]
	}
	b := &r.open[len(r.open)-1]
	switch {
	case b.node == nil && indent != "":
		r.fail(0, "no object is open, and the line is indented; begin a tree without a space")
	case b.node == nil:
		r.finish()
	case !strings.HasPrefix(indent, b.indent):
		r.fail(0, "the line is indented by other tabs and spaces than line %d; indent alike",
			b.line)
	case b.below == "":
		b.below = indent
	case b.below != indent:
		r.fail(0, "the line is indented otherwise than those before it below line %d; indent alike",
			b.line)
	}
	return r.err == nil
}

// object reads the rest of a line after the name of an object; at is the offset of the name.
func (r *reading) object(name string, at int) {
	above := &r.open[len(r.open)-1]
	r.line.space()
	if r.line.ended() && name != "" && above.node != nil {
		r.override(name, at, above.node)
		return
	}
	n := r.described(name)
	if r.err == nil {
		r.adopt(n, above.node, name, at)
	}
}

// override opens a member of a tree that is a copy of another tree.
func (r *reading) override(name string, at int, above *node) {
	n := r.members[above.name+"."+name]
	if n == nil || above.name == "" {
		r.fail(at, "%.40q has no member %.40q of a tree that it is like; give the object "+
			"a recipe, as in %.40s: %s", above.name, name, name, r.names.example())
		return
	}
	r.push(n)
}

func (r *reading) push(n *node) {
	indent := r.line.text[:len(r.line.text)-len(strings.TrimLeft(r.line.text, " \t"))]
	r.open = append(r.open, block{node: n, indent: indent, line: r.line.number})
}

// described reads the description of an object: a recipe or a tree, and further kinds.
func (r *reading) described(name string) *node {
	n, l := &node{}, &r.line
	if !l.ended() && l.text[l.at] != '+' {
		at := l.at
		word, ok := l.word()
		switch like := ok && word == "like" && l.more(); {
		case !ok || word == "":
			r.fail(at, "no name of a recipe is here; give one, or + and a kind")
		case like:
			n = r.likeTree(name)
		default:
			if n.recipe, ok = r.names.recipes[word]; !ok {
				r.fail(at, "%w", r.names.unknownRecipe(word, r.trees[word] != nil))
			}
		}
	}
	for l.space(); r.err == nil && !l.ended(); l.space() {
		at := l.at
		if !l.skipByte('+') {
			r.fail(at, "%.40q follows; write + before each further kind", l.text[at:])
			break
		}
		l.space()
		r.kind(n)
	}
	return n
}

// kind reads a further kind of an object.
func (r *reading) kind(n *node) {
	at := r.line.at
	word, _ := r.line.word()
	k, ok := r.names.kinds[word]
	switch {
	case !ok:
		r.fail(at, "%w", r.names.unknownKind(word))
	case n.has(k):
		r.fail(at, "the object has %s already; leave it out", layout.Quoted(word))
	default:
		n.kinds = append(n.kinds, k)
		r.take(at, 0, sizeOfKind)
	}
}

// likeTree returns a copy of the tree whose name is next.
func (r *reading) likeTree(name string) *node {
	at := r.line.at
	word, _ := r.line.word()
	n := r.trees[word]
	switch {
	case r.members[word] != nil:
		r.fail(at, "%.40q is in this tree; like takes a whole tree above", word)
		return &node{}
	case n == nil:
		r.fail(at, "no tree %.40q is above; begin one by %.40[1]s: %s", word, r.names.example())
		return &node{}
	}
	members, bytes := n.size()
	if r.take(at, members-1, bytes+members*(len(name)+1)); r.err != nil {
		return &node{}
	}
	return n.like(name)
}

// take counts the members and bytes that the line at an offset asks for.
func (r *reading) take(at, members, bytes int) {
	r.count, r.bytes = r.count+members, r.bytes+bytes
	switch {
	case r.count > maxMembers:
		r.fail(at, "the trees have more than %d members; divide them", maxMembers)
	case r.bytes > maxBytes:
		r.fail(at, "the trees take more than %d MB; divide them", maxBytes>>20)
	}
}

// adopt puts a new object below another one, or begins a tree with it.
func (r *reading) adopt(n, above *node, name string, at int) {
	n.name, n.line = name, r.line.number
	r.take(at, 1, sizeOfNode+len(name))
	depth := 0
	if above != nil {
		depth = above.depth + 1
	}
	if n.place(depth) > maxDepth {
		r.fail(at, "the tree is more than %d deep; divide it", maxDepth)
	}
	if above == nil {
		r.roots = append(r.roots, n)
		if name != "" && r.trees[name] != nil {
			r.fail(at, "a tree %.40q is above, in line %d; name this one otherwise", name,
				r.trees[name].line)
		}
	} else {
		above.children = append(above.children, n)
		r.giveParent(n, at)
	}
	r.push(n)
	for _, m := range n.listed(nil) {
		if m.name == "" {
			continue
		}
		if m.name == nobody {
			r.fail(at, "no object is called nobody; name it otherwise")
		}
		if other := r.members[m.name]; other != nil {
			r.fail(at, "%.40q is another object of this tree, in line %d; name this one otherwise",
				m.name, other.line)
		}
		m.line, r.members[m.name] = r.line.number, m
	}
}

// giveParent adds ChildOf to a child that does not have it.
func (r *reading) giveParent(n *node, at int) {
	k := ChildOf.Kind()
	if r.names.kinds[k.String()] != k {
		r.fail(at, "counts lack family.ChildOf, which children need; add it to Counts.Kinds")
		return
	}
	if !n.has(k) {
		n.kinds = append(n.kinds, k)
	}
}

// value reads the value of the field with a title; at is the offset of the title.
func (r *reading) value(title string, at int) {
	b, f := &r.open[len(r.open)-1], r.names.fields[title]
	switch {
	case b.node == nil:
		r.fail(at, "no name and recipe; begin a tree with both, as tank: %s", r.names.example())
	case f == nil:
		r.fail(at, "%w", r.names.unknownField(title, b.node))
	case !b.node.has(f.Kind.Handle()):
		r.fail(at, "%s has no %s; add + %s to line %d", r.called(b.node), layout.Quoted(title),
			quoted(f.Kind.Name), b.line)
	case f == ChildOf.Spec():
		r.fail(at, "the parent of %s is the object that it stands below; move it", r.called(b.node))
	case slices.Contains(b.given, f):
		r.fail(at, "%s is given twice; leave one out", layout.Quoted(title))
	default:
		b.given = append(b.given, f)
		r.take(at, 0, sizeOfValue+f.Stride)
		if r.err == nil {
			r.parse(b.node.valueOf(f), f)
		}
	}
}

func (r *reading) called(n *node) string {
	if n.name == "" {
		return "the object"
	}
	return fmt.Sprintf("%.40q", n.name)
}

// parse reads the rest of the line as a value.
func (r *reading) parse(v *value, f *layout.FieldSpec) {
	r.line.space()
	first := r.line.at
	before := len(v.references)
	refer := func(word string, at, offset int) (world.GameObject, error) {
		for i := range v.references[:before] {
			if v.references[i].at == offset {
				v.references = slices.Delete(v.references, i, i+1)
				before--
				break
			}
		}
		if word != nobody {
			to := reference{at: offset, name: word, where: r.line}
			to.where.at = first + at
			v.references = append(v.references, to)
			r.take(first, 0, sizeOfReference)
		}
		return 0, r.err
	}
	var err error
	if f.List != nil {
		v.references, before = nil, 0
		var elements []byte
		elements, err = tool.ParseList(nil, f, r.line.text[first:], refer)
		r.take(first, 0, len(elements))
		v.FieldValue = f.ElementsValue(elements)
	} else {
		err = tool.ParseText(v.Bytes(), f, r.line.text[first:], refer)
	}
	if where, ok := errors.AsType[*tool.TextError](err); ok {
		r.fail(first+where.At, "%w", where.Err)
	}
}

// finish ends the current tree: it resolves its references.
func (r *reading) finish() {
	if len(r.roots) == 0 || r.err != nil {
		return
	}
	root := r.roots[len(r.roots)-1]
	members := root.listed(nil)
	for _, n := range members {
		for i := range n.values {
			r.resolve(n.values[i].references)
		}
	}
	if r.err != nil {
		return
	}
	if to := ringOf(members); to != nil {
		r.err = to.failed(fmt.Errorf("%.40q: %w", to.to.name, ErrRing))
	}
	if root.name != "" {
		r.trees[root.name] = root
	}
	clear(r.members)
}

func (r *reading) resolve(references []reference) {
	for i := range references {
		to := &references[i]
		if to.to != nil {
			continue
		}
		if to.to = r.members[to.name]; to.to == nil && r.err == nil {
			r.err = to.failed(fmt.Errorf(
				"no object of this tree is called %.40q; name one so, or write nobody", to.name))
		}
	}
}
