package loop

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

const usualMaxSteps = 8

// A Timed runs a world by a clock. Each frame runs one fixed step per Step of time that has passed,
// and then one update, which gets the fraction of the next step that has passed:
//
//	clock   0 ms     45 ms                    65 ms            80 ms
//	frames  Update   Fixed, Fixed, Update     Fixed, Update    Fixed, Update   of Step 20 ms
//	alpha   0        0.25                     0.25             0
//
// It reads no clock itself: Frame gets the time as an argument, and Run calls Now. The duration of
// a frame is the time since the frame before, and never negative; the first frame after Start has
// no duration. Time beyond MaxSteps fixed steps is dropped. So clocks that jump back, stall or jump
// ahead do no harm. Only the number of steps depends on the clock: each step gets its fixed length.
//
// Set the fields, then call [Timed.Start]. Frame and Run belong to the goroutine of the State;
// Start, Pause, Stop, Fail and StepOnce may be called from any goroutine, and from functions of the
// loop. Do not copy a Timed after it was started. A frame does not allocate.
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

	Now  func() time.Duration      // the clock of Run, such as Clock(time.Now)
	Wait func(ctx context.Context) // blocks Run until the next frame is due, or ctx is done

	control loopControl
	failure atomic.Pointer[error]
	last    time.Duration // time of the last frame
	owed    time.Duration // time not yet stepped; between frames less than Step
	dropped time.Duration // since Start
}

// Frame runs one frame by the caller's clock, of which only differences count; it does not use Now
// and Wait. A paused loop runs only the steps of StepOnce and, with DrawPaused, Update; a stopped
// loop, or one that was never started, runs nothing. Frame panics if Step or MaxSteps is negative,
// and if Fixed is set without Step.
func (l *Timed) Frame(s world.State, now time.Duration) world.State {
	l.check()
	asked := l.control.change(control.take)
	if asked&anew != 0 {
		l.owed, l.dropped = 0, 0
	}
	switch asked.mode() {
	case running:
		passed := between(l.last, now)
		if asked&fresh != 0 {
			passed = 0
		}
		l.last = now
		return l.timed(s, passed)
	case paused:
		return l.still(s, asked >= oneStep)
	}
	return s
}

// Run starts the loop if it was never started, then waits and runs frames until Stop; until Fail,
// whose error it returns; or until ctx ends, when it stops the loop after the current frame and
// returns ctx's cause. The State is valid in each case. A stopped loop runs nothing; Start it
// first. Run panics without Now or Wait, and like Frame.
func (l *Timed) Run(ctx context.Context, s world.State) (world.State, error) {
	l.check()
	if l.Now == nil || l.Wait == nil {
		panic("loop: Timed.Run without Now or Wait; set both, or call Frame")
	}
	if ctx == nil {
		program.Refuse("loop: Timed.Run without a context; give it context.Background()")
	}
	l.control.change(control.begin)
	for l.control.mode() != stopped {
		l.Wait(ctx)
		if ctx.Err() != nil {
			l.Stop()
			return s, context.Cause(ctx)
		}
		s = l.Frame(s, l.Now())
	}
	return s, l.Err()
}

// Dropped returns the total dropped time since the loop was last started after a stop. It belongs
// to the goroutine of Frame.
func (l *Timed) Dropped() time.Duration { return program.There(l, noLoop).dropped }

func (l *Timed) check() {
	switch program.There(l, noLoop); {
	case l.Step < 0 || l.MaxSteps < 0:
		panic("loop: Timed: Step or MaxSteps is negative; use 0 for none, or for the usual")
	case l.Fixed != nil && l.Step == 0:
		panic("loop: Timed: Fixed without a Step; set Step, such as time.Second / 50")
	}
}

// timed runs a frame of a running loop.
func (l *Timed) timed(s world.State, passed time.Duration) world.State {
	step, left := l.Step, l.MaxSteps
	if left == 0 {
		left = usualMaxSteps
	}
	if step == 0 {
		return l.update(s, passed)
	}
	passed = min(passed, math.MaxInt64-l.owed)
	l.owed += passed
	for ; l.owed >= step && left > 0 && !l.control.disturbed(); left-- {
		l.owed -= step
		s = l.fixed(s)
	}
	over := l.owed - l.owed%step
	l.owed -= over
	l.dropped += min(over, math.MaxInt64-l.dropped)
	return l.update(s, max(passed-over, 0))
}

// still runs a frame of a paused loop.
func (l *Timed) still(s world.State, once bool) world.State {
	switch {
	case once:
		return l.update(l.fixed(s), l.Step)
	case l.DrawPaused:
		return l.update(s, 0)
	}
	return s
}

func (l *Timed) fixed(s world.State) world.State {
	if l.Fixed == nil {
		return s
	}
	return program.Kept(s, l.Fixed(s, seconds(l.Step)), "loop: Timed: Fixed", "")
}

// update runs Update, unless the loop was stopped in this frame.
func (l *Timed) update(s world.State, passed time.Duration) world.State {
	if l.Update == nil || l.control.ended() {
		return s
	}
	alpha := float32(0)
	if l.Step > 0 {
		alpha = float32(float64(l.owed) / float64(l.Step))
	}
	return program.Kept(s, l.Update(s, seconds(passed), alpha), "loop: Timed: Update", "")
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

const (
	noLauncher = "loop: this Launcher is nil; hand in the address of one"
	noLoop     = "loop: this Timed is nil; hand in the address of one"
)
