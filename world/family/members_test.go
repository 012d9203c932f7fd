package family_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

var saddle = layout.NewRelation("saddle", layout.Relation{})

// A grove makes random trees, whose members know their number and that of their parent.
type grove struct {
	*rand.Rand
	rider   world.Recipe
	parents []int // per member; the first has none
}

// tree returns a tree below a member, at most so deep.
func (g *grove) tree(parent, deep int) family.Tree {
	n := len(g.parents)
	g.parents = append(g.parents, parent)
	t := family.Tree{
		Recipe: g.rider, Values: []layout.FieldValue{local.Value(vec2{X: float32(n)})},
	}
	for range g.IntN(4) {
		if deep > 0 {
			t.Children = append(t.Children, g.tree(n, deep-1))
		}
	}
	return t
}

// check compares members with what the grove made.
func (g *grove) check(
	t *testing.T, s world.State, relation layout.Field[world.GameObject], ids []world.GameObject,
) {
	t.Helper()
	require.Len(t, ids, len(g.parents))
	for n, id := range ids {
		assert.InDelta(t, n, world.Must(world.Get(s, id, local)).X, 0)
		var parent world.GameObject
		if p := g.parents[n]; p >= 0 {
			parent = ids[p]
		}
		assert.Equal(t, parent, world.Must(world.Get(s, id, relation)))
	}
}

// TestMembersOfSpawnedTrees: ids come in the order of numbers, behind what dst has, by any
// relation; those of recorded trees follow each other, also in tasks.
func TestMembersOfSpawnedTrees(t *testing.T) {
	rider := world.NewRecipe("rider", family.ChildOf, saddle, local)
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 100_000, Recipes: []world.Recipe{rider},
		Kinds: layout.Kinds(family.ChildOf, saddle, local),
	}))
	defer func() { world.Close(s) }()
	r := rand.New(rand.NewPCG(7, 1))
	for i := range 60 {
		relation := []layout.Field[world.GameObject]{family.ChildOf, saddle}[i%2]
		g := &grove{Rand: r, rider: rider}
		tree := g.tree(-1, i%6)
		var err error
		ids := []world.GameObject{5, 6}
		s, ids, err = family.SpawnTree(ids, s, relation, tree)
		require.NoError(t, err)
		assert.Equal(t, []world.GameObject{5, 6}, ids[:2])
		g.check(t, s, relation, ids[2:])

		var first world.GameObject
		record := func(s world.State) world.State {
			c := world.Record(s)
			c.Create()
			first = c.SpawnTree(relation, tree)
			c.Create()
			return s
		}
		if i%3 == 0 {
			pool := systems.NewWorkers(2)
			s = systems.RunTasks(s, pool, []systems.Task{{Run: []func(world.State) world.State{record}}})
			pool.Close()
		} else {
			s = record(s)
		}
		s, err = world.Apply(s)
		require.NoError(t, err)
		for n := range ids[2:] {
			ids[2+n] = world.Must(world.Applied(s, first+world.GameObject(n)))
		}
		g.check(t, s, relation, ids[2:])
	}
}

func TestMembersThatAreRefused(t *testing.T) {
	s := world.Must(world.CreateState(counts(3)))
	defer func() { world.Close(s) }()
	dst := make([]world.GameObject, 1, 9)
	s, ids, err := family.SpawnTree(dst, s, family.ChildOf, tank)
	require.ErrorIs(t, err, world.ErrTooMany)
	assert.Equal(t, dst, ids)
	_, first, err := family.Spawn(s, tank)
	require.ErrorIs(t, err, world.ErrTooMany)
	assert.Zero(t, first)
}

// TestSpawnedTreesAllocateNothing: where dst has room, or Spawn, which has room for 64 members.
func TestSpawnedTreesAllocateNothing(t *testing.T) {
	room := counts(5000)
	room.Kinds = layout.Kinds(family.ChildOf, local, global, aim)
	s := world.Must(world.CreateState(room))
	defer func() { world.Close(s) }()
	c := world.Record(s)
	for range 100 {
		c.SpawnTree(family.ChildOf, tank)
	}
	s, err := world.Apply(s) // there is room for commands now
	require.NoError(t, err)
	ids := make([]world.GameObject, 0, 100)
	assert.Zero(t, testing.AllocsPerRun(9, func() {
		s, ids, _ = family.SpawnTree(ids[:0], s, family.ChildOf, tank, local.Value(vec2{X: 7}))
		s, _, _ = family.Spawn(s, tank, local.Value(vec2{X: 7}))
		world.Record(s).SpawnTree(family.ChildOf, tank, local.Value(vec2{X: 7}))
		s, err = world.Apply(s)
	}))
	require.NoError(t, err)
	assert.Len(t, ids, 4)
}
