package history

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// ErrFrame is the error of a frame that a history does not contain, or dropped.
var ErrFrame = errors.New("the history does not have this frame")

// A History stores the last frames of a world: the state before each step, and the input of the
// step. [New] allocates everything.
//
//	frame    first     …         next-1         the present
//	kept     before    before    before         (not kept until Record)
//	         input     input     input
//
// The history numbers frames from 0; a frame may take any number of ticks. The input of a step is a
// fixed number of bytes, which the program interprets. A history copies stamped rows: writes
// through a [world.View] without [tool.Touch] are missing after a rollback. A History belongs to
// one goroutine.
type History struct {
	frames      []frame // a ring: frame n is in place n modulo its length
	first, next int     // frames kept are first ≤ n < next
}

// A frame is one stored step.
type frame struct {
	before *world.Snapshot
	input  []byte
	digest uint64 // of before
	hashed bool   // digest is known
}

const (
	maxFrames = 1 << 16
	maxInputs = 1 << 30 // bytes of all frames
)

// New returns an empty history for the world of s, with room for frames frames and inputBytes bytes
// of input per frame, which may be 0. It takes frames times the memory that the world uses, Go
// values included. The limits are 65,536 frames and 1 GB of inputs. It returns the errors of
// [world.NewSnapshot] and [systems.Snapshot.Take], or an error that wraps [systems.ErrMemory]. It
// panics if frames is not positive or inputBytes is negative.
func New(s world.State, frames, inputBytes int) (*History, error) {
	if frames < 1 || inputBytes < 0 {
		panic(fmt.Sprintf("history: New of %d frames with inputs of %d bytes; "+
			"keep one frame or more, and inputs of 0 bytes or more", frames, inputBytes))
	}
	if frames > maxFrames || inputBytes > maxInputs/frames {
		return nil, fmt.Errorf("history: New of %d frames with inputs of %d bytes: %w; "+
			"keep %d frames and %d bytes of inputs at most",
			frames, inputBytes, systems.ErrMemory, maxFrames, maxInputs)
	}
	h := &History{frames: make([]frame, frames)}
	inputs := make([]byte, frames*inputBytes)
	for i := range h.frames {
		snapshot, err := program.Snapshot(s)
		if err != nil {
			h.Close()
			return nil, err
		}
		h.frames[i] = frame{before: snapshot, input: inputs[:inputBytes:inputBytes]}
		inputs = inputs[inputBytes:]
	}
	return h, nil
}

// Close releases the memory of all frames, and closes the snapshots that [History.Snapshot]
// returned. Closing twice is allowed. It panics if h is nil.
func (h *History) Close() {
	if h == nil {
		program.Refuse(noHistory)
	}
	for i := range h.frames {
		if p := h.frames[i].before; p != nil {
			p.Close()
		}
	}
	*h = History{}
}

// Frames returns the range of stored frames: first ≤ frame < next.
func (h *History) Frames() (first, next int) {
	h.mustBeOpen()
	return h.first, h.next
}

// Restart drops all frames. The next recorded frame gets the number frame, which is 0 or more.
func (h *History) Restart(frame int) {
	h.mustBeOpen()
	h.first, h.next = max(frame, 0), max(frame, 0)
}

// Record stores the world before a step, and the step's input, as the next frame. A full history
// drops the oldest frame. It returns the errors of [systems.Snapshot.Take]; then the history is
// unchanged. It panics if input does not have the length given to New.
func (h *History) Record(s world.State, input []byte) error {
	f := h.mustBeOpen().at(h.next)
	f.check(input)
	if h.next == math.MaxInt {
		program.Refuse("history: Record after the last frame that has a number; Restart from 0")
	}
	if err := f.before.Take(s); err != nil {
		return err
	}
	copy(f.input, input)
	f.hashed = false
	h.next++
	h.first = max(h.first, h.next-len(h.frames))
	return nil
}

// mustBeOpen panics if h is nil, closed, or was not created by New.
func (h *History) mustBeOpen() *History {
	if h == nil || len(h.frames) == 0 {
		program.Refuse(noHistory)
	}
	return h
}

// at returns a pointer to a frame.
func (h *History) at(frame int) *frame { return &h.frames[frame%len(h.frames)] }

func (f *frame) check(input []byte) {
	if len(input) != len(f.input) {
		panic(fmt.Sprintf("history: an input of %d bytes for a history of inputs of %d; "+
			"inputs are all as long as New was told", len(input), len(f.input)))
	}
}

// kept returns a stored frame. The error wraps [ErrFrame].
func (h *History) kept(frame int) (*frame, error) {
	if h.mustBeOpen(); frame >= h.first && frame < h.next {
		return h.at(frame), nil
	}
	return nil, program.NoFrame("history", ErrFrame, frame, h.first, h.next)
}

// Input returns the input of a frame, in place; use [History.SetInput] to change it. The error
// wraps [ErrFrame].
func (h *History) Input(frame int) ([]byte, error) {
	f, err := h.kept(frame)
	if err != nil {
		return nil, err
	}
	return f.input, nil
}

// SetInput sets the input of a recorded frame, for the next [History.Resimulate]. The error wraps
// [ErrFrame]. It panics if input does not have the length given to New.
func (h *History) SetInput(frame int, input []byte) error {
	f, err := h.kept(frame)
	if err != nil {
		return err
	}
	f.check(input)
	copy(f.input, input)
	return nil
}

