package list_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
)

var (
	knight = world.NewRecipe("knight", numbers, title).With(
		numbers.Value(1), title.Value("Sir"), numbers.Value(4, 5, 6))
	squire = world.NewRecipe("squire", numbers, title).With(numbers.Value(4, 5, 6))
)

// TestRecipesGiveLists: by every way to spawn, a list of its own for each object, and the same bytes.
func TestRecipesGiveLists(t *testing.T) {
	const n = 70
	counts := world.Counts{
		GameObjects: n, Recipes: []world.Recipe{knight, squire}, Commands: 3 * n,
		Queries: []world.Query{stocking},
	}
	spawn := map[string]func(s world.State) world.State{
		"one by one": func(s world.State) world.State {
			for range n {
				s, _ = world.Must2(world.Spawn(s, knight))
			}
			return s
		},
		"many": func(s world.State) world.State { return world.Must(world.SpawnN(s, knight, n, nil)) },
		"filled": func(s world.State) world.State {
			return world.Must(world.SpawnN(s, knight, n, func(b world.Batch) {
				assert.Equal(t, []uint64{4, 5, 6}, list.Column(b, numbers).At(b.Len()-1))
			}))
		},
		"recorded": func(s world.State) world.State {
			for range n {
				world.Record(s).Spawn(knight)
			}
			return world.Must(world.Apply(s))
		},
		"with values": func(s world.State) world.State {
			for range n / 2 {
				s, _ = world.Must2(world.Spawn(s, squire, title.Value("Sir")))
				s, _ = world.Must2(world.Spawn(s, knight, numbers.Value(9), numbers.Value(4, 5, 6)))
			}
			return s
		},
	}
	for name, f := range spawn {
		t.Run(name, func(t *testing.T) {
			s := world.Must(world.CreateState(counts))
			defer func() { world.Close(s) }()
			s = f(s)
			require.NoError(t, tool.Verify(s))
			for id := range world.GameObjects(s) {
				require.Equal(t, []uint64{4, 5, 6}, world.Must(list.Of(s, id, numbers)))
				require.Equal(t, "Sir", world.Must(list.Text(s, id, title)))
				s = world.Must(list.SetAt(s, id, numbers, 0, uint64(id)))
			}
			for id := range world.GameObjects(s) {
				require.Equal(t, []uint64{uint64(id), 5, 6}, world.Must(list.Of(s, id, numbers)))
			}
			_, _, err := world.Spawn(s, knight)
			require.ErrorIs(t, err, world.ErrTooMany)
			s = world.Must(stocking.DisposeAll(s))
			s, id := world.Must2(world.Spawn(s, squire))
			require.Empty(t, world.Must(list.Text(s, id, title)))
			require.Len(t, world.Must(list.Of(s, id, numbers)), 3)
		})
	}
}

// TestRecipesFindNoRoomForLists: then nothing is spawned; and what was freed is used again.
func TestRecipesFindNoRoomForLists(t *testing.T) {
	long := knight.With(title.Value(strings.Repeat("long ", 26))) // of three rows
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 100, Recipes: []world.Recipe{long}, Commands: 100,
		Kinds: []layout.Count{numbers.Count(100, 0), title.Count(100, 64)}, // of 102 rows
	}))
	defer func() { world.Close(s) }()
	var ids []world.GameObject
	for range 34 {
		next, id := world.Must2(world.Spawn(s, long))
		s, ids = next, append(ids, id)
	}
	full := func(n int) {
		before := world.Digest(s)
		_, err := world.SpawnN(s, long, n, nil)
		require.ErrorIs(t, err, world.ErrFull)
		require.ErrorContains(t, err, "title: no room for another list of 130 elements")
		if n == 1 {
			world.Record(s).Spawn(long)
			s, err = world.Apply(s)
			require.ErrorIs(t, err, world.ErrFull)
		}
		require.Equal(t, before, world.Digest(s))
		require.NoError(t, tool.Verify(s))
	}
	full(1)
	for _, values := range [][]layout.FieldValue{nil, {numbers.Value(1), title.Value("x")}} {
		before := world.Digest(s)
		_, id, err := world.Spawn(s, long, values...)
		require.ErrorIs(t, err, world.ErrFull)
		require.Zero(t, id)
		require.Equal(t, before, world.Digest(s))
	}
	for _, i := range []int{3, 9, 20} {
		s = world.Must(world.Dispose(s, ids[i]))
	}
	full(4)
	s = world.Must(world.SpawnN(s, long, 2, nil))
	world.Record(s).Spawn(long)
	s = world.Must(world.Apply(s))
	full(1)
}

func TestValuesOfListsAreRefusedElsewhere(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{Recipes: []world.Recipe{knight, owner}}))
	defer func() { world.Close(s) }()
	digest := world.Digest(s)
	for want, f := range map[string]func(){
		"has no kind with field title": func() { _, _, _ = world.Spawn(s, owner, title.Value("x")) },
		"pass first elements":          func() { world.Record(s).Spawn(knight, title.Value("x")) },
		"has no field": func() {
			_, _, _ = world.Spawn(s, knight, numbers.Value(1), layout.FieldValue{})
		},
		"to a list": func() { v := numbers.Value(1, 2); v.Bytes() },
	} {
		worldtest.PanicsWith(t, f, want)
	}
	require.Equal(t, digest, world.Digest(s))
	values := []layout.FieldValue{numbers.Value(1, 2), title.Value("x")}
	assert.Zero(t, testing.AllocsPerRun(50, func() {
		var id world.GameObject
		s, id = world.Must2(world.Spawn(s, knight, values...))
		s = world.Must(world.Dispose(s, id))
	}))
	assert.Panics(t, func() { v := gold.Value(1); v.Elements() })
	assert.Panics(t, func() { title.Value("\xff") })
	assert.Panics(t, func() { owner.With(title.Value("x")) })
}
