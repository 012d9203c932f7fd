package systems

import (
	"fmt"
	"testing"

	"github.com/flatecs/flatecs/layout"
)

var (
	turnoverKinds = newTurnoverKinds(10)
	turnoverTwo   = NewRecipe("two", kindList(turnoverKinds[:2])...)
	turnoverTen   = NewRecipe("ten", kindList(turnoverKinds)...)
	turnoverAll   = NewQuery()
)

func newTurnoverKinds(n int) (kinds []Kind) {
	for i := range n {
		xy := layout.NewField[[2]float64]("xy")
		kinds = append(kinds, layout.NewKind(fmt.Sprint("turnover", i), xy))
	}
	return kinds
}

// BenchmarkTurnover creates n objects and disposes them, one by one and all at once.
func BenchmarkTurnover(b *testing.B) {
	for _, n := range []int{1000, 16_000, 256_000} {
		for _, r := range []struct {
			kinds  int
			recipe Recipe
		}{{2, turnoverTwo}, {10, turnoverTen}} {
			var counts []layout.Count
			for _, k := range turnoverKinds[:r.kinds] {
				counts = append(counts, k.Count(2*n))
			}
			s, err := CreateState(Counts{Kinds: counts, Recipes: []Recipe{r.recipe}, GameObjects: 2 * n})
			if err != nil {
				b.Fatal(err)
			}
			ids := make([]GameObject, n)
			create := func() {
				for i := range ids {
					s, ids[i], _ = Spawn(s, r.recipe)
				}
			}
			dispose := func() {
				for _, id := range ids {
					s, _ = DisposeGameObject(s, id)
				}
			}
			createAll := func() { s, _ = SpawnN(s, r.recipe, n, nil) }
			disposeAll := func() { s, _ = turnoverAll.DisposeAll(s) }
			for _, w := range []struct {
				name         string
				timed, other func()
				first        bool
			}{
				{"create", create, disposeAll, false},
				{"create at once", createAll, disposeAll, false},
				{"dispose", dispose, create, true},
				{"dispose at once", disposeAll, createAll, true},
			} {
				b.Run(fmt.Sprintf("%d/%d kinds/%s", n, r.kinds, w.name), func(b *testing.B) {
					for range b.N {
						b.StopTimer()
						if w.first {
							w.other()
							b.StartTimer()
							w.timed()
							continue
						}
						b.StartTimer()
						w.timed()
						b.StopTimer()
						w.other()
						b.StartTimer()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/object")
				})
			}
			Close(s)
		}
	}
}
