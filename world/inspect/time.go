package inspect

import (
	"context"
	"encoding/hex"
	"math"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/flatecs/flatecs/world"
)

const (
	slowest = -4 // speeds are powers of two
	fastest = 4
	maxStep = 10_000 // steps per request

	stepsWithin = 20 * time.Second // for requested steps; the rest is dropped
)

// A course is the state of pausing, stepping and speed.
type course struct {
	mutex sync.Mutex
	said  timeView // the state that the page sees, guarded by the mutex

	steps  int // remaining steps while paused
	paused bool
	speed  int
	inputs [][]byte // recorded inputs for the coming steps
	usual  []byte   // the last input

	left time.Duration // end of the last Turn
	pace time.Duration // from the end of a Turn to the next Turn, at normal speed
	due  time.Duration // time of the next step at low speed
}

// turn carries out the page's requests, and returns the number of steps to take.
func (p *past) turn(s world.State) (world.State, int) {
	c := &p.course
	now := p.options.Clock()
	if c.speed >= 0 && !c.paused && c.left > 0 {
		c.pace += (min(now-c.left, time.Second) - c.pace) / 8
	}
	s = p.doAsked(s)
	if c.waits(now) {
		p.asks.wait(shortWait)
		s = p.doAsked(s)
	}
	n := c.next(p.options.Clock())
	if c.paused && n > 0 {
		p.frames.stale = true // until the step is taken
	}
	c.left = p.options.Clock()
	p.say(s)
	return s, n
}

// doAsked carries out the waiting requests, and publishes the result.
func (p *past) doAsked(s world.State) world.State {
	s = p.asks.doAll(s, true)
	p.frames.refresh(s)
	return s
}

// waits reports whether no step is due.
func (c *course) waits(now time.Duration) bool {
	return c.paused && c.steps == 0 || !c.paused && now < c.due
}

// next returns how many steps are due.
func (c *course) next(now time.Duration) int {
	switch {
	case c.waits(now):
		return 0
	case c.paused:
		n := min(c.steps, 1<<fastest)
		c.steps -= n
		return n
	case c.speed < 0:
		c.due = now + c.pace<<-c.speed
		return 1
	}
	return 1 << c.speed
}

// input returns the input of the next step, and passes it to the other future.
func (p *past) input(input []byte) []byte {
	if c := &p.course; len(c.inputs) > 0 {
		input, c.inputs = c.inputs[0], c.inputs[1:]
	}
	p.course.usual = append(p.course.usual[:0], input...)
	if p.other != nil {
		if fault := p.other.step(p.options.Step, input); fault != "" {
			p.end(fault)
		}
	}
	return input
}

// changed notes a change of the world between two steps.
func (p *past) changed() {
	p.frames.stale = true
	if p.options.Past == nil {
		return
	}
	if c, ok := p.options.Past.(interface{ Changed() }); ok {
		c.Changed()
	}
	_, next := p.options.Past.Frames()
	p.moments.reopen(next)
}

// back goes back to a frame. On request, the recorded inputs are repeated, and the old future
// continues as the other future.
func (p *past) back(s world.State, w *timeWish) (world.State, error) {
	first, next := p.options.Past.Frames()
	switch {
	case first == next:
		return s, noFrame(w.Frame, first, next-1)
	case w.Frame < first || w.Frame > next:
		return s, noFrame(w.Frame, first, next)
	}
	inputs, err := p.inputs(w.Frame, next)
	if err != nil {
		return s, err
	}
	var o *other
	if w.Fork {
		if o, err = p.fork(s, w.Frame, next, inputs); err != nil {
			return s, err
		}
	}
	if w.Frame < next {
		if s, err = p.options.Past.Rollback(s, w.Frame); err != nil {
			if o != nil {
				world.Close(o.state)
			}
			return s, &refusal{http.StatusConflict, err.Error()}
		}
		p.moments.reopen(w.Frame + 1)
	}
	if o != nil {
		p.end("")
		p.other = o
	}
	p.course.inputs = nil
	if w.Inputs == "same" {
		p.course.inputs = inputs
	}
	p.frames.stale = true
	return s, nil
}

// inputs returns copies of the recorded inputs from a frame on, followed by inputs that wait to be
// repeated.
func (p *past) inputs(frame, next int) (inputs [][]byte, err error) {
	for ; frame < next; frame++ {
		input, err := p.options.Past.Input(frame)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, append([]byte{}, input...))
	}
	return append(inputs, p.course.inputs...), nil
}

