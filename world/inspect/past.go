package inspect

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"

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

// A past provides everything besides the newest frame: the recorded frames, the world between two
// steps, and another future. It belongs to the world's goroutine, to which requests are queued.
type past struct {
	options *Options
	frames  *frames
	asks    asks
	moments moments
	course  course
	other   *other // nil: there is no other future
	fault   string // why the last other future ended
}

func newPast(o *Options, f *frames) *past {
	p := &past{options: o, frames: f}
	p.asks.token, p.asks.more = rand.Text(), make(chan struct{}, 1)
	p.course.paused = o.Paused && o.Past != nil
	return p
}

func (p *past) close() {
	p.moments.replace(nil)
	p.end("")
}

// missing returns an error if there is no recorded past.
func (p *past) missing() error {
	if p.options.Past == nil {
		return notFound("this program keeps no past; set Options.Past, and call Turn")
	}
	return nil
}

// at returns the world at a recorded frame. A panic of a step is returned as an error.
func (p *past) at(frame int) (s world.State, err error) {
	if c := program.Caught("inspect", func() { s, err = p.options.Past.At(frame) }); c != nil {
		return s, fmt.Errorf("the steps to frame %d panicked: %s", frame, goString(c.Value))
	}
	return s, err
}

func noFrame(frame, first, last int) error {
	if last < first {
		return notFound("no frame is recorded yet; let the program take a step")
	}
	return notFound("the past does not have this frame, %d; it has %d to %d", frame, first, last)
}

// An other is an alternative future of the world. It takes the inputs that the world took before,
// and then the inputs that the world takes.
type other struct {
	state  world.State
	from   int // frame at which it begins
	at     int
	inputs [][]byte
}

// step takes a step. If the step panics, it returns the panic's message.
func (o *other) step(step func(world.State, []byte) world.State, input []byte) (fault string) {
	if len(o.inputs) > 0 {
		input, o.inputs = o.inputs[0], o.inputs[1:]
	}
	if p := program.Caught("inspect", func() { o.state = step(o.state, input) }); p != nil {
		return "its step panicked: " + goString(p.Value)
	}
	o.at++
	return ""
}

// fork returns an alternative future that begins at a frame.
func (p *past) fork(s world.State, frame, next int, inputs [][]byte) (*other, error) {
	if p.options.Step == nil {
		return nil, badRequest("this program has one future; set Options.Step")
	}
	from := s
	if frame < next {
		var err error
		if from, err = p.at(frame); err != nil {
			return nil, err
		}
	}
	state, err := world.Clone(from)
	if err != nil {
		return nil, err
	}
	return &other{state: state, from: frame, at: frame, inputs: inputs}, nil
}

// end ends the alternative future, if any.
func (p *past) end(fault string) {
	if p.other != nil {
		systems.Discard(p.other.state) // it may be stale
	}
	p.other, p.fault = nil, fault
}

// Names of moments that are not frame numbers.
const (
	momentNow   = "now"   // the world between two steps
	momentOther = "other" // the other future
)

const maxMoments = 4 // open at the same time; each is a copy of the world's used bytes

// moments are slots with copies of the world at recorded frames, between two steps, or of another
// future. The world's goroutine writes slots that no reader holds.
type moments struct{ slots }

// find holds and returns open moments. Unless all of them are open, it returns nil.
func (m *moments) find(names ...string) (all []*frame) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, name := range names {
		n, err := strconv.Atoi(name)
		at := slices.IndexFunc(m.all, func(f *frame) bool { return f.past == n })
		if err != nil || n < 0 || at < 0 {
			return nil
		}
		all = append(all, m.all[at])
	}
	for _, f := range all {
		m.hold(f)
	}
	return all
}

// spare holds and returns a new slot, or the least recently used one. It returns nil if all are
// held.
func (m *moments) spare() *frame {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	f := m.idle()
	if len(m.all) < maxMoments {
		f = &frame{}
		m.all = append(m.all, f)
	}
	if f != nil {
		f.past = -1
		m.hold(f)
	}
	return f
}

// reopen invalidates the copies of frames from the given one on.
func (m *moments) reopen(from int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, f := range m.all {
		if f.past >= from {
			f.past = -1
		}
	}
}

// worldAt returns the world at a moment, and its frame number, or -1 if it has none. It runs on the
// world's goroutine; now is the current world.
func (p *past) worldAt(name string, now world.State) (s world.State, frame int, err error) {
	switch {
	case name == momentNow:
		return now, -1, nil
	case name == momentOther && p.other == nil:
		return s, -1, notFound("there is no other future; fork the world first")
	case name == momentOther:
		return p.other.state, -1, nil
	}
	if frame, err = strconv.Atoi(name); err != nil {
		return s, -1, badRequest("at is %.40q; give the number of a frame, now, or other", name)
	}
	if first, next := p.options.Past.Frames(); frame < first || frame >= next {
		return s, -1, noFrame(frame, first, next-1)
	}
	s, err = p.at(frame)
	return s, frame, err
}

// open holds the slot of a moment, and copies the world into it if needed.
func (p *past) open(name string, now world.State) (*frame, error) {
	if found := p.moments.find(name); found != nil {
		return found[0], nil
	}
	from, frame, err := p.worldAt(name, now)
	if err != nil {
		return nil, err
	}
	f := p.moments.spare()
	if f == nil {
		return nil, busy("too many worlds of the past are being read; try again")
	}
	if err := f.take(from); err != nil {
		p.moments.release(f)
		return nil, err
	}
	p.frames.stamp(f, from)
	p.moments.mutex.Lock()
	defer p.moments.mutex.Unlock()
	f.past = frame
	return f, nil
}

// hold opens and holds several moments.
func (p *past) hold(ctx context.Context, names ...string) (all []*frame, err error) {
	if err := p.missing(); err != nil {
		return nil, err
	}
	p.frames.looked.Store(int64(p.options.Clock()) + 1)
	all = p.moments.find(names...)
	if all != nil {
		return all, nil
	}
	err = p.asks.inWorld(ctx, true, func(s world.State) (world.State, error) {
		for _, name := range names {
			f, err := p.open(name, s)
			if err != nil {
				return s, err
			}
			all = append(all, f)
		}
		return s, ctx.Err()
	})
	if err != nil {
		p.moments.release(all...)
		return nil, err
	}
	return all, nil
}

// lookAt calls do with a moment: a frame number, "now" for the world between two steps, "other" for
// the other future, or "" for the newest frame.
func (p *past) lookAt(ctx context.Context, name string, do func(*view) error) error {
	if name == "" {
		return p.frames.look(ctx, do)
	}
	held, err := p.hold(ctx, name)
	if err != nil {
		return err
	}
	defer p.moments.release(held...)
	return held[0].look(do)
}

// lookAtBoth calls do with two moments, which may be the same.
func (p *past) lookAtBoth(ctx context.Context, a, b string, do func(a, b *view) error) error {
	held, err := p.hold(ctx, a, b)
	if err != nil {
		return err
	}
	defer p.moments.release(held...)
	one, two := held[0], held[1]
	switch {
	case one == two:
		return one.look(func(v *view) error { return do(v, v) })
	case one.number < two.number: // a common lock order avoids deadlocks
		return one.look(func(v *view) error {
			return two.look(func(w *view) error { return do(v, w) })
		})
	}
	return two.look(func(w *view) error {
		return one.look(func(v *view) error { return do(v, w) })
	})
}
