package family_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

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
	s, err := world.Dispose(m.s, m.ids[i])
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
		m.s, err = world.Add(m.s, m.ids[i], under)
	} else {
		m.s, err = world.Suspend(m.s, m.ids[i], under)
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
	worldtest.OneGoroutine(t)
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
