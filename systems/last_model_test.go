package systems

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A wound is a field of two parts.
type wound struct {
	By    GameObject
	Depth [2]uint32
}

var (
	keptWound  = layout.NewField[wound]("wound")
	keptRage   = layout.NewField[uint16]("rage")
	keptOrc    = layout.NewKind("orc", keptWound, keptRage)
	keptNoise  = layout.NewComponent("noise", uint64(5))
	keptHandle = layout.NewValues("handle", 0)
	keptFrozen = layout.NewMark("frozen orc")
	keptLeader = layout.NewRelation("leader", layout.Relation{Disposed: layout.Cascade, Tree: true})
	orcRecipe  = NewRecipe("orc", keptOrc, keptNoise)

	keptRules = []struct {
		watcher Watcher
		match   func(o *orc) bool
		kept    []Kind
	}{
		{
			NewWatcher(NewQuery(With(keptOrc))).Keep(keptOrc),
			func(o *orc) bool { return o.has[keptOrc] },
			[]Kind{keptOrc},
		},
		{
			NewWatcher(NewQuery(Read(keptNoise), With(keptHandle), Without(keptFrozen))).
				Keep(keptHandle, keptNoise),
			func(o *orc) bool {
				return o.has[keptNoise.Kind()] && o.has[keptHandle.Kind()] && !o.has[keptFrozen]
			},
			[]Kind{keptNoise.Kind(), keptHandle.Kind()},
		},
		{
			NewWatcher(NewQuery(With(keptNoise), Any(keptOrc, keptHandle))).Keep(keptNoise),
			func(o *orc) bool {
				return o.has[keptNoise.Kind()] && (o.has[keptOrc] || o.has[keptHandle.Kind()])
			},
			[]Kind{keptNoise.Kind()},
		},
		{
			NewWatcher(NewQuery(Only(keptOrc, keptNoise))).Keep(keptNoise).Keep(keptRage),
			func(o *orc) bool { return len(o.has) == 2 && o.has[keptOrc] && o.has[keptNoise.Kind()] },
			[]Kind{keptNoise.Kind()},
		},
		{ // the rules of the first one, and a look of its own
			NewWatcher(NewQuery(With(keptOrc))).Keep(keptRage),
			func(o *orc) bool { return o.has[keptOrc] }, nil,
		},
	}
	orcKinds = []Kind{keptOrc, keptNoise.Kind(), keptHandle.Kind(), keptFrozen}
)

// An orc is an object of maps.
type orc struct {
	has       map[Kind]bool
	suspended map[Kind]bool
	wound     wound
	rage      uint16
	noise     uint64
	handle    int
	leader    GameObject
}

func (o *orc) copied() *orc {
	c := *o
	c.has, c.suspended = maps.Clone(o.has), maps.Clone(o.suspended)
	return &c
}

// reset gives a kind the defaults.
func (o *orc) reset(k Kind) {
	switch k {
	case keptOrc:
		o.wound, o.rage = wound{}, 0
	case keptNoise.Kind():
		o.noise = 5
	case keptHandle.Kind():
		o.handle = 0
	}
}

// A grave is what one watcher remembers.
type grave struct {
	members map[GameObject]bool
	gone    map[GameObject]*orc // as they were when they left
	left    map[GameObject]*orc // at the last look
}

func newGrave() grave {
	return grave{map[GameObject]bool{}, map[GameObject]*orc{}, map[GameObject]*orc{}}
}

// orcs is a world of maps with the watchers of keptRules.
type orcs struct {
	all    map[GameObject]*orc
	graves []grave
}

func (m *orcs) copied() *orcs {
	c := &orcs{all: map[GameObject]*orc{}}
	for id, o := range m.all {
		c.all[id] = o.copied()
	}
	for _, g := range m.graves {
		c.graves = append(c.graves,
			grave{maps.Clone(g.members), maps.Clone(g.gone), maps.Clone(g.left)})
	}
	return c
}

