package family_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
)

var (
	under = layout.NewRelation("under", layout.Relation{Disposed: layout.Clear, Tree: true})
	leaf  = world.NewRecipe("leaf", under)
)

// leafCounts has free room, or room for n.
func leafCounts(n int) world.Counts {
	c := world.Counts{Kinds: layout.Kinds(under), Recipes: []world.Recipe{leaf}}
	if n > 0 {
		c.GameObjects, c.Kinds[0].Rows = n, n
	}
	return c
}

// none is the place of nobody, and shaped stands for the parent by the shape of a tree.
const (
	none   = 3
	shaped = 4
)

// rings is the naive model: whether some of three members is below itself.
func rings(parents [3]int) bool {
	for from := range parents {
		at := from
		for range 4 {
			if at = parents[at]; at == none {
				break
			}
		}
		if at != none {
			return true
		}
	}
	return false
}

// each yields every choice of three parents up to most.
func each(most int) func(yield func([3]int) bool) {
	return func(yield func([3]int) bool) {
		n := most + 1
		for i := range n * n * n {
			if !yield([3]int{i % n, i / n % n, i / n / n}) {
				return
			}
		}
	}
}

// A planter writes the references of three new objects, all at once; parents may be shaped.
type planter func(t *testing.T, s world.State, parents [3]int) (
	world.State, []world.GameObject, error)

// shapes are the parents by the shape of a tree: two children, and a chain.
var shapes = [][3]int{{none, 0, 0}, {none, 0, 1}}

// planted returns the tree of a shape with values that refer to other members.
func planted(shape, parents [3]int) family.Tree {
	var members [3]family.Tree
	for i, p := range parents {
		members[i].Recipe = leaf
		switch p {
		case shaped:
		case none:
			members[i].Values = []layout.FieldValue{under.Value(0)}
		default:
			members[i].Values = []layout.FieldValue{under.Value(family.Member(p))}
		}
	}
	if shape[2] == 0 {
		members[0].Children = members[1:]
	} else {
		members[1].Children = members[2:]
		members[0].Children = members[1:2]
	}
	return members[0]
}

// apart returns a tree whose first object is without values, and these.
func apart(t family.Tree) (family.Tree, []layout.FieldValue) {
	values := t.Values
	t.Values = nil
	return t, values
}

// planters are the ways to write three references at once, by name.
func planters(shape [3]int) map[string]planter {
	return map[string]planter{
		"SpawnTree": func(_ *testing.T, s world.State, parents [3]int) (
			world.State, []world.GameObject, error,
		) {
			return family.SpawnTree(nil, s, under, planted(shape, parents))
		},
		"SpawnTree with more values": func(_ *testing.T, s world.State, parents [3]int) (
			world.State, []world.GameObject, error,
		) {
			tree, values := apart(planted(shape, parents))
			return family.SpawnTree(nil, s, under, tree, values...)
		},
		"Commands.SpawnTree": func(_ *testing.T, s world.State, parents [3]int) (
			world.State, []world.GameObject, error,
		) {
			tree, values := apart(planted(shape, parents))
			first := world.Record(s).SpawnTree(under, tree, values...)
			return applied(s, first)
		},
		"Commands.SpawnTree of kinds": func(_ *testing.T, s world.State, parents [3]int) (
			world.State, []world.GameObject, error,
		) {
			tree := planted(shape, parents)
			ofKinds(&tree)
			return applied(s, world.Record(s).SpawnTree(under, tree))
		},
	}
}

func ofKinds(t *family.Tree) {
	t.Recipe, t.Kinds = world.Recipe{}, []layout.AnyKind{under}
	for i := range t.Children {
		ofKinds(&t.Children[i])
	}
}

// applied carries out commands, and returns the three objects from an id on.
func applied(s world.State, first world.GameObject) (world.State, []world.GameObject, error) {
	s, err := world.Apply(s)
	var ids []world.GameObject
	for n := range world.GameObject(3) {
		if id, err := world.Applied(s, first+n); err == nil {
			ids = append(ids, id)
		}
	}
	return s, ids, err
}

// spawnedN is a planter by SpawnN.
func spawnedN(_ *testing.T, s world.State, parents [3]int) (
	world.State, []world.GameObject, error,
) {
	var ids []world.GameObject
	s, err := world.SpawnN(s, leaf, 3, func(b world.Batch) {
		ids = b.AppendIDs(ids)
		refers := world.Column(b, under)
		for i, p := range parents {
			if p != none {
				refers[i] = ids[p]
			}
		}
	})
	if err != nil {
		ids = nil
	}
	return s, ids, err
}

