package record

import (
	"fmt"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A DifferError is the error of a replay that leads to another world than was recorded.
type DifferError struct {
	Frame  int    // before its step the worlds differ, by their digests
	Equal  int    // before its step they were equal
	Tick   uint64 // of the replayed world at Frame
	Builds [2]string

	// Difference is the first difference at frame At, where the next world was recorded: the first
	// value of each pair is the recorded one. It is nil if there is no such world.
	Difference *tool.Difference
	At         int
}

// Error names the frame, the tick and the first kind, object and field that differ.
func (e *DifferError) Error() string {
	if e == nil {
		program.Refuse("record: a nil DifferError says nothing; take that of Replay")
	}
	text := fmt.Sprintf("record: the replay differs from the recording at tick %d, before the "+
		"step of frame %d; before that of frame %d both were equal", e.Tick, e.Frame, e.Equal)
	if e.Builds[0] != e.Builds[1] {
		text += fmt.Sprintf("; %q recorded it, and %q replays", e.Builds[0], e.Builds[1])
	}
	if e.Difference != nil {
		text += fmt.Sprintf("; recorded and replayed at frame %d: %v", e.At, e.Difference)
	}
	return text
}

// Replay plays a recording again, and compares each digest. It calls each, which may be nil, after
// each step. The error is a [*DifferError], or that of [Read], or wraps [ErrBuild]. A step that
// panicked when it was recorded panics again.
func Replay(
	path string, c world.Counts, step Step, o Options, each func(s world.State),
) error {
	f, err := Read(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Replay(c, step, o, each)
}

// Replay is [Replay] of this file.
func (f *File) Replay(c world.Counts, step Step, o Options, each func(s world.State)) error {
	if err := f.mustBeOpen().play(c, o); err != nil {
		return err
	}
	if step == nil {
		program.Refuse("record: Replay without a step; give that of the recording")
	}
	r := &replay{File: f, step: step, each: each}
	defer func() { systems.Discard(r.state) }()
	return r.run()
}

// A replay compares a world with a recording.
type replay struct {
	*File
	step   Step
	each   func(s world.State)
	state  world.State
	equal  int          // the last frame at which the digests were equal
	differ *DifferError // nil: they are equal so far
}

func (r *replay) run() (err error) {
	for n := range r.segments {
		if err := r.load(n); err != nil {
			return err
		}
		b := &r.segments[n].world
		if n > 0 && b.flags&outside == 0 {
			r.compare(b.frame, r.past.marks[0].digest)
		}
		if r.differ != nil {
			r.name(n)
			return r.differ
		}
		if n == 0 || b.flags&outside != 0 {
			if r.state, err = r.restore(r.state, n); err != nil {
				return err
			}
			r.equal = b.frame
		}
		r.steps(n)
	}
	if r.differ != nil {
		return r.differ
	}
	return nil
}

// name finds out what differs, where a segment begins to which the steps lead.
func (r *replay) name(n int) {
	b := &r.segments[n].world
	if b.flags&outside != 0 {
		return
	}
	then, err := r.restore(world.State{}, n)
	if err != nil {
		return // the error of the replay says the rest
	}
	defer systems.Discard(then)
	if d, differ, err := tool.FirstDifference(then, r.state); differ && err == nil {
		r.differ.Difference, r.differ.At = &d, b.frame
	}
}

// compare compares the digest of the world with a recorded one.
func (r *replay) compare(frame int, digest uint64) {
	switch {
	case r.differ != nil:
	case world.Digest(r.state) == digest:
		r.equal = frame
	default:
		r.differ = &DifferError{
			Frame: frame, Equal: r.equal, Tick: world.Tick(r.state),
			Builds: [2]string{r.head.Build, r.past.options.Build},
		}
	}
}

// steps plays the steps of a segment.
func (r *replay) steps(n int) {
	marks, frame := r.past.marks[1:], r.segments[n].world.frame
	size, end := r.head.InputBytes, r.endOf(n)
	for inputs := r.past.inputs; frame < end; frame++ {
		if len(marks) > 0 && marks[0].step == frame {
			r.compare(frame, marks[0].digest)
			marks = marks[1:]
		}
		r.state = program.Kept(r.state, r.step(r.state, inputs[:size:size]), "record: the step", "")
		inputs = inputs[size:]
		if r.each != nil && r.differ == nil {
			r.each(r.state)
		}
	}
}
