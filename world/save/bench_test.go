package save_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/save"
)

// crowd returns a world of n objects with a position and a velocity.
func crowd(tb testing.TB, n int) (world.State, world.Counts) {
	tb.Helper()
	c := world.Counts{Kinds: layout.Kinds(
		heroes.Position.Count(n), heroes.Velocity.Count(n),
	), Recipes: []world.Recipe{mover}}
	s := world.Must(world.CreateState(c))
	s = world.Must(world.SpawnN(s, mover, n, nil))
	return heroes.MoveAll(world.Advance(s)), c
}

var mover = world.NewRecipe("mover", heroes.Position, heroes.Velocity)

const million = 1_000_000

// A slot is a writer over bytes that are there already.
type slot struct{ b []byte }

func (s *slot) Write(b []byte) (int, error) {
	copy(s.b, b)
	s.b = s.b[len(b):]
	return len(b), nil
}

// BenchmarkFile writes a file of a million objects, reads it from the page cache with every check,
// into a new world and into the memory of a spare one, and only opens it.
func BenchmarkFile(b *testing.B) {
	s, c := crowd(b, million)
	var file bytes.Buffer
	require.NoError(b, save.Write(&file, s, save.Options{}))
	spare := world.Must(world.Clone(s))
	path := filepath.Join(b.TempDir(), "a.flat")
	require.NoError(b, save.Save(path, s, save.Options{}))
	for name, f := range map[string]func(){
		"write": func() { check(save.Write(&slot{file.Bytes()}, s, save.Options{})) },
		"save":  func() { check(save.Save(path, s, save.Options{})) },
		"load": func() {
			s, _ := world.Must2(save.Load(path, c, save.Options{}))
			world.Close(s)
		},
		"reload": func() { spare, _ = world.Must2(save.Reload(path, spare, save.Options{})) },
		"open":   func() { check(world.Must(save.Open(path)).Close()) },
	} {
		b.Run(name, func(b *testing.B) { measure(b, int64(file.Len()), f) })
	}
}

// BenchmarkFrame plays frames of one system over a million objects, each at its sixtieth of a
// second, and offers every sixtieth to a saver. What it reports is the time of Offer, which is what
// saving adds to a frame, and the worst frames with a save under way and without.
func BenchmarkFrame(b *testing.B) {
	s, _ := crowd(b, million)
	v := world.Must(save.NewSaver(filepath.Join(b.TempDir(), "a.flat"), s, save.Options{}))
	var offers, with, without []time.Duration
	frame := 0
	for b.Loop() {
		begin := time.Now()
		s = heroes.MoveAll(world.Advance(s))
		saving := frame%60 < 30
		if frame%60 == 0 {
			t := time.Now()
			require.NoError(b, v.Offer(s))
			offers = append(offers, time.Since(t))
		}
		if spent := time.Since(begin); saving {
			with = append(with, spent)
		} else {
			without = append(without, spent)
		}
		if frame++; frame%60 == 30 {
			require.NoError(b, v.Wait())
		}
		time.Sleep(time.Second/60 - time.Since(begin))
	}
	require.NoError(b, v.Close())
	for name, times := range map[string][]time.Duration{
		"offer": offers, "frame-saving": with, "frame": without,
	} {
		if len(times) > 0 {
			slices.Sort(times)
			b.ReportMetric(ms(times[0]), name+"-best-ms")
			b.ReportMetric(ms(times[len(times)/2]), name+"-median-ms")
			b.ReportMetric(ms(times[len(times)-1]), name+"-worst-ms")
		}
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// measure runs f as a benchmark of size bytes, and reports the processor's time for it beside that
// of the clock.
func measure(b *testing.B, size int64, f func()) {
	b.Helper()
	b.SetBytes(size)
	best := time.Duration(1 << 62)
	begin := cpuTime()
	for b.Loop() {
		t := time.Now()
		f()
		best = min(best, time.Since(t))
	}
	spent := cpuTime() - begin
	b.ReportMetric(float64(size)*float64(b.N)/1e6/spent.Seconds(), "MB/cpu-s")
	b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
}
