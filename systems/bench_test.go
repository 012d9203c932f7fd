package systems

import (
	"fmt"
	"testing"

	"github.com/flatecs/flatecs/layout"
)

// heroes returns a world of n objects with a position and a velocity each, and watchers that have
// looked.
func heroes(tb testing.TB, n int, watchers ...Watcher) (State, []GameObject) {
	tb.Helper()
	s := sure(CreateState(Counts{Kinds: layout.Kinds(
		Position.Count(n), Velocity.Count(n), MaxVelocity.Count(64),
	), Watchers: watchers}))
	ids := make([]GameObject, n)
	for i := range ids {
		s, ids[i] = made(CreateWith(s, Position, Velocity))
	}
	for _, w := range watchers {
		s = w.Look(s)
	}
	return closedLater(tb, s), ids
}

func perObject(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/object")
}

// BenchmarkLife creates an object, mounts two kinds and disposes it, in a world 90 % full.
func BenchmarkLife(b *testing.B) {
	const n = 100_000
	s, ids := heroes(b, n)
	for _, id := range ids[n/2 : n/2+n/10] {
		s, _ = Dispose(s, id)
	}
	for b.Loop() {
		s = life(s)
	}
}

func life(s State) State {
	s, id, _ := Create(s)
	s, _ = Add(s, id, Position.Kind())
	s, _ = Add(s, id, Velocity.Kind())
	s, _ = Dispose(s, id)
	return s
}

// BenchmarkRead reads a position by id, in order.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{16_000, 100_000, 1_000_000} {
		s, ids := heroes(b, n)
		b.Run(fmt.Sprintf("reader/%d", n), func(b *testing.B) {
			r, sum := ReaderOf(s, Position), float32(0)
			for left := b.N; left > 0; left -= n {
				for _, id := range ids[:min(left, n)] {
					v, _ := r.Get(id)
					sum += v[0]
				}
			}
			keep = sum
		})
		b.Run(fmt.Sprintf("writer/%d", n), func(b *testing.B) {
			w := WriterOf(s, Position)
			for left := b.N; left > 0; left -= n {
				for _, id := range ids[:min(left, n)] {
					w.At(id)[0]++
				}
			}
		})
		b.Run(fmt.Sprintf("get/%d", n), func(b *testing.B) {
			sum := float32(0)
			for left := b.N; left > 0; left -= n {
				for _, id := range ids[:min(left, n)] {
					v, _ := Get(s, id, Position)
					sum += v[0]
				}
			}
			keep = sum
		})
	}
}

var keep float32

var mover = NewRecipe("mover", Position, Velocity)

// BenchmarkTake takes a snapshot of a world in which a part of the objects moved since the last.
func BenchmarkTake(b *testing.B) {
	const n = 100_000
	for _, every := range []int{0, 100, 10, 1} {
		s, err := CreateState(Counts{Kinds: layout.Kinds(
			Position.Count(n), Velocity.Count(n),
		), Recipes: []Recipe{mover}})
		if err != nil {
			b.Fatal(err)
		}
		if s, err = SpawnN(s, mover, n, nil); err != nil {
			b.Fatal(err)
		}
		moving := make([]GameObject, 0, n)
		for id := range GameObjects(s) {
			if every > 0 && int(id.Index())/64%every == 0 {
				moving = append(moving, id)
			}
		}
		p := sure(NewSnapshot(s))
		b.Run(fmt.Sprintf("%d of %d moved", len(moving), n), func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				s = Advance(s)
				for _, id := range moving {
					var p *[3]float32
					s, p, _ = Edit(s, id, Position)
					p[0]++
				}
				s = Advance(s)
				b.StartTimer()
				if err := p.Take(s); err != nil {
					b.Fatal(err)
				}
			}
		})
		Close(s)
	}
}
