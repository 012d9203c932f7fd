package inspect

import (
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A Past stores earlier frames of a world, such as a Timeline of package timeline or a History of
// package history. Only [Inspector.Turn] calls it. The program records each step in it.
//
//	for {
//		if state, steps = inspector.Turn(state); …
//		for range steps {
//			input = inspector.Input(input)
//			err = past.Record(state, input)
//			state = step(state, input)
//		}
//		err = inspector.Publish(state)
//	}
type Past interface {
	// Frames returns the range of recorded frames: first ≤ frame < next.
	Frames() (first, next int)

	// Kept returns the newest frame up to this one that opens without repeating steps.
	Kept(frame int) (int, error)

	// Input returns the input of a frame, in place.
	Input(frame int) ([]byte, error)

	// At returns the world before the step of a frame, for reading until the next call.
	At(frame int) (world.State, error)

	// Rollback restores the world of s to a frame, and drops that frame and all later ones.
	Rollback(s world.State, frame int) (world.State, error)
}

const (
	slowest = -4 // speeds are powers of two
	fastest = 4
	maxStep = 10_000 // steps that are asked for at once
)

// A course is how the program goes on. What is said to the page is guarded by its mutex; all else
// belongs to the goroutine of the world.
type course struct {
	mutex sync.Mutex
	said  timeView

	steps  int // to take while it is paused
	paused bool
	speed  int
	inputs [][]byte // that the coming steps take again
	other  *other   // nil: there is no other future
	fault  string   // why the last other future has ended

	left  time.Duration // when Turn returned last
	usual time.Duration // from there to the next Turn, at usual speed
	due   time.Duration // of the next step, when it is slow
	shown bool          // the page has what Turn changed
}

// Turn carries out the page's requests: it edits, opens frames of the past, or goes back to one.
// Call it before each step of a program with a [Past]. It returns the number of steps to take now:
// one, more to run fast, or none, after a short wait, while the program is paused or slowed.
func (i *Inspector) Turn(s world.State) (world.State, int) {
	if i.made().closed {
		panic("inspect: Turn of an Inspector that was closed; make one by New")
	}
	c := &i.course
	now := i.options.Clock()
	if c.speed >= 0 && !c.paused && c.left > 0 {
		c.usual += (min(now-c.left, time.Second) - c.usual) / 8
	}
	s = i.turn(s)
	if c.waits(now) {
		i.asks.wait(shortWait)
		s = i.turn(s)
	}
	n := c.take(i.options.Clock())
	c.left = i.options.Clock()
	i.say(s)
	return s, n
}

// turn does what was asked for, and has the page see it.
func (i *Inspector) turn(s world.State) world.State {
	s = i.asks.answer(s, true)
	if now := i.options.Clock(); !i.course.shown && i.watched(now) {
		_ = i.show(s, now) // or later
	}
	return s
}

// waits reports whether no step is due.
func (c *course) waits(now time.Duration) bool {
	return c.paused && c.steps == 0 || !c.paused && now < c.due
}

// take returns how many steps are due.
func (c *course) take(now time.Duration) int {
	switch {
	case c.waits(now):
		return 0
	case c.paused:
		c.steps--
		c.shown = false // when the step is taken
		return 1
	case c.speed < 0:
		c.due = now + c.usual<<-c.speed
		return 1
	}
	return 1 << c.speed
}

// Input returns the input of the next step. Call it once before each step, with the program's
// input. It returns that input or, after going back and if the page asks for it, the recorded input
// of the step. The result is valid until the next call.
func (i *Inspector) Input(input []byte) []byte {
	c := &i.made().course
	if len(c.inputs) > 0 {
		input, c.inputs = c.inputs[0], c.inputs[1:]
	}
	if c.other != nil {
		if fault := c.other.step(i.options.Step, input); fault != "" {
			c.end(fault)
		}
	}
	return input
}

// An other is another future of the world: what would have been. It takes the inputs that the world
// had before, and then the world's.
type other struct {
	state  world.State
	from   int // frame at which it begins
	at     int
	inputs [][]byte
}

// step takes a step. It returns what it panicked with, if it did.
func (o *other) step(step func(world.State, []byte) world.State, input []byte) (fault string) {
	if len(o.inputs) > 0 {
		input, o.inputs = o.inputs[0], o.inputs[1:]
	}
	if p := program.Caught("inspect", func() { o.state = step(o.state, input) }); p != nil {
		return "its step panicked: " + goText(p.Value)
	}
	o.at++
	return ""
}

// end ends the other future, if there is one.
func (c *course) end(fault string) {
	if c.other != nil {
		systems.Discard(c.other.state) // it may be stale
	}
	c.other, c.fault = nil, fault
}

// changed notes that the world was changed between two steps.
func (i *Inspector) changed() {
	i.course.shown = false
	if i.options.Past == nil {
		return
	}
	if p, ok := i.options.Past.(interface{ Changed() }); ok {
		p.Changed()
	}
	_, next := i.options.Past.Frames()
	i.moments.forget(next)
}

// back goes back to a frame: with the inputs of before, and beside the future of before, if that is
// asked for.
func (i *Inspector) back(s world.State, w *timeWish) (world.State, error) {
	p, c := i.options.Past, &i.course
	first, next := p.Frames()
	switch {
	case first == next:
		return s, noFrame(w.Frame, first, next-1)
	case w.Frame < first || w.Frame > next:
		return s, noFrame(w.Frame, first, next)
	}
	var inputs [][]byte
	for n := w.Frame; n < next; n++ {
		input, err := p.Input(n)
		if err != nil {
			return s, err
		}
		inputs = append(inputs, append([]byte{}, input...))
	}
	inputs = append(inputs, c.inputs...)
	var o *other
	if w.Fork {
		var err error
		if o, err = i.fork(s, w.Frame, next, inputs); err != nil {
			return s, err
		}
	}
	if w.Frame < next {
		var err error
		if s, err = p.Rollback(s, w.Frame); err != nil {
			if o != nil {
				world.Close(o.state)
			}
			return s, &refusal{http.StatusConflict, err.Error()}
		}
		i.moments.forget(w.Frame + 1)
	}
	if o != nil {
		c.end("")
		c.other = o
	}
	c.inputs = nil
	if w.Inputs == "same" {
		c.inputs = inputs
	}
	c.shown = false
	return s, nil
}

// fork returns another future that begins at a frame.
func (i *Inspector) fork(s world.State, frame, next int, inputs [][]byte) (*other, error) {
	if i.options.Step == nil {
		return nil, badRequest("this program has one future; set Options.Step")
	}
	from := s
	if frame < next {
		var err error
		if from, err = i.at(frame); err != nil {
			return nil, err
		}
	}
	state, err := world.Clone(from)
	if err != nil {
		return nil, err
	}
	return &other{state: state, from: frame, at: frame, inputs: inputs}, nil
}

// at returns the world at a frame of the past. A step that panics is an error.
func (i *Inspector) at(frame int) (s world.State, err error) {
	if p := program.Caught("inspect", func() { s, err = i.options.Past.At(frame) }); p != nil {
		return s, fmt.Errorf("the steps to frame %d panicked: %s", frame, goText(p.Value))
	}
	return s, err
}

func noFrame(frame, first, last int) error {
	if last < first {
		return notFound("no frame is recorded yet; let the program take a step")
	}
	return notFound("the past does not have this frame, %d; it has %d to %d", frame, first, last)
}

// speedOf returns the factor of a speed.
func speedOf(speed int) float64 { return math.Ldexp(1, speed) }
