package howto_test

import (
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// smallRoom is a room of a server. Its world has room for no more objects than it needs.
func smallRoom() (world.State, error) {
	room, err := world.CreateState(world.Counts{
		GameObjects: 128, // at most 128 rows of each kind, too
		Recipes:     []world.Recipe{Runner},
	})
	return room, err
}

func largeRoom() (world.State, error) {
	return world.CreateState(world.Counts{Recipes: []world.Recipe{Runner}})
}

// BenchmarkRooms makes rooms and fills them with 100 objects. Some are open at a time; the time
// to close them is not counted, nor that of rooms which may get the memory of closed ones, where
// they are not to. It reports the least time of one.
func BenchmarkRooms(b *testing.B) {
	for _, way := range []struct {
		name string
		room func() (world.State, error)
		open int // at a time
		skip int // of them
	}{
		{"GameObjects", smallRoom, 64, 0},
		{"none", largeRoom, 64, 16},
		{"none, closed before", largeRoom, 8, 0},
	} {
		b.Run(way.name, func(b *testing.B) {
			var open []world.State
			least, size, used := time.Hour, 0, 0
			b.ReportAllocs()
			for b.Loop() {
				began := time.Now()
				s, err := way.room()
				if err == nil {
					s, err = world.SpawnN(s, Runner, 100, nil)
				}
				if took := time.Since(began); len(open) >= way.skip {
					least = min(least, took)
				}
				if err != nil {
					b.Fatal(err)
				}
				size, used = len(world.Bytes(s)), world.Used(s)
				if open = append(open, s); len(open) == way.open {
					closeAll(open)
					open = open[:0]
				}
			}
			closeAll(open)
			b.ReportMetric(float64(least.Nanoseconds())/1e3, "µs/least")
			b.ReportMetric(float64(size), "B/addresses")
			b.ReportMetric(float64(used), "B/used")
		})
	}
}

func closeAll(rooms []world.State) {
	for _, s := range rooms {
		world.Close(s)
	}
}

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
