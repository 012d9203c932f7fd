package pool_test

import (
	"testing"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pool"
)

// Benchmarks of worlds of 100 objects and three kinds: of each, the least time of many.

func BenchmarkWorlds(b *testing.B) {
	first := match(b)
	counts := world.CountsOf(first)
	p, err := pool.New(first, 1000)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	one := world.Must(p.Take())
	snapshot := world.Must(world.NewSnapshot(first))
	defer snapshot.Close()
	rooms := make([]world.State, 0, 999)
	var s world.State
	for _, what := range []struct {
		name   string
		worlds int // at a time
		begin  func()
		do     func()
	}{
		{"CreateState", 1, nil, func() { s = world.Must(world.CreateState(counts)) }},
		{"Clone", 1, nil, func() { s = world.Must(world.Clone(first)) }},
		{"Snapshot.Take", 1, nil, func() { err = snapshot.Take(one) }},
		{"Restore", 1, nil, func() { one, err = world.Restore(one, snapshot) }},
		{"Copy", 1, nil, func() { one, err = pool.Copy(one, first) }},
		{"step", 1, nil, func() { one, err = move(0, one) }},
		{"Take and Put", 999, nil, func() {
			for range 999 {
				s, err = p.Take()
				p.Put(s)
			}
		}},
		{"Fork", 999, nil, func() { rooms, err = p.Fork(rooms[:0], one, 999) }},
		{"Step", 999, func() { rooms, err = p.Fork(rooms[:0], one, 999) }, func() {
			err = p.Step(rooms, 0, move)
		}},
	} {
		b.Run(what.name, func(b *testing.B) {
			least := time.Hour
			for b.Loop() {
				s = world.State{}
				if what.begin != nil {
					what.begin()
				}
				began := time.Now()
				what.do()
				least = min(least, time.Since(began))
				if err != nil {
					b.Fatal(err)
				}
				for _, s := range rooms {
					p.Put(s)
				}
				rooms = rooms[:0]
				if what.worlds == 1 && s != (world.State{}) {
					world.Close(s)
				}
			}
			b.ReportMetric(float64(least.Nanoseconds())/float64(what.worlds), "ns/least")
		})
	}
}

// BenchmarkRooms steps 1,000 rooms of 100 objects, which move, come and go, twenty times a second:
// ticks that begin late, because the one before took longer than its 50 ms, and the longest one.
func BenchmarkRooms(b *testing.B) {
	const every = 50 * time.Millisecond
	first := match(b)
	p := world.Must(pool.New(first, 1000))
	defer p.Close()
	rooms := world.Must(p.Fork(nil, first, 1000))
	clock := time.NewTicker(every)
	defer clock.Stop()
	var all, longest time.Duration
	late := 0
	for tick := range b.N {
		<-clock.C
		began := time.Now()
		err := p.Step(rooms, 0, func(i int, s world.State) (world.State, error) {
			return play(s, i+tick)
		})
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(began)
		all, longest = all+took, max(longest, took)
		if took > every {
			late++
		}
	}
	b.ReportMetric(float64(late), "late")
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms/longest")
	b.ReportMetric(float64(all.Microseconds())/1000/float64(b.N), "ms/tick")
}
