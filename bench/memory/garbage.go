package memory

import (
	"runtime"
	"runtime/debug"
	"time"

	"github.com/flatecs/flatecs/bench/harness"
)

// later is the contender that sets the percentage by which the heap may grow, GOGC, as the commands
// of this module do.
const (
	later   = "flatecs GOGC=400"
	percent = 400
)

// garbage is what a program pays that makes garbage beside a world. The bytes of large worlds of
// this library are no part of the heap, so that it is small, and collected more often.
func garbage(who string, n int) harness.Work {
	world := who
	if who == later {
		world = "flatecs"
		debug.SetGCPercent(percent)
	}
	w := newWorld(world, n)
	w.Forget()
	const made = 1 << 20
	kept := make([]*[8]uint64, 1<<12)
	run := func() {
		for i := range made {
			kept[i%len(kept)] = &[8]uint64{uint64(i)}
		}
	}
	return harness.Work{
		Run: run, Check: counted(w), Close: w.Close, Of: made,
		Turn: func(time.Duration) harness.Turn {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := harness.ProcessTime()
			run()
			worked := harness.ProcessTime() - began
			runtime.ReadMemStats(&after)
			return harness.Turn{Figures: []harness.Measured{
				{Measure: "time", Unit: "ns/object made", Value: float64(worked) / made},
				{
					Measure: "collections", Unit: "collections/million made",
					Value: float64(after.NumGC-before.NumGC) * 1e6 / made,
				},
			}}
		},
	}
}
