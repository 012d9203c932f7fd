package inspect

import (
	"net/http"
	"net/url"

	"github.com/flatecs/flatecs/world"
)

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
