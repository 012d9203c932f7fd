package memory

import (
	"runtime"
	"runtime/debug"
	"time"

	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/bench/peers"
)

// later is the contender that sets the percentage by which the heap may grow, GOGC, as the commands
// of this module do.
const (
	later   = "flatecs GOGC=400"
	percent = 400
)

// garbageCase is what a program pays that makes garbage beside a world. The bytes of large worlds
// of this library are no part of the heap, so that it is small, and collected more often.
func garbageCase() harness.Case {
	return harness.Case{
		Name: "garbage", Title: "Make an object of 64 bytes that is garbage at once, beside 2 n " +
			"components", Sizes: []int{500_000},
		Who:     []string{"flatecs", later, "Ark", "empty heap"},
		Against: []string{harness.BestPeer, "empty heap"}, Plain: peers.Plain,
		How:  []string{"of 4,096 objects at a time the newest is kept"},
		Make: garbage,
	}
}

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
		Run: run, Close: w.Close, Of: made,
		Check: func() harness.Result { return harness.Result{Count: w.Positions().Count} },
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
