package hand

import "time"

// A phase is a stage of handing over.
type phase uint8

const (
	alone    phase = iota // one program plays, or none yet
	starting              // the next program must say hello
	giving                // the playing program must offer the world
	taking                // the next program must be ready
	entering              // the next program must say that it plays
	onTrial               // it plays while the previous one waits, or it is asked whether it plays
	ending                // the playing program was asked to end, and may hang
)

// A clock measures the current phase.
type clock struct {
	phase  phase
	most   time.Duration // limit of the phase; 0: none
	since  time.Time     // start of the phase
	timer  *time.Timer
	probed bool // the program on trial was asked whether it plays
}

func newClock() clock {
	c := clock{timer: time.NewTimer(time.Hour)}
	c.timer.Stop()
	return c
}

// begin begins a phase with a time limit; 0: none.
func (c *clock) begin(p phase, most time.Duration) {
	c.phase, c.most, c.since, c.probed = p, most, time.Now(), false
	c.timer.Stop()
	if most > 0 {
		c.timer.Reset(most)
	}
}

// wasStopped reports whether a phase took long because the whole job was stopped.
func (c *clock) wasStopped() bool {
	const stopped = 500 * time.Millisecond
	return time.Since(c.since) > c.most+stopped
}
