package loop

import (
	"sync/atomic"

	"github.com/flatecs/flatecs/world/internal/program"
)

// control is what a Timed is asked to do, in one word: two bits of mode, two flags, and from
// bit 4 on the number of single steps.
type control uint32

const (
	unstarted control = iota
	stopped
	paused
	running
)

const (
	modes   control = 3
	fresh   control = 4  // the next frame is the first and has no time
	anew    control = 8  // the next frame forgets what was owed and dropped
	oneStep control = 16 // one single step; they count up
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

// begin starts a loop that was never started, and no other.
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

// take is what is left to do once a frame has taken note of c.
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

// disturbed says whether a loop that runs has been told anything since its frame began.
func (l *loopControl) disturbed() bool { return l.load() != running }

// ended says whether the loop was stopped since its frame began, also if it was started again.
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

// Start lets the loop run: from the beginning after Stop, or when it was never started; where it
// was after Pause. A loop that runs goes on.
func (l *Timed) Start() {
	if !l.Running() && !l.Paused() {
		l.failure.Store(nil)
	}
	l.control.change(control.start)
}

// Pause lets time pass without the loop. From within a fixed step, further steps of that frame are
// dropped, and its update still comes. A loop that is stopped stays stopped.
func (l *Timed) Pause() { program.There(l, noLoop).control.change(control.pause) }

// Stop ends the loop: nothing runs any more, not even what is left of the frame under way.
func (l *Timed) Stop() { program.There(l, noLoop).control.change(control.stop) }

// Fail stops the loop as Stop does, because of err, which Run and Err then return. Functions of the
// loop that call something that fails hand its error on by it.
func (l *Timed) Fail(err error) {
	program.There(l, noLoop).failure.Store(&err)
	l.Stop()
}

// Err returns what the loop failed with since it was last started after a stop, or nil.
func (l *Timed) Err() error {
	if err := program.There(l, noLoop).failure.Load(); err != nil {
		return *err
	}
	return nil
}

// StepOnce pauses a loop that runs, and has the next frame run one fixed step and one update, whose
// dt is Step. Several calls are for as many frames. On a loop that is stopped it does nothing.
func (l *Timed) StepOnce() { program.There(l, noLoop).control.change(control.step) }

// Running reports whether the loop was started, and neither paused nor stopped since.
func (l *Timed) Running() bool { return program.There(l, noLoop).control.mode() == running }

// Paused reports whether the loop was paused, and neither started nor stopped since.
func (l *Timed) Paused() bool { return program.There(l, noLoop).control.mode() == paused }
