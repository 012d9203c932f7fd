package family

import (
	"encoding/binary"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// A node is a member of a tree that is being read. References point to nodes until all are
// numbered.
type node struct {
	name     string
	line     int
	depth    int // below the first node
	recipe   world.Recipe
	kinds    []layout.Kind // further kinds
	values   []value
	children []*node
	number   int
}

// A value is a first value of a node.
type value struct {
	layout.FieldValue
	references []reference
}

// A reference is a reference to a member, in a value.
type reference struct {
	at    int    // offset in the value, in bytes
	to    *node  // nil until the tree is read
	name  string // of the member
	where line   // in the text
}

// failed returns an error about a reference.
func (r *reference) failed(err error) error {
	return &TextError{r.where.number, r.where.column(r.where.at), err}
}

// kindsOf returns all kinds of the node's recipe, and their first values.
func kindsOf(r world.Recipe) (kinds []layout.Kind, values []layout.FieldValue) {
	if r == (world.Recipe{}) {
		return nil, nil
	}
	return systems.RecipeOf(r)
}

func (n *node) has(k layout.Kind) bool {
	of, _ := kindsOf(n.recipe)
	return slices.Contains(of, k) || slices.Contains(n.kinds, k)
}

// valueOf returns the value of a field, for changing it: the node's own value, or a copy of the
// recipe's.
func (n *node) valueOf(f *layout.FieldSpec) *value {
	for i := range n.values {
		if n.values[i].Field == f {
			return &n.values[i]
		}
	}
	v := value{}
	if f.List != nil {
		v.FieldValue = f.ElementsValue(nil)
	} else {
		v.FieldValue = f.DefaultValue()
	}
	_, first := kindsOf(n.recipe)
	for i := range first {
		if first[i].Field == f {
			v.FieldValue = first[i].Clone()
		}
	}
	n.values = append(n.values, v)
	return &n.values[len(n.values)-1]
}

// bytesOf returns a value, or the elements of a list.
func bytesOf(v *layout.FieldValue) []byte {
	if v.Field != nil && v.Field.List != nil {
		return v.Elements()
	}
	return v.Bytes()
}

// Approximate sizes of the parts of a node, besides their contents, in bytes.
const (
	sizeOfNode      = 256
	sizeOfValue     = 160
	sizeOfKind      = 24
	sizeOfReference = 64
)

// size returns the number of nodes from n down, and their approximate size in bytes.
func (n *node) size() (members, bytes int) {
	members, bytes = 1, sizeOfNode+len(n.name)+sizeOfKind*len(n.kinds)
	for i := range n.values {
		v := &n.values[i]
		bytes += sizeOfValue + len(bytesOf(&v.FieldValue)) + sizeOfReference*len(v.references)
	}
	for _, c := range n.children {
		m, b := c.size()
		members, bytes = members+m, bytes+b
	}
	return members, bytes
}

// like returns a copy of n and the nodes below it, with a new name, which their names begin with.
func (n *node) like(name string) *node {
	copies := map[*node]*node{}
	twin := n.copied(name, copies)
	for _, c := range copies {
		for i := range c.values {
			references := slices.Clone(c.values[i].references)
			for r := range references {
				references[r].to = copies[references[r].to]
			}
			c.values[i].references = references
		}
	}
	twin.name = name
	return twin
}

func (n *node) copied(name string, copies map[*node]*node) *node {
	twin := &node{
		recipe: n.recipe, kinds: slices.Clone(n.kinds), values: make([]value, len(n.values)),
	}
	if name != "" && n.name != "" {
		twin.name = name + "." + n.name
	}
	for i := range n.values {
		v := &n.values[i]
		twin.values[i] = value{v.Clone(), v.references}
	}
	copies[n] = twin
	for _, c := range n.children {
		twin.children = append(twin.children, c.copied(name, copies))
	}
	return twin
}

// place sets the depths of n and the nodes below it, and returns the largest depth.
func (n *node) place(depth int) (deepest int) {
	n.depth, deepest = depth, depth
	for _, c := range n.children {
		deepest = max(deepest, c.place(depth+1))
	}
	return deepest
}

// listed appends n and the nodes below it, in the order of their numbers.
func (n *node) listed(dst []*node) []*node {
	n.number = len(dst)
	dst = append(dst, n)
	for _, c := range n.children {
		dst = c.listed(dst)
	}
	return dst
}

// tree returns the tree of n.
func (n *node) tree() Tree {
	t := Tree{Name: n.name, Recipe: n.recipe}
	for _, k := range n.kinds {
		t.Kinds = append(t.Kinds, k)
	}
	for i := range n.values {
		v := &n.values[i]
		b := bytesOf(&v.FieldValue)
		for _, r := range v.references {
			binary.LittleEndian.PutUint64(b[r.at:], uint64(Member(r.to.number)))
		}
		t.Values = append(t.Values, v.FieldValue)
	}
	for _, c := range n.children {
		t.Children = append(t.Children, c.tree())
	}
	return t
}

// ringOf returns a reference that closes a ring among the members of a tree, by a relation that is
// a tree, or nil.
func ringOf(members []*node) *reference {
	var relations []*layout.FieldSpec
	above := map[*layout.FieldSpec][]*reference{} // per member: its own reference
	for _, n := range members {
		for i := range n.values {
			v := &n.values[i]
			f := v.Field
			if len(v.references) == 0 || f.Relation == nil || !f.Relation.Tree {
				continue
			}
			if above[f] == nil {
				relations, above[f] = append(relations, f), make([]*reference, len(members))
			}
			above[f][n.number] = &v.references[0]
		}
	}
	for _, f := range relations {
		up := above[f]
		at, ok := systems.FindRing(make([]uint32, len(up)), func(n uint32) (uint32, bool) {
			if up[n] == nil {
				return 0, false
			}
			return uint32(up[n].to.number), true
		})
		if ok {
			return up[at]
		}
	}
	return nil
}
