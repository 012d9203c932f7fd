package family_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

var (
	place  = layout.NewField[uint32]("place")
	load   = layout.NewField("load", uint32(3))
	likes  = layout.NewRelation("likes", layout.Relation{Disposed: layout.Clear})
	needs  = layout.NewRelation("needs", layout.Relation{Disposed: layout.Cascade})
	guards = layout.NewRelation("guards", layout.Relation{Disposed: layout.Refuse})
	within = layout.NewRelation("within", layout.Relation{Disposed: layout.Cascade, Tree: true})
	sorted = layout.NewRelation("sorted", layout.Relation{
		Disposed: layout.Clear, Order: place, Fields: []layout.AnyField{load},
	})
	label = layout.NewComponent[uint32]("label")
)

// related returns a world of n objects that have all relations, and refer to nobody.
func related(t *testing.T, n int) (world.State, []world.GameObject) {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n,
		Kinds:       layout.Kinds(family.ChildOf, likes, needs, guards, within, sorted, label),
	}))
	ids := make([]world.GameObject, n)
	for i := range ids {
		var err error
		s, ids[i], err = world.CreateWith(s, family.ChildOf, likes, needs, guards, within, sorted)
		require.NoError(t, err)
	}
	return s, ids
}

// set returns the world in which an object refers to another one.
func set(
	s world.State, id world.GameObject, r layout.Field[world.GameObject], to world.GameObject,
) world.State {
	return world.Must(world.Set(s, id, r, to))
}

func children(
	s world.State, r layout.Field[world.GameObject], id world.GameObject,
) []world.GameObject {
	return slices.Collect(family.Children(s, r, id))
}

func TestRingsWithoutTrees(t *testing.T) {
	for _, c := range []struct {
		relation layout.Field[world.GameObject]
		size     int // of the ring
		live     int // of 4 objects, after one of the ring was disposed
	}{
		{likes, 1, 3},
		{needs, 1, 3},
		{guards, 1, 3},
		{likes, 2, 3},
		{needs, 2, 2},
		{guards, 2, 4},
		{likes, 3, 3},
		{needs, 3, 1},
		{guards, 3, 4},
	} {
		s, ids := related(t, 4)
		for i := range c.size {
			s = set(s, ids[i], c.relation, ids[(i+1)%c.size])
		}
		s, err := world.Dispose(s, ids[0])
		assert.Equal(t, c.live == 4, err != nil, "%v %d", c.relation, c.size)
		assert.Equal(t, c.live, world.Len(s), "%v %d", c.relation, c.size)
		s = world.Must(family.Dispose(s, c.relation, ids[3]))
		if world.Alive(s, ids[0]) {
			s, err = family.Dispose(s, c.relation, ids[0])
			require.NoError(t, err, "all of the ring go at once")
			assert.Equal(t, 3-c.size, world.Len(s))
		}
		world.Close(s)
	}
}

// Further fields keep their values while the reference changes, by any policy.
func TestFieldsBesideAReference(t *testing.T) {
	s, ids := related(t, 3)
	defer func() { world.Close(s) }()
	s = world.Must(world.Set(s, ids[1], load, 8))
	s = set(s, ids[1], sorted, ids[0])
	world.Put(world.Record(s), ids[1], sorted, ids[2])
	s = world.Must(world.Apply(s))
	s = world.Must(world.Dispose(s, ids[2]))
	assert.Zero(t, world.Must(world.Get(s, ids[1], sorted)))
	assert.Equal(t, uint32(8), world.Must(world.Get(s, ids[1], load)))
	s = world.Must(world.Remove(s, ids[1], sorted))
	world.Put(world.Record(s), ids[1], sorted, ids[0])
	s = world.Must(world.Apply(s))
	assert.Equal(t, uint32(3), world.Must(world.Get(s, ids[1], load)))
}
