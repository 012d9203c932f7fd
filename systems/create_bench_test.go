package systems_test

import (
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

var (
	tinyPlace = layout.NewKind("tiny place", layout.NewField[[2]float64]("xy"))
	tinySpeed = layout.NewKind("tiny speed", layout.NewField[[2]float64]("xy"))
)

// BenchmarkCreateState is the creation of worlds of a few sizes; the smallest is the new_world of
// bench.
func BenchmarkCreateState(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"64", 64}, {"1000", 1_000}, {"64000", 64_000}, {"1000000", 1_000_000}} {
		b.Run(c.name, func(b *testing.B) {
			counts := systems.Counts{
				GameObjects: c.n, Kinds: layout.Kinds(
					tinyPlace.Count(c.n), tinySpeed.Count(c.n), systems.Instance.Count(1),
				),
			}
			b.ReportAllocs()
			for b.Loop() {
				s, err := systems.CreateState(counts)
				if err != nil {
					b.Fatal(err)
				}
				systems.Close(s)
			}
		})
	}
}

// BenchmarkCloneSmall is a copy of a small world.
func BenchmarkCloneSmall(b *testing.B) {
	s, err := systems.CreateState(systems.Counts{
		GameObjects: 16, Kinds: layout.Kinds(
			tinyPlace.Count(16), tinySpeed.Count(16), systems.Instance.Count(1),
		),
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		c, err := systems.Clone(s)
		if err != nil {
			b.Fatal(err)
		}
		systems.Close(c)
	}
}
