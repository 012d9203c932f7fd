package hand

import "time"

// A phase is how far handing over has come.
type phase uint8

const (
	alone    phase = iota // one program plays, or none yet
	starting              // the next one is to say hello
	giving                // the one that plays is to offer the world
	taking                // the next one is to be ready
	entering              // the next one is to say that it plays
	onTrial               // it plays, and the one before waits, or it is asked whether it does
	ending                // the one that plays was asked to end, and may hang
)

// A clock says which phase it is, and for how long.
type clock struct {
	phase  phase
	most   time.Duration // that the phase may take; 0: for ever
	since  time.Time     // when it began
	timer  *time.Timer
	probed bool // the program on trial was asked whether it plays
}

func newClock() clock {
	c := clock{timer: time.NewTimer(time.Hour)}
	c.timer.Stop()
	return c
}

// begin begins a phase, which may take so long; 0: for ever.
func (c *clock) begin(p phase, most time.Duration) {
	c.phase, c.most, c.since, c.probed = p, most, time.Now(), false
	c.timer.Stop()
	if most > 0 {
		c.timer.Reset(most)
	}
}

// wasStopped reports whether a phase took so long because the whole job was stopped.
func (c *clock) wasStopped() bool {
	const stopped = 500 * time.Millisecond
	return time.Since(c.since) > c.most+stopped
}