// Snapshot returns the world before the step of a frame: for reading by [systems.Snapshot.State],
// or for [world.Restore], which does not change the history. It is valid until the frame is dropped
// or recorded again; do not call Take on it. The error wraps [ErrFrame].
func (h *History) Snapshot(frame int) (*world.Snapshot, error) {
	f, err := h.kept(frame)
	if err != nil {
		return nil, err
	}
	return f.before, nil
}

// At returns the world before the step of a frame, for reading, as long as [History.Snapshot] is
// valid. The error wraps [ErrFrame].
func (h *History) At(frame int) (world.State, error) {
	f, err := h.kept(frame)
	if err != nil {
		return world.State{}, err
	}
	return f.before.State(), nil
}

// Kept returns frame, because a history keeps every frame; a timeline keeps some. The error wraps
// [ErrFrame].
func (h *History) Kept(frame int) (int, error) {
	_, err := h.kept(frame)
	return frame, err
}

// Digest returns the [world.Digest] of the world before the step of a frame, computed on first use.
// The error wraps [ErrFrame].
func (h *History) Digest(frame int) (uint64, error) {
	f, err := h.kept(frame)
	if err != nil {
		return 0, err
	}
	if !f.hashed {
		f.digest, f.hashed = f.before.Digest(), true
	}
	return f.digest, nil
}

// Rollback restores the world to its state before the step of a frame, and drops that frame and all
// later ones: the next [History.Record] records this frame again. It returns the errors of
// [world.Restore], or an error that wraps [ErrFrame]; then world and history are unchanged.
func (h *History) Rollback(s world.State, frame int) (world.State, error) {
	f, err := h.kept(frame)
	if err != nil {
		return s, err
	}
	if s, err = world.Restore(s, f.before); err == nil {
		h.next = frame
	}
	return s, err
}

// Undo restores the world to its state before the last recorded step, and drops that frame, like
// [History.Rollback] to it. The error wraps [ErrFrame] once all frames were undone.
func (h *History) Undo(s world.State) (world.State, error) {
	if h.mustBeOpen(); h.first == h.next {
		return s, fmt.Errorf("history: Undo: %w: no recorded step is left; call Record before "+
			"each step, and keep more frames by New to go further back", ErrFrame)
	}
	return h.Rollback(s, h.next-1)
}

// Resimulate restores the world to its state before the step of a frame, and repeats every step
// from there to the present, with the current inputs of the history. It records the state before
// each step again. During the steps [Resimulating] returns true. Without [History.SetInput], and
// with a deterministic step, nothing changes.
//
// It returns the errors of [world.Restore], or an error that wraps [ErrFrame]; then world and
// history are unchanged. If step leaves a walk open, it returns the error of
// [systems.Snapshot.Take]. If step panics, the history keeps its frames and inputs: after
// [world.Recovered], resimulate again, or roll back.
func (h *History) Resimulate(
	s world.State, from int, step func(s world.State, input []byte) world.State,
) (world.State, error) {
	f, err := h.kept(from)
	switch {
	case err != nil:
		return s, err
	case step == nil:
		program.Refuse("history: Resimulate without a step; give that of the frames")
	}
	if s, err = world.Restore(s, f.before); err != nil {
		return s, err
	}
	s = tool.SetResimulating(s, true)
	for n := from; n < h.next; n++ {
		if f = h.at(n); n > from {
			if err = f.before.Take(s); err != nil {
				break
			}
			f.hashed = false
		}
		s = program.Kept(s, step(s, f.input), "history: Resimulate: the step", "")
	}
	return tool.SetResimulating(s, false), err
}

// A Difference is the first difference between two histories; see [History.FirstDifference].
type Difference struct {
	Frame int
	tool.Difference
}

// String describes the difference in one line.
func (d Difference) String() string { return fmt.Sprintf("frame %d, %v", d.Frame, d.Difference) }

// FirstDifference returns the first difference between two histories, if any, among the frames that
// both contain: either the worlds before a step differ, as [tool.FirstDifference] reports, or the
// worlds are equal and the inputs of the step differ, and Part is "input". The error wraps
// [ErrFrame] if they have no frame in common, and [systems.ErrOther] if the worlds have other
// counts. It allocates if they differ.
func (h *History) FirstDifference(other *History) (d Difference, differ bool, err error) {
	h.mustBeOpen()
	other.mustBeOpen()
	first, next := max(h.first, other.first), min(h.next, other.next)
	if first >= next {
		return d, false, fmt.Errorf("history: two of frames %d to %d and %d to %d: %w in "+
			"both; compare sooner, or keep more frames",
			h.first, h.next-1, other.first, other.next-1, ErrFrame)
	}
	for n := first; n < next; n++ {
		x, y := h.at(n), other.at(n)
		d.Frame = n
		d.Difference, differ, err = tool.FirstDifference(x.before.State(), y.before.State())
		if differ || err != nil {
			return d, differ, err
		}
		if !bytes.Equal(x.input, y.input) {
			tick := world.Tick(x.before.State())
			d.Difference = tool.Difference{
				Tick: [2]uint64{tick, tick}, Part: "input", Row: -1,
				Values: [2]string{fmt.Sprintf("%x", x.input), fmt.Sprintf("%x", y.input)},
			}
			return d, true, nil
		}
	}
	return Difference{}, false, nil
}

const noHistory = "history: this History is nil, closed, or was not made; make one by New"

// Resimulating reports whether the current step is repeated, by [History.Resimulate] or a session.
// Omit effects that cannot be undone, such as sound and particles, then. The world itself must not
// depend on it.
func Resimulating(s world.State) bool { return systems.Resimulating(s) }