// unpacked is a planter by a pack.
func unpacked(t *testing.T, s world.State, parents [3]int) (
	world.State, []world.GameObject, error,
) {
	t.Helper()
	s, ids, err := spawnedN(t, s, [3]int{none, none, none})
	require.NoError(t, err)
	b, err := pack.Pack(nil, s, ids...)
	require.NoError(t, err)
	s = world.Must(world.DisposeGameObject(s, ids...))
	for i, p := range parents {
		if p != none {
			binary.LittleEndian.PutUint64(b[len(b)-24+8*i:], 1<<63|uint64(p))
		}
	}
	binary.LittleEndian.PutUint64(b[8:], xxh3.Hash(b[16:]))
	return pack.Unpack(s, b)
}

// loaded is a planter by a file.
func loaded(t *testing.T, s world.State, parents [3]int) (
	world.State, []world.GameObject, error,
) {
	t.Helper()
	forged := world.Must(world.Clone(s))
	defer func() { world.Close(forged) }()
	forged, ids, err := spawnedN(t, forged, [3]int{none, none, none})
	require.NoError(t, err)
	for i, p := range parents {
		if p != none {
			row := world.Must(world.RowOf(forged, ids[i], under.Kind()))
			world.View(forged, under)[row] = ids[p]
			forged = tool.Touch(forged, under.Kind(), row, 1)
		}
	}
	var file bytes.Buffer
	require.NoError(t, save.Write(&file, forged, save.Options{}))
	next, _, err := save.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), world.CountsOf(s),
		save.Options{})
	if err != nil {
		require.ErrorContains(t, err, family.ErrRing.Error())
		return s, nil, family.ErrRing
	}
	world.Close(s)
	return next, ids, nil
}

// TestEachRingOfThree: every choice of the references of three objects, by each way that writes
// several at once: what has no ring is there as it was given, and of what has one, nothing is.
func TestEachRingOfThree(t *testing.T) {
	for _, n := range []int{0, 300} {
		s := world.Must(world.CreateState(leafCounts(n)))
		check := func(what string, plant planter, given, parents [3]int) {
			t.Helper()
			live := world.Live(s)
			next, ids, err := plant(t, s, given)
			s = next
			require.NoError(t, tool.Verify(s), "%s %v", what, given)
			if rings(parents) {
				require.ErrorIs(t, err, family.ErrRing, "%s %v", what, given)
				require.Equal(t, live, world.Live(s), "%s %v", what, given)
				require.Empty(t, ids)
				return
			}
			require.NoError(t, err, "%s %v", what, given)
			require.Len(t, ids, 3, "%s %v", what, given)
			for i, p := range parents {
				want := world.GameObject(0)
				if p != none {
					want = ids[p]
				}
				require.Equal(t, want, world.Must(world.Get(s, ids[i], under)), "%s %v", what, given)
			}
			require.LessOrEqual(t, family.Depth(s, under), 3)
			s = world.Must(world.DisposeGameObject(s, ids...))
		}
		for _, shape := range shapes {
			for what, plant := range planters(shape) {
				for given := range each(shaped) {
					parents := given
					for i := range parents {
						if given[i] == shaped {
							parents[i] = shape[i]
						}
					}
					check(what, plant, given, parents)
				}
			}
		}
		for what, plant := range map[string]planter{
			"SpawnN": spawnedN, "Unpack": unpacked, "Read": loaded,
		} {
			for parents := range each(none) {
				check(what, plant, parents, parents)
			}
		}
		world.Close(s)
	}
}

// A trio is three objects, some of them dead, beside what the naive model knows of them.
type trio struct {
	t       *testing.T
	s       world.State
	ids     [3]world.GameObject
	alive   [3]bool
	hidden  [3]bool // the reference is suspended
	parents [3]int
}

// closes reports whether a reference closes a ring: what is suspended counts.
func (m *trio) closes(child, parent int) bool {
	for parent != none {
		if parent == child {
			return true
		}
		parent = m.parents[parent]
	}
	return false
}

func (m *trio) target(parent int) world.GameObject {
	if parent == none {
		return 0
	}
	return m.ids[parent]
}

// An act changes a trio and its model.
type act struct {
	name string
	do   func(m *trio)
}

// acts returns everything that can be done to three objects.
func acts() (list []act) {
	add := func(do func(m *trio), format string, args ...any) {
		list = append(list, act{fmt.Sprintf(format, args...), do})
	}
	for i := range 3 {
		for p := range none + 1 {
			add(func(m *trio) { m.set(i, p) }, "Set(%d, %d)", i, p)
			add(func(m *trio) { m.put(i, p) }, "Put(%d, %d)", i, p)
			add(func(m *trio) { m.spawn(i, p) }, "spawn(%d, %d)", i, p)
		}
		add(func(m *trio) { m.dispose(i) }, "dispose(%d)", i)
		add(func(m *trio) { m.hide(i) }, "hide(%d)", i)
	}
	return list
}

