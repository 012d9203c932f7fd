package inspect

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
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

const timePath = root + "/api/time"

// A timeWish is how the page has the program go on.
type timeWish struct {
	Op     string `json:"op"`     // "pause", "go", "step", "speed", "back" or "join"
	Steps  int    `json:"steps"`  // of step; 0: 1
	Speed  int    `json:"speed"`  // of speed: a power of two
	Frame  int    `json:"frame"`  // of back
	Inputs string `json:"inputs"` // of back: "same" or "live"
	Fork   bool   `json:"fork"`   // of back
}

type timeView struct {
	First  int        `json:"first"`
	Next   int        `json:"next"`
	Tick   uint64     `json:"tick"`
	Paused bool       `json:"paused"`
	Speed  float64    `json:"speed"`
	Inputs int        `json:"inputs"`
	Other  *otherView `json:"other,omitempty"`
	Fault  string     `json:"fault,omitempty"`
	Fork   bool       `json:"fork"`
	Why    bool       `json:"why"`
	Turns  uint64     `json:"turns"`
}

type otherView struct {
	From   int    `json:"from"`
	Tick   uint64 `json:"tick"`
	Inputs int    `json:"inputs"`
}

// say says to the page how the program goes on.
func (i *Inspector) say(s world.State) {
	c := &i.course
	v := timeView{
		Tick: world.Tick(s), Paused: c.paused, Speed: speedOf(c.speed), Inputs: len(c.inputs),
		Fault: c.fault, Fork: i.options.Step != nil, Why: i.options.Why != nil,
	}
	if i.options.Past != nil {
		v.First, v.Next = i.options.Past.Frames()
	}
	if o := c.other; o != nil {
		v.Other = &otherView{o.from, world.Tick(o.state), len(o.inputs)}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	v.Turns = c.said.Turns + 1
	c.said = v
}

// time answers with the past that is kept, and how the program goes on.
func (i *Inspector) time(*view, url.Values) (any, error) {
	if i.options.Past == nil {
		return nil, notFound("this program keeps no past; set Options.Past, and call Turn")
	}
	i.course.mutex.Lock()
	defer i.course.mutex.Unlock()
	return i.course.said, nil
}

// setTime has the program go on otherwise, and answers with how it goes on.
func (i *Inspector) setTime(w http.ResponseWriter, r *http.Request) (any, error) {
	asked := &timeWish{}
	if err := i.posted(w, r, asked); err != nil {
		return nil, err
	}
	if err := i.inWorld(r.Context(), true, func(s world.State) (_ world.State, err error) {
		s, err = i.goOn(s, asked)
		i.say(s)
		return s, err
	}); err != nil {
		return nil, err
	}
	return i.time(nil, nil)
}

// goOn does what a page wishes.
func (i *Inspector) goOn(s world.State, w *timeWish) (world.State, error) {
	c := &i.course
	switch w.Op {
	case "pause":
		c.paused, c.steps, c.shown = true, 0, false
	case "go":
		c.paused = false
	case "step":
		if w.Steps < 0 || w.Steps > maxStep {
			return s, badRequest("%d steps; give 1 to %d", w.Steps, maxStep)
		}
		c.paused, c.steps = true, max(w.Steps, 1)
	case "speed":
		if w.Speed < slowest || w.Speed > fastest {
			return s, badRequest("speed is %d; give %d to %d, a power of two",
				w.Speed, slowest, fastest)
		}
		c.speed, c.due = w.Speed, 0
	case "back":
		if w.Inputs != "same" && w.Inputs != "live" {
			return s, badRequest("inputs is %q; give same or live", w.Inputs)
		}
		return i.back(s, w)
	case "join":
		c.end("")
	default:
		return s, badRequest("op is %q; give pause, go, step, speed, back or join", w.Op)
	}
	return s, nil
}

// may returns what the page may ask of the program.
func (i *Inspector) may() string {
	switch edits, past := i.options.Edit, i.options.Past != nil; {
	case edits && past:
		return "edit past"
	case edits:
		return "edit"
	case past:
		return "past"
	}
	return ""
}
