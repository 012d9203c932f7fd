package systems

import (
	"fmt"
	"testing"

	"github.com/flatecs/flatecs/layout"
)

// manyKinds returns a world of n objects in which 300 kinds are counted, and 16 of them are used:
// each object has 8, from one of two sets.
func manyKinds(tb testing.TB, n int) (State, []Kind, []GameObject) {
	tb.Helper()
	kinds, counts := make([]Kind, 300), make([]layout.Count, 300)
	for i := range kinds {
		kinds[i] = layout.NewKind(fmt.Sprint("many", i), layout.NewField[float32]("v"))
		rows := 64
		if i < 16 {
			rows = n
		}
		counts[i] = kinds[i].Count(rows)
	}
	recipes := []Recipe{NewRecipe("first", kindList(kinds[:8])...), NewRecipe("second", kindList(kinds[8:16])...)}
	s, err := CreateState(Counts{GameObjects: n, Kinds: counts, Recipes: recipes})
	ids := make([]GameObject, n*3/4)
	for i := range ids {
		if err == nil {
			s, ids[i], err = Spawn(s, recipes[i/100%2])
		}
	}
	if err != nil {
		tb.Fatal(err)
	}
	return closedLater(tb, s), kinds, ids
}

// BenchmarkManyKinds: disposing an object with 8 kinds, and finding the objects that have only given
// kinds, in a world of 300.
func BenchmarkManyKinds(b *testing.B) {
	const n = 1_000_000
	s, kinds, _ := manyKinds(b, n)
	only := NewQuery(Only(kindList(kinds[:8])...))
	b.Run("only", func(b *testing.B) {
		for b.Loop() {
			sinkInt = only.Count(s)
		}
	})
	b.Run("dispose", func(b *testing.B) {
		var s State
		var ids []GameObject
		for range b.N {
			if len(ids) == 0 {
				b.StopTimer()
				s, _, ids = manyKinds(b, n)
				b.StartTimer()
			}
			s, _ = DisposeGameObject(s, ids[0])
			ids = ids[1:]
		}
	})
}

var sinkInt int
