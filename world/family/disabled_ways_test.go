package family_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/index"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/space"
)

var (
	spot     = layout.NewComponent[[2]float32]("disabled spot")
	wagon    = world.NewRecipe("disabled wagon", label, spot)
	trailer  = world.NewRecipe("disabled trailer", family.ChildOf, label, spot)
	sleeping = world.NewRecipe("disabled sleeping", label, spot, layout.Disabled)
	everyone = world.NewQuery(world.Read(label), world.Optional(layout.Disabled))
)

// parked is a world of two wagons with two trailers each, of which the first and its are disabled.
func parked(t *testing.T) (s world.State, wagons, trailers []world.GameObject) {
	t.Helper()
	s = world.Must(world.CreateState(world.Counts{
		GameObjects: 20, Recipes: []world.Recipe{wagon, trailer, sleeping},
	}))
	for i := range uint32(2) {
		var id world.GameObject
		s, id = world.Must2(world.Spawn(s, wagon, label.Value(i)))
		wagons = append(wagons, id)
		for j := range uint32(2) {
			s, id = world.Must2(world.Spawn(s, trailer, family.ChildOf.Value(wagons[i]),
				label.Value(10*i+j)))
			trailers = append(trailers, id)
		}
	}
	return world.Must(world.Add(s, wagons[0], layout.Disabled)), wagons, trailers
}

// labelsOf returns the labels that a query finds, ascending.
func labelsOf(s world.State, q world.Query) (found []uint32) {
	for b := range q.In(s) {
		found = append(found, world.Column(b, label)...)
	}
	slices.Sort(found)
	return found
}

// TestWhoSeesDisabled: queries leave the disabled out, in all walks; ids, relations, indexes and
// recipes find them.
func TestWhoSeesDisabled(t *testing.T) {
	s, wagons, trailers := parked(t)
	defer func() { world.Close(s) }()
	assert.Equal(t, 6, world.Len(s))
	assert.Len(t, slices.Collect(world.GameObjects(s)), 6)
	assert.Equal(t, uint32(1), world.Must(world.Get(s, trailers[1], label)))
	assert.Equal(t, trailers[:2], children(s, family.ChildOf, wagons[0]))
	count := func(of func(func(world.Batch) bool)) (n int) {
		for b := range of {
			n += b.Len()
		}
		return n
	}
	assert.Zero(t, count(labels.ChildrenOf(s, family.ChildOf, wagons[0])))
	assert.Equal(t, 2, count(everyone.ChildrenOf(s, family.ChildOf, wagons[0])))
	assert.Equal(t, 3, count(labels.Down(s, family.ChildOf)))
	assert.Equal(t, 6, count(everyone.Up(s, family.ChildOf)))
	assert.Zero(t, count(labels.Of(s, trailers[0])))

	byLabel := index.New(label)
	assert.Equal(t, 2, byLabel.Count(s, 0), "by value, disabled or not")
	assert.Equal(t, 3, count(byLabel.Sorted(s, labels)), "a walk of a query")

	cells := world.Must(space.NewCells(s, spot, space.Options{Size: 1}))
	s = cells.Build(s, nil)
	assert.Equal(t, 3, cells.In(s).Len())

	seen := 0
	s = systems.RunTasks(s, nil, []systems.Task{{
		Run: []func(world.State) world.State{func(s world.State) world.State {
			seen = count(labels.In(s))
			return s
		}},
		Queries: []world.Query{labels},
	}})
	assert.Equal(t, 3, seen)
}

// TestSpawningDisabled: a recipe may have the mark; the function of SpawnN sees its objects.
func TestSpawningDisabled(t *testing.T) {
	s, wagons, _ := parked(t)
	defer func() { world.Close(s) }()
	next, id := world.Must2(world.Spawn(s, sleeping, label.Value(7)))
	s = world.Must(world.SpawnN(next, sleeping, 3, func(b world.Batch) {
		for i := range world.Column(b, label) {
			world.Column(b, label)[i] = 8
		}
	}))
	assert.Equal(t, []uint32{1, 10, 11}, labelsOf(s, labels))
	assert.Equal(t, []uint32{0, 0, 1, 1, 7, 8, 8, 8, 10, 11}, labelsOf(s, everyone))
	s = world.Must(world.Remove(s, id, layout.Disabled))
	assert.Equal(t, []uint32{1, 7, 10, 11}, labelsOf(s, labels))

	s, child := world.Must2(world.Spawn(s, trailer, family.ChildOf.Value(wagons[0])))
	assert.False(t, world.Has(s, child, layout.Disabled), "a child that comes later is not")
}

// TestDisabledAndWorldsWithout: worlds that do not count the mark have no term more, and refuse it
// as they refuse other kinds.
func TestDisabledAndWorldsWithout(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 5, Recipes: []world.Recipe{wagon},
	}))
	defer func() { world.Close(s) }()
	counted, _, _ := parked(t)
	defer world.Close(counted)
	assert.Equal(t, "allOf:0", world.Must(labels.Key(s)))
	assert.Equal(t, "allOf:0", world.Must(everyone.Key(s)))
	assert.Contains(t, world.Must(labels.Key(counted)), "excludeOf:")
	assert.NotContains(t, world.Must(everyone.Key(counted)), "excludeOf:")
	s, id := world.Must2(world.Spawn(s, wagon))
	_, err := world.Add(s, id, layout.Disabled)
	require.ErrorIs(t, err, world.ErrNoKind)
	assert.Equal(t, []uint32{0}, labelsOf(s, everyone))
	worldtest.PanicsWith(t, func() { world.NewQuery(world.With(layout.Disabled)).Count(s) },
		"no kind disabled")
	for _, wrong := range []world.Term{world.Optional(tagged), world.Read(layout.Disabled)} {
		worldtest.PanicsWith(t, func() { world.NewQuery(wrong).Count(counted) }, "no fields")
	}
}