// wrote checks the error of a reference.
func (m *trio) wrote(child, parent int, err error) {
	m.t.Helper()
	switch {
	case !m.alive[child] || parent != none && !m.alive[parent]:
		require.ErrorIs(m.t, err, world.ErrDead)
	case m.closes(child, parent):
		require.ErrorIs(m.t, err, family.ErrRing)
	default:
		require.NoError(m.t, err)
		m.parents[child] = parent
	}
}

func (m *trio) set(child, parent int) {
	if m.alive[child] && m.hidden[child] {
		return
	}
	var err error
	m.s, err = world.Set(m.s, m.ids[child], under, m.target(parent))
	m.wrote(child, parent, err)
}

func (m *trio) put(child, parent int) {
	world.Put(world.Record(m.s), m.ids[child], under, m.target(parent))
	var err error
	m.s, err = world.Apply(m.s)
	if m.wrote(child, parent, err); err == nil {
		m.hidden[child] = false
	}
}

// spawn brings an object into the place of a dead one, with a parent: recorded, or as a tree.
func (m *trio) spawn(child, parent int) {
	if m.alive[child] {
		return
	}
	value := under.Value(m.target(parent))
	dead := parent != none && !m.alive[parent]
	if child == 0 {
		s, ids, err := family.SpawnTree(nil, m.s, under, family.Tree{Recipe: leaf}, value)
		require.Equal(m.t, dead, err != nil)
		if m.s = s; !dead {
			m.ids[child] = ids[0]
		}
	} else {
		id := world.Record(m.s).Spawn(leaf, value)
		s, err := world.Apply(m.s)
		require.Equal(m.t, dead, err != nil)
		if m.s = s; !dead {
			m.ids[child] = world.Must(world.Applied(s, id))
		}
	}
	if !dead {
		m.alive[child], m.parents[child] = true, parent
	}
}

func (m *trio) dispose(i int) {
	s, err := world.DisposeGameObject(m.s, m.ids[i])
	require.Equal(m.t, m.alive[i], err == nil)
	m.s, m.alive[i], m.hidden[i], m.parents[i] = s, false, false, none
	for k, p := range m.parents {
		if p == i {
			m.parents[k] = none
		}
	}
}

// hide suspends a reference, or brings it back.
func (m *trio) hide(i int) {
	if !m.alive[i] {
		return
	}
	var err error
	if m.hidden[i] {
		m.s, _, err = world.Add(m.s, m.ids[i], under.Kind())
	} else {
		m.s, err = world.Suspend(m.s, m.ids[i], under.Kind())
	}
	require.NoError(m.t, err)
	m.hidden[i] = !m.hidden[i]
}

// check compares world and model.
func (m *trio) check() {
	m.t.Helper()
	require.NoError(m.t, tool.Verify(m.s))
	for i, id := range m.ids {
		if m.alive[i] && !m.hidden[i] {
			require.Equal(m.t, m.target(m.parents[i]), world.Must(world.Get(m.s, id, under)))
		}
		children := 0
		for k, p := range m.parents {
			if p == i && m.alive[k] && !m.hidden[k] {
				children++
			}
		}
		require.Equal(m.t, children, family.Count(m.s, under, id))
	}
}

// TestEachLifeOfThree: every sequence of a few acts on three objects.
func TestEachLifeOfThree(t *testing.T) {
	long := 2
	if worldtest.AtLength() {
		long = 3
	}
	for _, n := range []int{0, 300} {
		m := &trio{t: t, s: world.Must(world.CreateState(leafCounts(n)))}
		for i := range m.ids {
			var err error
			m.s, m.ids[i], err = world.Spawn(m.s, leaf)
			require.NoError(t, err)
			m.alive[i], m.parents[i] = true, none
		}
		// Begin with a chain, so that few acts close a ring.
		m.set(1, 0)
		m.set(2, 1)
		m.live(acts(), long)
		world.Close(m.s)
	}
}

// live does each sequence of acts, and leaves the world as it was.
func (m *trio) live(list []act, long int) {
	m.check()
	if long == 0 {
		return
	}
	old := world.Must(world.NewSnapshot(m.s))
	defer old.Close()
	require.NoError(m.t, old.Take(m.s))
	was := *m
	for _, a := range list {
		a.do(m)
		m.live(list, long-1)
		s := world.Must(world.Restore(m.s, old))
		*m = was
		m.s = s
	}
}
