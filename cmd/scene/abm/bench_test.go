package abm

import (
	"io"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

// least times two functions in turn, and reports the least time of the second over the first's.
func least(b *testing.B, first, second func()) {
	b.Helper()
	all := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for b.Loop() {
		for i, f := range []func(){first, second} {
			begun := time.Now()
			f()
			all[i] = min(all[i], time.Since(begun))
		}
	}
	b.ReportMetric(float64(all[0].Microseconds())/1000, "ms-first")
	b.ReportMetric(float64(all[1].Microseconds())/1000, "ms-second")
	b.ReportMetric(float64(all[1])/float64(all[0]), "ratio")
}

// BenchmarkReports is ten steps of the large WolfSheep, and the same with a row of reporters.
func BenchmarkReports(b *testing.B) {
	s := begin(b, WolfSheepLarge, 1)
	for range 100 {
		s = StepWolfSheep(s)
	}
	p := world.Must(world.NewSnapshot(s))
	require.NoError(b, p.Take(s))
	r := world.Must(lab.NewRecorder(lab.NewCSV(io.Discard), 1,
		lab.Count("sheep", world.With(sheep)), lab.OfFunc(sheep, energyOf).Mean("energy"),
		lab.OfFunc(sheep, energyOf).Histogram("energies", 0, 40, 10)))
	ten := func() {
		s = world.Must(world.Restore(s, p))
		for range 10 {
			s = StepWolfSheep(s)
		}
	}
	least(b, ten, func() { require.NoError(b, r.Observe(s)) })
	p.Close()
	world.Close(s)
}

// BenchmarkForks is 1,000 copies of a world of 10,000 agents, and 1,000 forks of it.
func BenchmarkForks(b *testing.B) {
	s := begin(b, Schelling{.8, 112, 8, 2, 2}, 1)
	p := world.Must(world.NewSnapshot(s))
	require.NoError(b, p.Take(s))
	from := world.Bytes(s)
	to := make([]byte, len(from))
	least(b, func() {
		for range 1000 {
			copy(to, from)
		}
	}, func() {
		require.NoError(b, lab.Fork(p, 1000, func(s world.State, _ int) (world.State, error) {
			return s, nil
		}))
	})
	b.ReportMetric(float64(len(from))/1e6, "MB")
	p.Close()
	world.Close(s)
}
