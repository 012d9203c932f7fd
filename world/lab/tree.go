package lab

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A Tree stores states of a world and their futures: each [Node] has a snapshot, and children that
// grew from it. The bytes of all snapshots are limited.
//
//	root ── 0 ── 0        path of the last: [0 1]
//	     └─ 1 └─ 1        its seed: a hash of the random state of [0], and 1
//
// A Tree belongs to one goroutine.
type Tree struct {
	world       world.State // reused to grow nodes; zero: none
	root        *Node
	bytes, most int64
}

// A Node is a state of a world in a tree.
type Node struct {
	Path     []int // the numbers of the branches from the root
	Children []*Node
	snapshot *world.Snapshot // nil: dropped
	bytes    int64
	grown    int // branches, including dropped ones
}

// NewTree returns a tree whose root is a copy of s, with at most most bytes of snapshots. The error
// wraps [ErrLimit] if the root takes more.
func NewTree(s world.State, most int64) (*Tree, error) {
	t := &Tree{most: most}
	root, err := t.keep(s, nil)
	if err != nil {
		return nil, err
	}
	t.root = root
	return t, nil
}

// Root returns the first node.
func (t *Tree) Root() *Node { return t.open().root }

// Bytes returns the number of bytes that the snapshots of t take.
func (t *Tree) Bytes() int64 { return t.open().bytes }

// Grow adds a child to a node: grow changes and steps the node's state, with the child's own random
// numbers, and returns the child's state. If grow returns an error, Grow returns it and adds no
// child. It returns [ErrLimit], wrapped, if too few bytes are left.
func (t *Tree) Grow(from *Node, grow func(s world.State) (world.State, error)) (*Node, error) {
	p := from.kept()
	if grow == nil {
		panic("lab: Grow by a nil function; give it one that steps the world")
	}
	s, err := t.open().restored(p)
	if err != nil {
		return nil, fmt.Errorf("lab: grow from node %v: %w", from.Path, err)
	}
	t.world = world.State{} // a panic makes the world unusable
	s, err = grow(reseed(s, uint64(from.grown)))
	if err != nil {
		systems.Discard(s)
		return nil, err
	}
	t.world = s
	child, err := t.keep(s, append(slices.Clone(from.Path), from.grown))
	if err != nil {
		return nil, err
	}
	from.grown++
	from.Children = append(from.Children, child)
	return child, nil
}

// restored returns the tree's world, restored to p.
func (t *Tree) restored(p *world.Snapshot) (world.State, error) {
	if t.world == (world.State{}) {
		return world.Clone(p.State())
	}
	return world.Restore(t.world, p)
}

// keep creates a node with a snapshot of s, if there is room.
func (t *Tree) keep(s world.State, path []int) (*Node, error) {
	size := int64(world.Used(s))
	if size > t.most-t.bytes {
		return nil, fmt.Errorf("lab: node %v takes %d bytes, and %d of the tree's %d are left: "+
			"%w; drop nodes, or make the tree with more",
			path, size, t.most-t.bytes, t.most, ErrLimit)
	}
	p, err := program.Snapshot(s)
	if err != nil {
		return nil, err
	}
	t.bytes += size
	return &Node{Path: path, snapshot: p, bytes: size}, nil
}

// Drop frees a node and all its descendants. Other nodes keep their paths. Only Close frees the
// root.
func (t *Tree) Drop(n *Node) {
	if n == t.open().root {
		panic("lab: the root of a tree cannot be dropped; close the tree")
	}
	n.kept()
	if parent := t.parentOf(n); parent != nil {
		parent.Children = slices.DeleteFunc(parent.Children, func(c *Node) bool { return c == n })
		t.drop(n)
		return
	}
	panic(fmt.Sprintf("lab: node %v is not of this tree; drop it from its own", n.Path))
}

// parentOf returns the parent of n by its path.
func (t *Tree) parentOf(n *Node) *Node {
	parent := t.root
	for depth := range n.Path {
		at := slices.IndexFunc(parent.Children, func(c *Node) bool {
			return c.Path[depth] == n.Path[depth]
		})
		switch {
		case at < 0:
			return nil
		case parent.Children[at] == n:
			return parent
		}
		parent = parent.Children[at]
	}
	return nil
}

func (t *Tree) drop(n *Node) {
	for _, c := range n.Children {
		t.drop(c)
	}
	t.bytes -= n.bytes
	n.snapshot.Close()
	n.snapshot, n.Children = nil, nil
}

// Close frees all nodes. Closing twice is allowed.
func (t *Tree) Close() {
	if t == nil || t.root == nil {
		return
	}
	t.drop(t.root)
	systems.Discard(t.world)
	*t = Tree{}
}

func (t *Tree) open() *Tree {
	if t == nil || t.root == nil {
		panic("lab: this Tree is nil, closed, or was not made; make one by NewTree")
	}
	return t
}

// Snapshot returns the snapshot of n, for example for From of a [Sweep]. The tree owns it.
func (n *Node) Snapshot() *world.Snapshot { return n.kept() }

// State returns the state of n, for reading.
func (n *Node) State() world.State { return n.kept().State() }

// kept returns the snapshot of n.
func (n *Node) kept() *world.Snapshot {
	if n == nil || n.snapshot == nil {
		panic("lab: this Node is nil, or it was dropped or closed with its tree; grow it again")
	}
	return n.snapshot
}

// Fork runs n futures of one state, one after the other in one world, which it restores to p before
// each. It calls live with the world and the number of the future, from 0; live changes and steps
// the world, and returns the last State. The random numbers of future i are seeded by a hash of p's
// random state and i, unless the world has no Counts.Seed. Use a [Sweep] with From for futures on
// several goroutines, in a table.
//
// It stops at the first error, and names the future. It does not change p.
func Fork(
	p *world.Snapshot, n int, live func(s world.State, i int) (world.State, error),
) (err error) {
	if live == nil || n < 0 {
		panic("lab: Fork needs a number of futures and a function that lives one; give it both")
	}
	s, err := world.Clone(p.State())
	if err != nil {
		return err
	}
	defer func() { systems.Discard(s) }()
	first, err := program.Snapshot(s)
	if err != nil {
		return err
	}
	defer first.Close()
	for i := range n {
		if s, err = world.Restore(s, first); err != nil {
			return fmt.Errorf("lab: future %d: %w", i, err)
		}
		if s, err = live(reseed(s, uint64(i)), i); err != nil {
			return fmt.Errorf("lab: future %d: %w", i, err)
		}
	}
	return nil
}
