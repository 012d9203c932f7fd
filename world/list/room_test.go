package list_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
)

var (
	shelf  = world.NewRecipe("shelf", numbers, near)
	loaded = world.NewRecipe("loaded", numbers, near).With(numbers.Value(nine(7)...))
)

func storeCounts(lists, elements int) world.Counts {
	return world.Counts{
		GameObjects: lists, Recipes: []world.Recipe{shelf, loaded},
		Kinds: []layout.Count{numbers.Count(lists, elements), near.Count(lists)},
	}
}

// pieces returns a world of ten lists: every second list is empty, and the others have 4 rows;
// between them are 4 free rows, and 3 were never used. A walk of its query asks for no lists.
func pieces(t *testing.T) (world.State, []world.GameObject, world.Query) {
	t.Helper()
	query := world.NewQuery(world.Write(gold))
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 10, Recipes: []world.Recipe{owner}, Queries: []world.Query{query, stocking},
		Kinds: []layout.Count{numbers.Count(10, 176), gold.Count(10)}, // 43 rows
	}))
	s = world.Must(world.SpawnN(s, owner, 10, nil))
	ids := slices.Collect(world.GameObjects(s))
	for i, id := range ids {
		s = world.Must(list.Set(s, id, numbers, slices.Repeat([]uint64{uint64(i)}, 32)...))
	}
	for i := 1; i < len(ids); i += 2 {
		s = world.Must(list.Set(s, ids[i], numbers))
	}
	return s, ids, query
}

// TestListsStayWhileAWalkIsOpen: slices returned by list.Of and At show the same elements while any
// list grows. A list without room gets it after the walk.
func TestListsStayWhileAWalkIsOpen(t *testing.T) {
	for name, grow := range map[string]func(world.State, world.GameObject, int) (world.State, error){
		"append": func(s world.State, id world.GameObject, n int) (world.State, error) {
			return list.Append(s, id, numbers, make([]uint64, n)...)
		},
		"set": func(s world.State, id world.GameObject, n int) (world.State, error) {
			return list.Set(s, id, numbers, make([]uint64, n)...)
		},
		"walk": func(s world.State, id world.GameObject, n int) (_ world.State, err error) {
			for b := range stocking.In(s) {
				lists := list.Column(b, numbers)
				others := make([][]uint64, b.Len())
				for i := range others {
					others[i] = lists.At(i)
				}
				for range n {
					if err == nil {
						_, err = lists.Append(int(id.Index()), 0)
					}
				}
				for i, l := range others {
					require.Equal(t, slices.Repeat([]uint64{uint64(i)}, len(l)), l)
				}
			}
			return s, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, ids, query := pieces(t)
			defer func() { world.Close(s) }()
			var seen [][]uint64
			for range query.In(s) {
				for _, id := range ids {
					seen = append(seen, world.Must(list.Of(s, id, numbers)))
				}
				if name != "walk" {
					var err error
					s, err = grow(s, ids[1], 60)
					require.ErrorIs(t, err, world.ErrFull)
					require.ErrorContains(t, err, "while a walk is open")
					s = world.Must(grow(s, ids[3], 48)) // 4 free rows at the end, and 2 unused ones
				}
				break
			}
			if name == "walk" {
				_, err := grow(s, ids[1], 60)
				require.ErrorIs(t, err, world.ErrFull)
				require.ErrorContains(t, err, "while a walk is open")
			}
			for i, l := range seen {
				require.Equal(t, slices.Repeat([]uint64{uint64(i)}, len(l)), l)
			}
			require.NoError(t, tool.Verify(s))
			s = world.Must(list.Append(s, ids[1], numbers, make([]uint64, 60)...))
			require.NoError(t, tool.Verify(s))
			for i := 0; i < len(ids); i += 2 {
				require.Equal(t, slices.Repeat([]uint64{uint64(i)}, 32),
					world.Must(list.Of(s, ids[i], numbers)))
			}
		})
	}
}

// TestRoomGivenBackIsThereInAWalk: where no list may move, so that it is not found otherwise.
func TestRoomGivenBackIsThereInAWalk(t *testing.T) {
	for name, give := range map[string]func(world.State, world.GameObject) (world.State, error){
		"Set": func(s world.State, id world.GameObject) (world.State, error) {
			return list.Set(s, id, numbers, make([]uint64, 8)...)
		},
		"Shrink": func(s world.State, id world.GameObject) (world.State, error) {
			for range 24 {
				s = world.Must(list.RemoveAt(s, id, numbers, 8))
			}
			return list.Shrink(s, id, numbers)
		},
		"SetElements": func(s world.State, id world.GameObject) (world.State, error) {
			row := world.Must(world.RowOf(s, id, numbers))
			return tool.SetElements(s, numbers.Spec(), row, make([]byte, 64))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, ids, query := pieces(t)
			defer func() { world.Close(s) }()
			s = world.Must(list.Set(s, ids[9], numbers, make([]uint64, 32)...))
			for range 2 { // without the 3 rows of the first, and with them
				var err error
				for range query.In(s) {
					s, err = list.Append(s, ids[1], numbers, make([]uint64, 48)...)
				}
				if len(world.Must(list.Of(s, ids[0], numbers))) == 8 {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, world.ErrFull)
					s = world.Must(give(s, ids[0]))
				}
			}
			require.NoError(t, tool.Verify(s))
		})
	}
}

