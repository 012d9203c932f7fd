package family_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

type vec2 struct{ X, Y float32 }

var (
	local  = layout.NewComponent[vec2]("local")
	global = layout.NewComponent[vec2]("global")
	aim    = layout.NewComponent[world.GameObject]("aim")
	hull   = world.NewRecipe("hull", family.ChildOf, local, global)
	gun    = world.NewRecipe("gun", family.ChildOf, local, global, aim)
	tank   = family.Tree{
		Recipe: hull, Children: []family.Tree{
			{Recipe: hull, Values: []layout.FieldValue{local.Value(vec2{Y: 1})}, Children: []family.Tree{
				{Recipe: gun, Values: []layout.FieldValue{aim.Value(family.Member(3))}},
				{Recipe: gun, Values: []layout.FieldValue{aim.Value(family.Member(2))}},
			}},
		},
	}
	posing = world.NewQuery(world.Write(global), world.Read(local))
)

func counts(objects int) world.Counts {
	return world.Counts{
		GameObjects: objects, Recipes: []world.Recipe{hull, gun},
		Kinds: layout.Kinds(family.ChildOf, local, global, aim.Count(20)),
	}
}

// tree returns an object and all below it, parents first.
func tree(s world.State, id world.GameObject) []world.GameObject {
	list := []world.GameObject{id}
	for i := 0; i < len(list); i++ {
		list = slices.AppendSeq(list, family.Children(s, family.ChildOf, list[i]))
	}
	return list
}

// TestCopiesReferToCopies: where the members of a tree refer to each other, and to others as before,
// be these dead.
func TestCopiesReferToCopies(t *testing.T) {
	s := world.Must(world.CreateState(counts(200)))
	defer func() { world.Close(s) }()
	s, first := world.Must2(family.Spawn(s, tank))
	s, second := world.Must2(family.Copy(s, family.ChildOf, first))
	copies := tree(s, second)
	require.Len(t, copies, 4)
	assert.Equal(t, copies[3], world.Must(world.Get(s, copies[2], aim)))

	past := copies[0] + 1<<32 // an index of one of them, in another generation
	s = world.Must(world.Set(s, copies[2], aim, past))
	s, third := world.Must2(family.Copy(s, family.ChildOf, second))
	assert.Equal(t, past, world.Must(world.Get(s, tree(s, third)[2], aim)))
	s = world.Must(family.Dispose(s, family.ChildOf, copies[1]))
	assert.Equal(t, 9, world.Len(s))
}

func TestWhatHasNoRoomChangesNothing(t *testing.T) {
	s := world.Must(world.CreateState(counts(11)))
	defer func() { world.Close(s) }()
	s, _ = world.Must2(family.Spawn(s, tank))
	s, first := world.Must2(family.Spawn(s, tank))
	before := world.Digest(s)
	s, _, err := family.Spawn(s, tank)
	require.ErrorIs(t, err, world.ErrTooMany)
	s, _, err = family.Copy(s, family.ChildOf, first)
	require.ErrorIs(t, err, world.ErrTooMany)
	s, _, err = family.Spawn(s, family.Tree{Recipe: hull}, family.ChildOf.Value(world.GameObject(9<<32)))
	require.ErrorIs(t, err, world.ErrDead)
	assert.Equal(t, before, world.Digest(s))
}

// TestDepthsInTasks: each depth in parts, in order, is the same as Down.
func TestDepthsInTasks(t *testing.T) {
	place := func(b world.Batch) {
		g, l := world.Column(b, global), world.Column(b, local)
		for i, parent := range family.Parents(b, global) {
			g[i] = vec2{parent.X + l[i].X + 1, parent.Y + l[i].Y}
		}
	}
	var digests []uint64
	for _, workers := range []int{0, 1, 2, 16} {
		s := world.Must(world.CreateState(counts(3000)))
		for range 500 {
			s, _, _ = family.Spawn(s, tank)
		}
		if workers == 0 {
			for b := range posing.Down(s, family.ChildOf) {
				place(b)
			}
		}
		pool := systems.NewWorkers(max(workers, 1))
		for depth := 0; workers > 0 && depth < family.Depth(s, family.ChildOf); depth++ {
			var tasks []systems.Task
			for first := uint32(0); first < 48; first += 3 {
				run := func(s world.State) world.State {
					for b := range posing.AtDepth(s, family.ChildOf, depth) {
						place(b)
					}
					return s
				}
				tasks = append(tasks, systems.Task{
					Run:     []func(world.State) world.State{run},
					Queries: []world.Query{posing}, First: first, End: first + 3,
				})
			}
			s = systems.RunTasks(s, pool, tasks)
		}
		pool.Close()
		digests = append(digests, world.Digest(s))
		world.Close(s)
	}
	for _, d := range digests {
		assert.Equal(t, digests[0], d)
	}
}