// A timeWish is a request to control time.
type timeWish struct {
	Op     string   `json:"op"`     // "pause", "go", "step", "play", "speed", "back" or "join"
	Steps  int      `json:"steps"`  // for step; 0: 1
	Wait   bool     `json:"wait"`   // for step and play: wait until the steps are taken
	Play   []string `json:"play"`   // for play: the inputs of the steps, in hexadecimal
	Speed  int      `json:"speed"`  // for speed: a power of two
	Frame  int      `json:"frame"`  // for back
	Inputs string   `json:"inputs"` // for back: "same" or "live"
	Fork   bool     `json:"fork"`   // for back
}

type timeView struct {
	First  int        `json:"first"`
	Next   int        `json:"next"`
	Tick   uint64     `json:"tick"`
	Paused bool       `json:"paused"`
	Speed  float64    `json:"speed"`
	Inputs int        `json:"inputs"`
	Left   int        `json:"left"`
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

// say updates the state that the page sees.
func (p *past) say(s world.State) {
	c := &p.course
	v := timeView{
		Tick: world.Tick(s), Paused: c.paused, Speed: math.Ldexp(1, c.speed),
		Inputs: len(c.inputs), Left: c.steps, Fault: p.fault,
		Fork: p.options.Step != nil, Why: p.options.Why != nil,
	}
	if p.options.Past != nil {
		v.First, v.Next = p.options.Past.Frames()
	}
	if o := p.other; o != nil {
		v.Other = &otherView{o.from, world.Tick(o.state), len(o.inputs)}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	v.Turns = c.said.Turns + 1
	c.said = v
}

// time answers with the range of recorded frames and the state of the control.
func (p *past) time(*view, url.Values) (any, error) {
	if err := p.missing(); err != nil {
		return nil, err
	}
	p.course.mutex.Lock()
	defer p.course.mutex.Unlock()
	return p.course.said, nil
}

// setTime carries out a time request, and answers with the new state.
func (p *past) setTime(w http.ResponseWriter, r *http.Request) (any, error) {
	wish := &timeWish{}
	if err := p.asks.posted(w, r, wish); err != nil {
		return nil, err
	}
	if err := p.asks.inWorld(r.Context(), true, func(s world.State) (_ world.State, err error) {
		s, err = p.carryOut(s, wish)
		p.say(s)
		return s, err
	}); err != nil {
		return nil, err
	}
	if wish.Wait {
		err := p.taken(r.Context())
		if err != nil {
			return nil, err
		}
	}
	return p.time(nil, nil)
}

// taken waits until the requested steps are taken, or until a time limit.
func (p *past) taken(ctx context.Context) error {
	left := true
	for end := p.options.Clock() + stepsWithin; left && p.options.Clock() < end; {
		err := p.asks.inWorld(ctx, true, func(s world.State) (world.State, error) {
			left = p.course.steps > 0
			p.say(s)
			return s, ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// carryOut carries out a time request on the world's goroutine.
func (p *past) carryOut(s world.State, w *timeWish) (world.State, error) {
	c := &p.course
	switch w.Op {
	case "pause":
		c.paused, c.steps, p.frames.stale = true, 0, true
	case "go":
		c.paused = false
	case "step":
		if w.Steps < 0 || w.Steps > maxStep {
			return s, badRequest("%d steps; give 1 to %d", w.Steps, maxStep)
		}
		c.paused, c.steps = true, max(w.Steps, 1)
	case "play":
		return s, p.play(w.Play)
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
		return p.back(s, w)
	case "join":
		p.end("")
	default:
		return s, badRequest("op is %q; give pause, go, step, play, speed, back or join", w.Op)
	}
	return s, nil
}

// play queues inputs for the coming steps, after which the world is paused.
func (p *past) play(texts []string) error {
	if !p.options.Edit {
		return &refusal{http.StatusForbidden, "this program lets nobody play; set Options.Edit"}
	}
	c := &p.course
	if c.usual == nil {
		return badRequest("no step was taken yet; take one, which tells how long inputs are")
	}
	var inputs [][]byte
	for n, text := range texts {
		input, err := hex.DecodeString(text)
		if err != nil || len(input) != len(c.usual) {
			return badRequest("input %d is %.40q; give %d bytes, such as %x", n, text,
				len(c.usual), c.usual)
		}
		inputs = append(inputs, input)
	}
	c.inputs, c.paused, c.steps = inputs, true, len(inputs)
	return nil
}