// change changes an object, and has the watchers note what it was.
func (m *orcs) change(id GameObject, change func(o *orc)) {
	o := m.all[id]
	was := o.copied()
	change(o)
	for i, ru := range keptRules {
		g := &m.graves[i]
		if _, gone := g.gone[id]; g.members[id] && !gone && (m.all[id] == nil || !ru.match(o)) {
			g.gone[id] = was
		}
	}
}

// dispose disposes an object, and those that it leads.
func (m *orcs) dispose(id GameObject) {
	if m.all[id] == nil {
		return
	}
	m.change(id, func(*orc) { delete(m.all, id) })
	for other, o := range m.all {
		if o.leader == id {
			m.dispose(other)
		}
	}
}

func (m *orcs) remove(id GameObject, k Kind) {
	m.change(id, func(o *orc) {
		delete(o.has, k)
		o.reset(k)
	})
}

// look compares a watcher with the world's.
func (m *orcs) look(t *testing.T, s State, i int) State {
	t.Helper()
	g := &m.graves[i]
	g.left, g.gone = g.gone, map[GameObject]*orc{}
	clear(g.members)
	for id, o := range m.all {
		if keptRules[i].match(o) {
			g.members[id] = true
		}
	}
	s = keptRules[i].watcher.Look(s)
	m.compare(t, s, i)
	return s
}

// compare compares what the last look of a watcher found.
func (m *orcs) compare(t *testing.T, s State, i int) {
	t.Helper()
	ru, left := keptRules[i], m.graves[i].left
	require.Equal(t, ascending(slices.Collect(maps.Keys(left))), slices.Collect(ru.watcher.Left(s)))
	for id := range m.all {
		if left[id] == nil && i != 1 && i != 2 {
			_, err := LastOf(s, ru.watcher, id, keptRage)
			require.ErrorIs(t, err, ErrAbsent)
			require.ErrorContains(t, err, "is not among")
			break
		}
	}
	for id, o := range left {
		if i == 0 {
			require.Equal(t, o.wound, sure(LastOf(s, ru.watcher, id, keptWound)))
		}
		if i == 0 || i == 3 || i == 4 {
			require.Equal(t, o.rage, sure(LastOf(s, ru.watcher, id, keptRage)))
		}
		if slices.Contains(ru.kept, keptNoise.Kind()) {
			require.Equal(t, o.noise, sure(LastOf(s, ru.watcher, id, keptNoise)))
		}
		if slices.Contains(ru.kept, keptHandle.Kind()) {
			require.Equal(t, o.handle, sure(LastOf(s, ru.watcher, id, keptHandle)))
		}
	}
}

// TestLastValuesAgainstModel: every way to leave, values of every sort, and looks, snapshots and
// copies in between.
func TestLastValuesAgainstModel(t *testing.T) {
	steps := 2_000
	if atLength() {
		steps = 20_000
	}
	for _, objects := range []int{3, 70, 300} {
		seed := rand.Uint64()
		t.Log("objects", objects, "seed", seed)
		h := newHorde(t, seed, objects)
		snapshot, past := sure(NewSnapshot(h.s)), h.copied()
		require.NoError(t, snapshot.Take(h.s))
		for step := range steps {
			h.step()
			i := h.r.IntN(len(keptRules))
			switch h.r.IntN(40) {
			case 0, 1, 2:
				h.s = h.look(t, h.s, i)
			case 3:
				h.compare(t, h.s, i)
			case 4:
				require.NoError(t, snapshot.Take(h.s))
				past = h.copied()
			case 5:
				h.s = sure(Restore(h.s, snapshot))
				h.orcs = past.copied()
			case 6:
				require.NoError(t, ArenaOf(h.s).Verify())
			case 7:
				h.s = keptRules[i].watcher.Forget(h.s)
				h.graves[i] = newGrave()
				h.compare(t, h.s, i)
			}
			if step%500 == 499 {
				h.move()
				snapshot.Close()
				snapshot, past = sure(NewSnapshot(h.s)), h.copied()
				require.NoError(t, snapshot.Take(h.s))
			}
		}
		for i := range keptRules {
			h.s = h.look(t, h.s, i)
		}
		require.NoError(t, ArenaOf(h.s).Verify())
		snapshot.Close()
		Close(h.s)
	}
}
