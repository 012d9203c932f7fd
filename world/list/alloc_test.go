package list_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

var (
	gold     = layout.NewComponent[uint64]("gold")
	owner    = world.NewRecipe("owner", numbers, gold)
	stocking = world.NewQuery(world.Write(numbers))
)

// owners returns a world of n objects with lists of some elements, that have room for more.
func owners(tb testing.TB, n, elements, room int) (world.State, []world.GameObject) {
	tb.Helper()
	s, err := world.CreateState(world.Counts{
		Recipes: []world.Recipe{owner}, Queries: []world.Query{stocking},
		Kinds: []layout.Count{numbers.Count(n, n*max(room, elements)), gold.Count(n)},
	})
	require.NoError(tb, err)
	s, err = world.SpawnN(s, owner, n, nil)
	require.NoError(tb, err)
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