// TestTreesHaveRoomIfTheirListsDo: the lists of values take the room of the recipes' lists, which
// are made before; a tree is refused only where all need more rows at once than there are.
func TestTreesHaveRoomIfTheirListsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	spawned, refused := 0, 0
	for range 1000 {
		elements := 8 * (1 + r.IntN(12))
		s := world.Must(world.CreateState(storeCounts(8, elements)))
		left := 8 + elements/8 + (elements/8+1)/2 // rows
		for range r.IntN(4) {
			n := r.IntN(elements / 2)
			if left -= neededRows(n); left < 0 {
				left += neededRows(n)
				continue
			}
			next, id := world.Must2(world.Spawn(s, shelf))
			s = world.Must(list.Set(next, id, numbers, make([]uint64, n)...))
			if left > neededRows(n+1) { // the list keeps more rows than it needs
				s = world.Must(list.Append(s, id, numbers, 1))
				s = world.Must(list.RemoveAt(s, id, numbers, 0))
			}
		}
		members := make([]family.Tree, 1+r.IntN(3))
		want := make([][]uint64, len(members))
		left -= 2 * len(want)
		fits := left >= 0
		for i := range members {
			members[i].Recipe, want[i] = loaded, nine(7)
			if r.IntN(4) > 0 {
				want[i] = slices.Repeat([]uint64{uint64(i)}, r.IntN(elements))
				left += 2 - neededRows(len(want[i]))
				fits = fits && left >= 0
				members[i].Values = []layout.FieldValue{numbers.Value(want[i]...)}
			}
		}
		members[0].Children = members[1:]
		before := world.Digest(s)
		s, ids, err := family.SpawnTree(nil, s, near, members[0])
		if fits {
			require.NoError(t, err)
			spawned++
		} else {
			require.ErrorIs(t, err, world.ErrFull)
			require.Equal(t, before, world.Digest(s))
			refused++
		}
		for i, id := range ids {
			got := world.Must(list.Of(s, id, numbers))
			require.True(t, slices.Equal(want[i], got), "%v, not %v", got, want[i])
		}
		if !fits {
			require.ErrorContains(t, err, "numbers: no room for another list of")
			world.Record(s).SpawnTree(near, members[0])
			s, err = world.Apply(s)
			require.ErrorIs(t, err, world.ErrFull)
		}
		require.NoError(t, tool.Verify(s))
		world.Close(s)
	}
	require.Greater(t, min(spawned, refused), 50)
}

var (
	gold     = layout.NewComponent[uint64]("gold")
	owner    = world.NewRecipe("owner", numbers, gold)
	stocking = world.NewQuery(world.Write(numbers))
)

// owners returns a world of n objects with lists of some elements, that have room for more.
func owners(tb testing.TB, n, elements, room int) (world.State, []world.GameObject) {
	tb.Helper()
	s := world.Must(world.CreateState(world.Counts{
		Recipes: []world.Recipe{owner}, Queries: []world.Query{stocking},
		Kinds: []layout.Count{numbers.Count(n, n*max(room, elements)), gold.Count(n)},
	}))
	s = world.Must(world.SpawnN(s, owner, n, nil))
	var ids []world.GameObject
	for id := range world.GameObjects(s) {
		ids = append(ids, id)
		s = world.Must(list.Set(s, id, numbers, make([]uint64, max(room, elements))...))
		s = cut(s, elements)
	}
	return s, ids
}

// cut leaves the first n elements of each list.
func cut(s world.State, n int) world.State {
	for b := range stocking.In(s) {
		lists := list.Column(b, numbers)
		for i := range lists.Len() {
			lists.Cut(i, min(n, len(lists.At(i))))
		}
	}
	return s
}

func TestListsDoNotAllocate(t *testing.T) {
	s, ids := owners(t, 100, 0, 64)
	s = world.Must(list.Append(s, ids[1], numbers, 1))
	next := uint64(0)
	few := make([]uint64, 3)
	for name, f := range map[string]func(){
		"append":      func() { s = world.Must(list.Append(s, ids[1], numbers, next)) },
		"append some": func() { s = world.Must(list.Append(s, ids[1], numbers, few...)) },
		"insert":      func() { s = world.Must(list.Insert(s, ids[1], numbers, 0, next)) },
		"set at":      func() { s = world.Must(list.SetAt(s, ids[1], numbers, 0, next)) },
		"set": func() {
			s = world.Must(list.Shrink(world.Must(list.Set(s, ids[2], numbers)), ids[2], numbers))
			s = world.Must(list.Set(s, ids[2], numbers, 1, 2, 3, 4, 5, 6, 7, 8, 9))
		},
		"remove": func() {
			s = world.Must(list.Append(s, ids[1], numbers, 1, 2))
			s = world.Must(list.RemoveAt(s, ids[1], numbers, 0))
			s = world.Must(list.SwapRemove(s, ids[1], numbers, 0))
		},
		"of": func() { few[0] += uint64(len(world.Must(list.Of(s, ids[1], numbers)))) },
		"walk": func() {
			for b := range stocking.In(s) {
				lists := list.Column(b, numbers)
				for i := range lists.Len() {
					if _, err := lists.Append(i, next); err != nil {
						panic(err)
					}
				}
			}
		},
	} {
		require.Zero(t, testing.AllocsPerRun(20, func() { next++; f() }), name)
		s = cut(s, 1)
	}
}

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

// TestRecipesFindNoRoomForLists: then nothing is spawned; and freed room is reused.
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
