package index_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/index"
)

var (
	mark   = layout.NewComponent[uint32]("index bench")
	heft   = layout.NewComponent[float32]("index heft")
	bench  = world.NewRecipe("index bench", mark, heft)
	byMark = index.New(mark)
)

// benched returns a world of n objects whose values are as many numbers, in random order, or teams.
func benched(b *testing.B, n int, teams uint32) (world.State, []world.GameObject, *rand.Rand) {
	b.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n, Kinds: layout.Kinds(mark, heft), Recipes: []world.Recipe{bench},
	}))
	var ids []world.GameObject
	r := rand.New(rand.NewPCG(1, 1))
	order := r.Perm(n)
	s = world.Must(world.SpawnN(s, bench, n, func(b world.Batch) {
		for i := range world.Column(b, mark) {
			v := uint32(order[i])
			if teams != 0 {
				v %= teams
			}
			world.Column(b, mark)[i] = v
		}
		ids = b.AppendIDs(ids)
		order = order[b.Len():]
	}))
	return s, ids, r
}

func sizes(b *testing.B, f func(b *testing.B, n int)) {
	b.Helper()
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { f(b, n) })
	}
}

// least reports the least time per operation of a chunk of them, beside the mean that testing
// reports: others may use the machine.
func least(b *testing.B, f func(i int)) {
	b.Helper()
	const chunk = 1 << 12
	fastest := time.Duration(math.MaxInt64)
	for n := 0; n < b.N; n += chunk {
		begin := time.Now()
		for i := range chunk {
			f(i + n)
		}
		fastest = min(fastest, time.Since(begin))
	}
	b.ReportMetric(float64(fastest)/chunk, "least-ns/op")
}

// BenchmarkSetAndFind is one Set of a random object to a value, and one question.
func BenchmarkSetAndFind(b *testing.B) {
	for _, teams := range []uint32{0, 8} {
		sizes(b, func(b *testing.B, n int) {
			s, ids, r := benched(b, n, teams)
			byMark.Count(s, 0)
			values, which := make([]uint32, 1<<16), make([]world.GameObject, 1<<16)
			for i := range values {
				if values[i] = uint32(r.IntN(n)); teams != 0 {
					values[i] %= teams
				}
				which[i] = ids[r.IntN(n)]
			}
			found := 0
			b.Run(fmt.Sprint("teams=", teams), func(b *testing.B) {
				least(b, func(i int) {
					v := values[(i+i>>16)&0xffff]
					s, _ = world.Set(s, which[i&0xffff], mark, v)
					if _, ok := byMark.One(s, v); ok {
						found++
					}
				})
			})
			b.Run("set alone", func(b *testing.B) {
				least(b, func(i int) {
					s, _ = world.Set(s, which[i&0xffff], mark, values[(i+i>>16)&0xffff])
				})
			})
			world.Close(s)
		})
	}
}

// BenchmarkSorted walks in order after 1 % of the objects were moved, a little or anywhere. Beside it
// are the plain walk, and a loop by hand over slices in the same order.
func BenchmarkSorted(b *testing.B) {
	const n = 100_000
	plain := world.NewQuery(world.Read(heft, mark))
	sum := func(sum float32, c world.Batch) float32 {
		h, m := world.Column(c, heft), world.Column(c, mark)
		for i := range h {
			sum += h[i] * float32(m[i])
		}
		return sum
	}
	s, ids, r := benched(b, n, 0)
	total := float32(0)
	b.Run("plain", func(b *testing.B) {
		leastOf(b, func() {}, func() {
			for c := range plain.In(s) {
				total = sum(total, c)
			}
		})
	})
	b.Run("by hand", func(b *testing.B) {
		hefts, marks, rows := make([]float32, n), make([]uint32, n), make([]uint32, 0, n)
		for id := range byMark.Between(s, 0, n) {
			i := id.Index()
			rows, marks[i] = append(rows, i), world.Must(world.Get(s, id, mark))
		}
		leastOf(b, func() {}, func() {
			sum := float32(0)
			for _, i := range rows {
				sum += hefts[i] * float32(marks[i])
			}
			total += sum
		})
	})
	b.Run("by id", func(b *testing.B) {
		h, m := world.ReaderOf(s, heft), world.ReaderOf(s, mark)
		order := slices.Collect(byMark.Between(s, 0, n))
		leastOf(b, func() {}, func() {
			for _, id := range order {
				x, _ := h.Get(id)
				y, _ := m.Get(id)
				total += x * float32(y)
			}
		})
	})
	sorted := func() {
		for c := range byMark.Sorted(s, plain) {
			total = sum(total, c)
		}
	}
	b.Run("still", func(b *testing.B) { leastOf(b, func() {}, sorted) })
	for _, far := range []int{100, n} {
		move := func() {
			w := world.WriterOf(s, mark)
			for range n / 100 {
				p := w.Must(ids[r.IntN(n)])
				*p = uint32(max(0, min(n-1, int(*p)+r.IntN(2*far)-far)))
			}
		}
		name := fmt.Sprint("moved by ", far)
		b.Run(name, func(b *testing.B) { leastOf(b, move, sorted) })
		b.Run(name+" without the walk", func(b *testing.B) {
			leastOf(b, move, func() { byMark.CountBetween(s, 0, 0) })
		})
	}
	_ = total
}

// leastOf reports the least time of f, each time after before.
func leastOf(b *testing.B, before, f func()) {
	b.Helper()
	fastest := time.Duration(math.MaxInt64)
	for range b.N {
		before()
		begin := time.Now()
		f()
		fastest = min(fastest, time.Since(begin))
	}
	b.ReportMetric(float64(fastest), "least-ns/op")
}