func TestTreesAreShared(t *testing.T) {
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			s := world.Must(world.CreateState(counts(200)))
			defer func() { world.Close(s) }()
			for range 10 {
				s, _, _ = family.Spawn(s, tank)
			}
			assert.Equal(t, 40, world.Len(s))
		})
	}
	group.Wait()
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

var (
	weight = layout.NewComponent[float32]("weight")
	nearby = layout.NewComponent[world.GameObject]("nearby")
	stone  = world.NewRecipe("stone", weight, nearby)
)

// TestSingleObjectsNeedNoRelation: neither they nor their world; a child does.
func TestSingleObjectsNeedNoRelation(t *testing.T) {
	for name, kinds := range map[string][]layout.Count{
		"no relation": layout.Kinds(weight, nearby),
		"another one": layout.Kinds(weight, nearby, under),
		"childOf":     layout.Kinds(weight, nearby, family.ChildOf),
	} {
		t.Run(name, func(t *testing.T) {
			s := world.Must(world.CreateState(world.Counts{
				Kinds: kinds, Recipes: []world.Recipe{stone},
			}))
			defer func() { world.Close(s) }()
			single := family.Tree{Recipe: stone, Values: []layout.FieldValue{
				nearby.Value(family.Member(0)),
			}}
			s, id, err := family.Spawn(s, single, weight.Value(3))
			require.NoError(t, err)
			assert.Equal(t, float32(3), world.Must(world.Get(s, id, weight)))
			assert.Equal(t, id, world.Must(world.Get(s, id, nearby)))

			recorded := world.Record(s).SpawnTree(family.ChildOf, single, weight.Value(4))
			s = world.Must(world.Apply(s))
			made := world.Must(world.Applied(s, recorded))
			assert.Equal(t, made, world.Must(world.Get(s, made, nearby)))

			tree := family.Tree{Recipe: stone, Children: []family.Tree{{Recipe: stone}}}
			lacks := "flatecs: recipe stone has no kind childOf; add it to the recipe"
			if name != "childOf" {
				lacks = "flatecs: this world has no kind childOf; name it in Counts.Kinds"
				_, _, err = family.Spawn(s, tree)
				require.ErrorIs(t, err, world.ErrNoKind)
				require.EqualError(t, err, lacks)
			} else {
				assert.PanicsWithValue(t, lacks, func() { _, _, _ = family.Spawn(s, tree) })
			}
			assert.PanicsWithValue(t, lacks, func() {
				world.Record(s).SpawnTree(family.ChildOf, tree)
			})
			assert.Panics(t, func() { _, _, _ = family.SpawnTree(nil, s, nearby, single) })
			assert.Equal(t, 2, world.Len(s))
			require.NoError(t, tool.Verify(s))
		})
	}
}

// TestMessagesOfRings: they list the references.
func TestMessagesOfRings(t *testing.T) {
	s := world.Must(world.CreateState(leafCounts(0)))
	defer func() { world.Close(s) }()
	tree := family.Tree{Recipe: leaf}
	for range 10 {
		tree = family.Tree{Recipe: leaf, Children: []family.Tree{tree}}
	}
	for to, want := range []string{
		"under member 0 → 0: a tree has no rings",
		"under member 0 → 1 → 0: a tree has no rings",
		"under member 0 → 2 → 1 → 0: a tree has no rings",
		8: "under member 0 → 8 → 7 → 6 → 5 → 4 → 3 → 2 → … → 0: a tree has no rings",
	} {
		if want == "" {
			continue
		}
		_, _, err := family.SpawnTree(nil, s, under, tree, under.Value(family.Member(to)))
		require.ErrorIs(t, err, family.ErrRing)
		require.ErrorContains(t, err, want)
	}
}
