package inspect_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/stage"
)

var (
	drift   = layout.NewField[[3]float32]("drift")
	Drift   = layout.NewKind("drift", drift)
	adrift  = systems.NewQuery(systems.Write(heroes.Position), systems.Read(drift))
	onLooks = "overview,times,kinds,watchers"
)

// crowded returns a world of n objects that drift, and of 300 kinds that some of them have.
func crowded(b *testing.B, n int) world.State {
	b.Helper()
	c := world.Counts{GameObjects: n, Kinds: layout.Kinds(Drift.Count(n), heroes.Position.Count(n))}
	for range 300 {
		k := layout.NewKind("kind "+string(rune('!'+len(c.Kinds))), layout.NewField[[3]float32]("value"))
		c.Kinds = append(c.Kinds, k.Count(1000))
	}
	s := world.Must(world.CreateState(c))
	for i := range n {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, heroes.Position, Drift))
		if i%100 == 0 {
			s = world.Must(world.Add(s, id, c.Kinds[2+i/100%300].Kind))
		}
		var v *[3]float32
		s, v = world.Must2(world.Edit(s, id, drift))
		v[i%3] = 0.001
	}
	return s
}

// BenchmarkPublish plays frames of a world of 100,000 objects and 301 kinds without the inspector
// and with it, in turn, each for a second: while no page is open, and while one is. It reports how
// much slower frames are with it, in percent of the thread's CPU time, which other programs disturb
// least: the median over neighbouring turns.
func BenchmarkPublish(b *testing.B) {
	for _, c := range []struct {
		name  string
		looks bool
	}{{"nobody looks", false}, {"somebody looks", true}} {
		b.Run(c.name, func(b *testing.B) {
			s := crowded(b, 100_000)
			i := world.Must(inspect.New(s, inspect.Options{Clock: stage.Clock(time.Now)}))
			if c.looks {
				server := httptest.NewServer(i.Handler())
				defer server.Close()
				ctx, cancel := context.WithCancel(b.Context())
				defer cancel()
				go stare(ctx, server.URL+"/debug/ecs/api/events?topics="+onLooks, 0)
				go stare(ctx, server.URL+
					"/debug/ecs/api/column?kind=position&field=xyz&rows=mounted", 100*time.Millisecond)
			}
			var slower []float64
			for b.Loop() {
				var without, with float64
				without, s = play(s, nil)
				with, s = play(s, i)
				again, after := play(s, nil)
				s = after
				slower = append(slower, 100*(with/((without+again)/2)-1))
			}
			slices.Sort(slower)
			b.ReportMetric(slower[len(slower)/2], "%slower")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// play plays frames for a second, and returns the CPU time per frame in seconds.
func play(s world.State, i *inspect.Inspector) (float64, world.State) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin, worked := time.Now(), threadTime()
	frames := 0
	for ; time.Since(begin) < time.Second; frames++ {
		for range 10 { // a frame of about a millisecond
			for b := range adrift.In(s) {
				p, d := systems.Column(b, heroes.Position), systems.Column(b, drift)
				for n := range p {
					p[n][0] += d[n][0]
					p[n][1] += d[n][1]
					p[n][2] += d[n][2]
				}
			}
		}
		if i != nil && i.Publish(s) != nil {
			panic("publish")
		}
	}
	return (threadTime() - worked).Seconds() / float64(frames), s
}

// threadTime returns the processor's time that this thread has had.
func threadTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD, Linux's include/uapi/linux/resource.h
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// stare asks again and again.
func stare(ctx context.Context, url string, every time.Duration) {
	for ctx.Err() == nil {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return
		}
		if answer, err := http.DefaultClient.Do(r); err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
		}
		time.Sleep(every)
	}
}
