package howto_test

import (
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// BenchmarkSpawnWays spawns and disposes 10,000 objects of two kinds. The time to dispose them is
// not counted.
func BenchmarkSpawnWays(b *testing.B) {
	const n = 10_000
	for _, way := range []struct {
		name  string
		spawn func(s world.State) (world.State, error)
	}{
		{"SpawnN", func(s world.State) (world.State, error) { return world.SpawnN(s, Runner, n, nil) }},
		{"Spawn", func(s world.State) (_ world.State, err error) {
			for range n {
				if s, _, err = world.Spawn(s, Runner); err != nil {
					break
				}
			}
			return s, err
		}},
		{"Commands", func(s world.State) (world.State, error) {
			c := world.Record(s)
			for range n {
				c.Spawn(Runner)
			}
			return world.Apply(s)
		}},
		{"CreateWith", func(s world.State) (_ world.State, err error) {
			for range n {
				if s, _, err = world.CreateWith(s, Place, Speed); err != nil {
					break
				}
			}
			return s, err
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			s := world.Must(world.CreateState(world.Counts{
				GameObjects: 2 * n, Kinds: layout.Kinds(Place.Count(2*n), Speed.Count(2*n)),
				Recipes: []world.Recipe{Runner}, Commands: n,
			}))
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if s, err = way.spawn(s); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				s = world.Must(moving.DisposeAll(s))
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/object")
			world.Close(s)
		})
	}
}
