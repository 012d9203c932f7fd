package loop

import (
	"sync/atomic"

	"github.com/flatecs/flatecs/world/internal/program"
)

// control is the requested state of a Timed, in one word: two bits of mode, two flags, and from bit
// 4 on the number of single steps.
type control uint32

const (
	unstarted control = iota
	stopped
	paused
	running
)

const (
	modes   control = 3
	fresh   control = 4  // the next frame is the first, and has no duration
	anew    control = 8  // the next frame resets owed and dropped
	oneStep control = 16 // one single step; they add up
)

func (c control) mode() control { return c & modes }

func (c control) start() control {
	switch c.mode() {
	case running:
		return c
	case paused:
		return running | fresh | c&anew
	}
	return running | fresh | anew
}

// begin starts a loop that was never started; it leaves others unchanged.
func (c control) begin() control {
	if c.mode() == unstarted {
		return c.start()
	}
	return c
}

func (c control) pause() control {
	if c.mode() == running {
		return paused | c&anew
	}
	return c
}

func (control) stop() control { return stopped }

func (c control) step() control {
	if c = c.pause(); c.mode() == paused {
		return c + oneStep
	}
	return c
}

// take returns what remains of c after a frame has handled it.
func (c control) take() control {
	if c >= oneStep {
		c -= oneStep
	}
	return c &^ (fresh | anew)
}

// loopControl is a control that several goroutines may change.
type loopControl struct{ word atomic.Uint32 }

func (l *loopControl) load() control { return control(l.word.Load()) }
func (l *loopControl) mode() control { return l.load().mode() }

// disturbed reports whether a running loop got a request since its frame began.
func (l *loopControl) disturbed() bool { return l.load() != running }

// ended reports whether the loop was stopped since its frame began, even if it was started again.
func (l *loopControl) ended() bool {
	c := l.load()
	return c.mode() == stopped || c&anew != 0
}

func (l *loopControl) change(to func(control) control) (before control) {
	for {
		before = l.load()
		if l.word.CompareAndSwap(uint32(before), uint32(to(before))) {
			return before
		}
	}
}

// Start runs the loop: from the beginning after Stop, or if it was never started; from where it was
// after Pause. It does nothing on a running loop.
func (l *Timed) Start() {
	if !l.Running() && !l.Paused() {
		l.failure.Store(nil)
	}
	l.control.change(control.start)
}

// Pause stops fixed steps while time passes. Called from a fixed step, it drops further steps of
// that frame; the frame's update still runs. It does nothing on a stopped loop.
func (l *Timed) Pause() { program.There(l, noLoop).control.change(control.pause) }

// Stop ends the loop immediately, including the rest of the current frame.
func (l *Timed) Stop() { program.There(l, noLoop).control.change(control.stop) }

// Fail stops the loop, like Stop, and sets the error that Run and Err return. Use it to report
// errors from functions of the loop.
func (l *Timed) Fail(err error) {
	program.There(l, noLoop).failure.Store(&err)
	l.Stop()
}

// Err returns the error of Fail since the loop was last started after a stop, or nil.
func (l *Timed) Err() error {
	if err := program.There(l, noLoop).failure.Load(); err != nil {
		return *err
	}
	return nil
}

// StepOnce pauses a running loop, and lets the next frame run one fixed step and one update with a
// dt of Step. Several calls step that many frames. It does nothing on a stopped loop.
func (l *Timed) StepOnce() { program.There(l, noLoop).control.change(control.step) }

// Running reports whether the loop was started, and neither paused nor stopped since.
func (l *Timed) Running() bool { return program.There(l, noLoop).control.mode() == running }

// Paused reports whether the loop was paused, and neither started nor stopped since.
func (l *Timed) Paused() bool { return program.There(l, noLoop).control.mode() == paused }
