package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// A kind that a world does not count is on no object.
func TestUncountedKindsAreOnNoObject(t *testing.T) {
	s, ids := worldtest.Create(worldA(70), 70)
	for i, id := range ids {
		s = world.Must(world.Add(s, id, aA))
		if i%2 == 0 {
			s = world.Must(world.Add(s, id, aX))
		}
	}
	count := func(terms ...world.Term) int { return world.NewQuery(terms...).Count(s) }
	assert.Equal(t, 70, count(world.Without(absentKind)))
	assert.Equal(t, 35, count(world.Without(absentMark, aX)))
	assert.Zero(t, count(world.Any(absentKind)))
	assert.Equal(t, 35, count(world.Any(absentKind, aX)))
	assert.Equal(t, 70, count(world.Read(aValue), world.Optional(absentField)))
	assert.Equal(t, 70, count(world.Optional(absentKind, absentField)))
	for _, q := range []world.Query{
		world.NewQuery(world.Write(aValue), world.Optional(absentField)),
		world.NewQuery(world.Write(aValue), world.Optional(absentField), world.RowWise()),
		world.NewQuery(world.Optional(absentField)),
	} {
		n := 0
		for b := range q.In(s) {
			n += b.Len()
			assert.Nil(t, world.Column(b, absentField))
		}
		assert.Equal(t, 70, n, q)
	}
	q := world.NewQuery(world.Any(absentKind, aX), world.Without(absentMark), world.Optional(absentField))
	assert.Equal(t, "anyOf:2", world.Must(q.Key(s)), "by the kinds that there are")
	assert.Equal(t, mask.New(2), world.Must(q.Kinds(s)))
	assert.Equal(t, "anyOf:", world.Must(world.NewQuery(world.Any(absentKind)).Key(s)))
}

// A watcher and a walk of what changed, of a world that lacks some of their kinds.
func TestUncountedKindsDoNotChange(t *testing.T) {
	w := world.NewWatcher(world.NewQuery(world.With(aA), world.Without(absentKind)))
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 3, Kinds: layout.Kinds(aA), Watchers: []world.Watcher{w},
	}))
	s, id := world.Must2(world.CreateWith(s, aA))
	tick := world.Tick(s)
	s = world.Must(world.Set(world.Advance(s), id, aValue, [2]float32{3}))
	since := func(terms ...world.Term) (n int) {
		for b := range world.NewQuery(terms...).Since(s, tick) {
			n += b.Len()
		}
		return n
	}
	assert.Zero(t, since(world.Changed(absentKind)))
	assert.Equal(t, 1, since(world.Changed(absentKind, aA)))
	s = w.Look(s)
	assert.Equal(t, 1, w.Count(s))
	require.NoError(t, tool.Verify(s))
}

type brokenKind struct{}

func (brokenKind) Kind() layout.Kind { panic("broken; mend it") }

func TestListsPassOnWhatAKindPanicsWith(t *testing.T) {
	assert.PanicsWithValue(t, "broken; mend it", func() { world.With(aA, brokenKind{}) })
}
