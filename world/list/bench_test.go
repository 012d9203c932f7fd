package list_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

var (
	gold     = layout.NewComponent[uint64]("gold")
	owner    = world.NewRecipe("owner", numbers, gold)
	stocking = world.NewQuery(world.Write(numbers))
	stocked  = world.NewQuery(world.Read(numbers))
)

// owners returns a world of n objects with lists of some elements, that have room for more.
func owners(tb testing.TB, n, elements, room int) (world.State, []world.GameObject) {
	tb.Helper()
	s, err := world.CreateState(world.Counts{
		Recipes: []world.Recipe{owner}, Queries: []world.Query{stocking, stocked},
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

// BenchmarkMemory is 10⁶ lists of 0 to 40 elements of 8 bytes: the bytes of the elements' rows in
// use over those of the elements.
func BenchmarkMemory(b *testing.B) {
	const n = 1_000_000
	for range b.N {
		s, err := world.CreateState(world.Counts{
			GameObjects: n, Recipes: []world.Recipe{world.NewRecipe("owner", numbers)},
			Kinds: []layout.Count{numbers.Count(n, 20*n)},
		})
		require.NoError(b, err)
		b.StopTimer()
		s = grown(b, s, n)
		payload := 0
		for batch := range stocked.In(s) {
			lists := list.Column(batch, numbers)
			for i := range lists.Len() {
				payload += 8 * len(lists.At(i))
			}
		}
		elements, book := 0, 0
		for _, p := range tool.Parts(s) {
			switch {
			case p.Kind == nil:
			case p.Kind.Of != nil:
				elements += len(tool.Used(s, &p))
			default:
				book += len(tool.Used(s, &p))
			}
		}
		b.ReportMetric(float64(elements)/float64(payload), "×payload")
		b.ReportMetric(float64(book)/n, "B/list")
		world.Close(s)
	}
}

func grown(tb testing.TB, s world.State, n int) world.State {
	tb.Helper()
	var err error
	s, err = world.SpawnN(s, world.CountsOf(s).Recipes[0], n, nil)
	require.NoError(tb, err)
	for b := range stocking.In(s) {
		lists := list.Column(b, numbers)
		for i := range lists.Len() {
			for k := range uint64(b.ID(i).Index()*7) % 41 {
				_, err := lists.Append(i, k)
				require.NoError(tb, err)
			}
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
