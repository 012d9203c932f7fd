package stage

import (
	"cmp"
	"math"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A Timed runs a world by a clock. Each frame runs one fixed step per Step of time that has passed,
// and then one update, which gets the fraction of the next step that has passed:
//
//	clock   0 ms     45 ms                    65 ms            80 ms
//	frames  Update   Fixed, Fixed, Update     Fixed, Update    Fixed, Update   of Step 20 ms
//	alpha   0        0.25                     0.25             0
//
// It reads no clock: Frame gets the time as an argument. The duration of a frame is the time since
// the frame before, and never negative; the first frame after Start has no duration. Time beyond
// MaxSteps fixed steps is dropped. So clocks that jump back, stall or jump ahead do no harm. Only
// the number of steps depends on the clock: each step gets its fixed length.
//
// Set the fields, then call [Timed.Start]. A Timed belongs to the goroutine of the State; Start,
// Pause, Stop and StepOnce may also be called from functions of the loop. A frame does not
// allocate.
type Timed struct {
	Step       time.Duration // length of a fixed step; 0 for a loop without fixed steps
	MaxSteps   int           // most fixed steps per frame; 0 means 8
	DrawPaused bool          // a paused loop still calls Update, with a dt of 0

	// Fixed runs one fixed step; dt is Step in seconds. It may be nil.
	Fixed func(s world.State, dt float32) world.State

	// Update runs once a frame, after the fixed steps. dt is the frame's duration in seconds,
	// without dropped time; alpha, 0…1, is the time not yet stepped, as a fraction of Step: draw
	// that far between the last two steps. Without a Step alpha is 0. It may be nil.
	Update func(s world.State, dt, alpha float32) world.State

	mode    mode
	fresh   bool          // the next frame is the first since Start, and has no duration
	ended   bool          // the loop was stopped in this frame, even if it was started again
	single  int           // steps of StepOnce that are left
	last    time.Duration // time of the last frame
	owed    time.Duration // time not yet stepped; between frames less than Step
	dropped time.Duration // since Start
}

// A mode is the state of a loop: running, paused or stopped.
type mode uint8

const (
	stopped mode = iota
	paused
	running
)

// Clock returns a clock for [Timed.Frame]: the time since this call, by now, which is usually
// time.Now. With time.Now it never runs backwards.
func Clock(now func() time.Time) func() time.Duration {
	if now == nil {
		program.Refuse("stage: Clock without a function that tells the time; give it time.Now")
	}
	begin := now()
	return func() time.Duration { return now().Sub(begin) }
}

// Start runs the loop: from the beginning after Stop, or if it was never started; after Pause, it
// resumes. It does nothing on a running loop.
func (l *Timed) Start() {
	switch program.There(l, noLoop).mode {
	case running:
		return
	case stopped:
		l.owed, l.dropped = 0, 0
	}
	l.mode, l.fresh, l.single = running, true, 0
}

// Pause stops fixed steps while time passes. Called from a fixed step, it drops further steps of
// that frame; the frame's update still runs. It does nothing on a stopped loop.
func (l *Timed) Pause() {
	if l.Running() {
		l.mode = paused
	}
}

// Stop ends the loop immediately, including the rest of the current frame.
func (l *Timed) Stop() {
	program.There(l, noLoop)
	l.mode, l.ended, l.single = stopped, true, 0
}

// StepOnce pauses a running loop, and lets the next frame run one fixed step and one update with a
// dt of Step. Several calls step that many frames. It does nothing on a stopped loop.
func (l *Timed) StepOnce() {
	l.Pause()
	if l.mode == paused {
		l.single++
	}
}

// Running reports whether the loop was started, and neither paused nor stopped since.
func (l *Timed) Running() bool { return program.There(l, noLoop).mode == running }

// Paused reports whether the loop was paused, and neither started nor stopped since.
func (l *Timed) Paused() bool { return program.There(l, noLoop).mode == paused }

// Dropped returns the total dropped time since the loop was last started after a stop.
func (l *Timed) Dropped() time.Duration { return program.There(l, noLoop).dropped }

// Frame runs one frame by the caller's clock; only differences of its times matter. A paused loop
// runs only the steps of StepOnce and, with DrawPaused, Update; a stopped loop, or one that was
// never started, runs nothing. Frame panics if Step or MaxSteps is negative, and if Fixed is set
// without Step.
func (l *Timed) Frame(s world.State, now time.Duration) world.State {
	switch program.There(l, noLoop); {
	case l.Step < 0 || l.MaxSteps < 0:
		panic("stage: Timed: Step or MaxSteps is negative; use 0 for none, or for the usual")
	case l.Fixed != nil && l.Step == 0:
		panic("stage: Timed: Fixed without a Step; set Step, such as time.Second / 50")
	}
	l.ended = false
	switch {
	case l.mode == running:
		passed := between(l.last, now)
		if l.fresh {
			passed = 0
		}
		l.last, l.fresh = now, false
		return l.timed(s, passed)
	case l.single > 0:
		l.single--
		return l.update(l.fixed(s), l.Step)
	case l.mode == paused && l.DrawPaused:
		return l.update(s, 0)
	}
	return s
}

// timed runs a frame of a running loop. A step that stops, pauses or restarts the loop is the last
// one of its frame.
func (l *Timed) timed(s world.State, passed time.Duration) world.State {
	const usualMaxSteps = 8
	step, left := l.Step, cmp.Or(l.MaxSteps, usualMaxSteps)
	if step == 0 {
		return l.update(s, passed)
	}
	passed = min(passed, math.MaxInt64-l.owed)
	l.owed += passed
	for ; l.owed >= step && left > 0 && l.mode == running && !l.fresh; left-- {
		l.owed -= step
		s = l.fixed(s)
	}
	over := l.owed - l.owed%step
	l.owed -= over
	l.dropped += min(over, math.MaxInt64-l.dropped)
	return l.update(s, max(passed-over, 0))
}

func (l *Timed) fixed(s world.State) world.State {
	if l.Fixed == nil {
		return s
	}
	return program.Kept(s, l.Fixed(s, seconds(l.Step)), "stage: Timed: Fixed", "")
}

// update runs Update, unless the loop was stopped in this frame.
func (l *Timed) update(s world.State, passed time.Duration) world.State {
	if l.Update == nil || l.ended {
		return s
	}
	alpha := float32(0)
	if l.Step > 0 {
		alpha = float32(float64(l.owed) / float64(l.Step))
	}
	return program.Kept(s, l.Update(s, seconds(passed), alpha), "stage: Timed: Update", "")
}

// between returns the time from last to now, clamped to 0 and to the largest Duration.
func between(last, now time.Duration) time.Duration {
	switch passed := now - last; {
	case now <= last:
		return 0
	case passed < 0:
		return math.MaxInt64
	default:
		return passed
	}
}

func seconds(d time.Duration) float32 { return float32(d.Seconds()) }

const noLoop = "stage: this Timed is nil; hand in the address of one"
