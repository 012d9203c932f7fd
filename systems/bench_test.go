package systems

import (
	"fmt"
	"testing"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
)

// heroes returns a world of n objects with a position and a velocity each.
func heroes(tb testing.TB, n int) (State, []GameObject) {
	tb.Helper()
	s, err := CreateState(Counts{Kinds: layout.Kinds(
		Position.Count(n), Velocity.Count(n), MaxVelocity.Count(64),
	)})
	if err != nil {
		tb.Fatal(err)
	}
	ids := make([]GameObject, n)
	for i := range ids {
		var e1, e2, e3 error
		s, ids[i], e1 = CreateGameObject(s)
		s, _, e2 = Add(s, ids[i], Position.Kind())
		s, _, e3 = Add(s, ids[i], Velocity.Kind())
		if e1 != nil || e2 != nil || e3 != nil {
			tb.Fatal(e1, e2, e3)
		}
	}
	return closedLater(tb, s), ids
}

func BenchmarkMoveAll(b *testing.B) {
	for _, n := range []int{16, 64, 1_000, 10_000, 100_000, 1_000_000} {
		s, _ := heroes(b, n)
		p, v := layout.Flat[float32](Position, View(s, Position)), View(s, Velocity)
		b.Run(fmt.Sprintf("walk/%d", n), func(b *testing.B) {
			for range b.N {
				s = MoveAll(s)
			}
			perObject(b, n)
		})
		b.Run(fmt.Sprintf("kernel/%d", n), func(b *testing.B) {
			for range b.N {
				kernel.Move(p, v)
			}
			perObject(b, n)
		})
	}
}

func perObject(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/object")
}

// BenchmarkLife creates an object, mounts two kinds and disposes it, in a world 90 % full.
func BenchmarkLife(b *testing.B) {
	const n = 100_000
	s, ids := heroes(b, n)
	for _, id := range ids[n/2 : n/2+n/10] {
		s, _ = DisposeGameObject(s, id)
	}
	for b.Loop() {
		s = life(s)
	}
}

func life(s State) State {
	s, id, _ := CreateGameObject(s)
	s, _, _ = Add(s, id, Position.Kind())
	s, _, _ = Add(s, id, Velocity.Kind())
	s, _ = DisposeGameObject(s, id)
	return s
}

// BenchmarkRead reads a position by id, in order.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{16_000, 100_000, 1_000_000} {
		s, ids := heroes(b, n)
		b.Run(fmt.Sprintf("reader/%d", n), func(b *testing.B) {
			r, sum := Open(s, Position), float32(0)
			for left := b.N; left > 0; left -= n {
				for _, id := range ids[:min(left, n)] {
					v, _ := r.At(id)
					sum += v[0]
				}
			}
			keep = sum
		})
		b.Run(fmt.Sprintf("writer/%d", n), func(b *testing.B) {
			var w Writer[[3]float32]
			s, w = OpenWrite(s, Position)
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
