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

// A Timed runs a world in step with a clock. Each frame runs as many fixed steps as time has
// passed for, then one update, which is told how far the world is on its way to the next step:
//
//	clock   0 ms     45 ms                    65 ms            80 ms
//	frames  Update   Fixed, Fixed, Update     Fixed, Update    Fixed, Update   of Step 20 ms
//	alpha   0        0.25                     0.25             0
//
// It reads no clock itself: Frame is handed the time, and Run calls Now. A frame's time is that
// since the frame before, never less than nothing, so a clock that jumps back does no harm; and the
// first frame after Start has none, however long ago the loop was made or paused. What MaxSteps
// fixed steps cannot catch up with is dropped, so a clock that stalls or jumps ahead does no harm
// either. Only how many steps run depends on the clock: what a step does is given its own length.
//
// Set the fields, then [Timed.Start]. Frame and Run belong to the goroutine of the State;
// Start, Pause, Stop, Fail and StepOnce may come from any, and from within the functions that the
// loop calls. A Timed may not be copied once it was started. A frame allocates nothing.
type Timed struct {
	Step       time.Duration // length of a fixed step; 0 for a loop without fixed steps
	MaxSteps   int           // fixed steps per frame at most; 0 means 8
	DrawPaused bool          // a paused loop still calls Update, with a dt of 0

	// Fixed takes the world through one fixed step; dt is Step in seconds. It may be nil.
	Fixed func(s world.State, dt float32) world.State

	// Update comes once a frame, after its fixed steps. dt is the frame's time in seconds, less
	// what was dropped; alpha is the time not yet stepped through, as a part of a step, 0…1: draw
	// that far between the last step and the next. Without a Step alpha is 0. It may be nil.
	Update func(s world.State, dt, alpha float32) world.State

	Now  func() time.Duration      // the clock of Run, such as Clock(time.Now)
	Wait func(ctx context.Context) // blocks Run until the next frame is due, or ctx is done

	control loopControl
	failure atomic.Pointer[error]
	last    time.Duration // when the frame before was
	owed    time.Duration // not yet stepped through; between frames less than a step
	dropped time.Duration // since Start
}

// Frame runs one frame at a time by the caller's clock, of which only differences count; Now and
// Wait are not used. A loop that is paused runs nothing but the steps asked for by StepOnce and,
// with DrawPaused, Update; one that is stopped, or was never started, runs nothing at all. Frame
// panics when Step or MaxSteps is negative, and when there is a Fixed without a Step.
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

// Run starts the loop if it was never started, then waits and runs frames until Stop, until Fail,
// whose error it returns, or until ctx is done: then it stops the loop after the frame under way
// and returns ctx's cause. The State is good in each case. A loop that was stopped before runs
// nothing; Start it first. Run panics without Now or Wait, and as Frame does.
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

// Dropped returns the time that no step was run for, since the loop was last started after a stop.
// It belongs to the goroutine of Frame.
func (l *Timed) Dropped() time.Duration { return program.There(l, noLoop).dropped }

func (l *Timed) check() {
	switch program.There(l, noLoop); {
	case l.Step < 0 || l.MaxSteps < 0:
		panic("loop: Timed: Step or MaxSteps is negative; use 0 for none, or for the usual")
	case l.Fixed != nil && l.Step == 0:
		panic("loop: Timed: Fixed without a Step; set Step, such as time.Second / 50")
	}
}

// timed is a frame of a running loop.
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

// still is a frame of a paused loop.
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

// update draws what the frame has come to, unless the loop was stopped in it.
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

// between returns the time from last to now: none backwards, and no more than can be told.
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
