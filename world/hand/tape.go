package hand

import (
	"fmt"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/save"
)

// A Tape records the last seconds of a program: the world at their beginning, and the input of each
// step since. It travels with the world, and the next program repeats these seconds with its new
// steps, until [Tape.Loop] ends the loop. [Hand.NewTape] creates a Tape.
//
//	beginning                                       present
//	    │ input input input …                          │      recorded
//	    ├─────────────────────────────────────────────▶│
//	    └◀─────────────────────────────────────────────┘      looping, with other code
//
// Its world and inputs travel in the offer and not as a recording of package record: that would
// bring the encoders of deltas and blocks, and a goroutine, into programs that hand over, for what
// is one save and a slice of bytes.
//
// A Tape belongs to the goroutine of the Hand.
type Tape struct {
	tasks  *tasks
	of     *carried
	size   int              // bytes of an input
	frames *history.History // frames of several steps; nil: nothing is recorded
	each   int              // steps per frame
	full   int              // steps of the last frame

	begin  *world.Snapshot // of the loop; nil: none
	own    bool            // begin does not belong to frames
	inputs []byte          // of the loop
	steps  int             // of the loop
	at     int             // steps of the loop played so far
	loops  bool
}

const tapeFrames = 8 // worlds of a tape, besides the one that is being filled

// NewTape returns a tape for stepsPerSecond, with inputs of inputBytes bytes, which may be 0. Call
// it after [Hand.World]. [Supervisor.Loop] sets its length; the tape may be up to an eighth longer.
// If the previous program recorded steps, the tape loops. Without a supervisor that requests a tape
// it records nothing, and costs nothing. It takes ten times the used memory of the world. NewTape
// returns the errors of [history.New], and of save.Read if the first world cannot be converted to
// this program's kinds.
func (h *Hand) NewTape(s world.State, stepsPerSecond, inputBytes int) (*Tape, error) {
	if stepsPerSecond <= 0 || inputBytes < 0 {
		panic(fmt.Sprintf("hand: NewTape of %d steps per second with inputs of %d bytes; take one "+
			"step or more, and inputs of 0 bytes or more", stepsPerSecond, inputBytes))
	}
	t := &Tape{tasks: &h.mustBeOpen().tasks, of: &h.carried, size: inputBytes}
	if h.received.tape <= 0 {
		return t, nil
	}
	steps := max(int(h.received.tape*time.Duration(stepsPerSecond)/time.Second), 1)
	t.each = (steps + tapeFrames - 1) / tapeFrames
	var err error
	if t.frames, err = history.New(s, tapeFrames+1, t.each*inputBytes); err != nil {
		return nil, err
	}
	if err := t.takeOver(s, &h.received, h.options.Save); err != nil {
		t.Close()
		return nil, err
	}
	t.of.tape = t
	return t, nil
}

// mustBeOpen returns t. It panics if t is nil or was not returned by NewTape.
func (t *Tape) mustBeOpen() *Tape {
	if t == nil || t.tasks == nil {
		panic("hand: this Tape is nil, or was not made; get one by Hand.NewTape")
	}
	return t
}

// takeOver loops the previous program's recording.
func (t *Tape) takeOver(s world.State, r *received, o save.Options) error {
	f, steps, inputs := r.Files[tapeKey], r.Steps, r.Inputs
	if f == nil || steps <= 0 || len(inputs) != steps*t.size {
		return nil // no recording, or one with inputs of another size
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	first, _, err := save.Read(f, info.Size(), world.CountsOf(s), o)
	if err != nil {
		return fmt.Errorf("hand: the world of the tape: %w", err)
	}
	defer world.Close(first)
	if t.begin, err = world.NewSnapshot(s); err != nil {
		return err
	}
	t.own, t.inputs, t.steps, t.loops = true, inputs, steps, true
	return t.begin.Take(first)
}

// Next returns the world and the input of the next step. Call it before each step. It records and
// returns its arguments or, in a loop, returns the tape's world and input. The input is valid until
// the next call. Next returns the errors of [world.Restore] and [world.Snapshot].Take.
//
//	for h.Continue(state) {
//		state, input, err = tape.Next(state, input)
//		state = step(state, input)
//	}
func (t *Tape) Next(s world.State, input []byte) (world.State, []byte, error) {
	if t.mustBeOpen(); len(input) != t.size {
		panic(fmt.Sprintf("hand: an input of %d bytes for a tape of inputs of %d; they are all as "+
			"long as NewTape was told", len(input), t.size))
	}
	if t.frames == nil {
		return s, input, nil
	}
	if t.tasks.loop.Load() && t.tasks.loop.CompareAndSwap(true, false) {
		t.Loop(!t.loops)
	}
	if t.loops {
		return t.replay(s)
	}
	return s, input, t.record(s, input)
}

func (t *Tape) replay(s world.State) (world.State, []byte, error) {
	t.at %= t.steps
	if t.at == 0 {
		var err error
		if s, err = world.Restore(s, t.begin); err != nil {
			return s, nil, err
		}
	}
	t.at++
	return s, t.inputs[(t.at-1)*t.size : t.at*t.size], nil
}

func (t *Tape) record(s world.State, input []byte) error {
	first, next := t.frames.Frames()
	if t.full == t.each || first == next {
		if err := t.frames.Record(s, make([]byte, t.each*t.size)); err != nil {
			return err
		}
		t.full, next = 0, next+1
	}
	all, err := t.frames.Input(next - 1)
	copy(all[t.full*t.size:], input)
	t.full++
	return err
}

// Looping reports whether the tape loops.
func (t *Tape) Looping() bool { return t.mustBeOpen().loops }

// Records reports whether the supervisor asked for a tape.
func (t *Tape) Records() bool { return t.mustBeOpen().frames != nil }

// Loop starts to repeat the tape from its beginning, or ends the loop, so that the program
// continues from the current step. It does nothing if nothing is recorded yet.
func (t *Tape) Loop(on bool) {
	switch t.mustBeOpen(); {
	case on == t.loops || t.frames == nil:
	case on:
		t.rewind()
	default:
		t.loops = false
		t.frames.Restart(0)
		t.drop()
	}
}

// rewind makes the recorded steps a loop.
func (t *Tape) rewind() {
	first, next := t.frames.Frames()
	if first == next {
		return
	}
	t.steps = (next-1-first)*t.each + t.full
	t.inputs = t.inputs[:0]
	for n := first; n < next; n++ {
		input, _ := t.frames.Input(n) // the frames exist
		t.inputs = append(t.inputs, input...)
	}
	t.begin, _ = t.frames.Snapshot(first)
	t.own, t.at, t.loops = false, 0, true
}

// drop discards the loop.
func (t *Tape) drop() {
	if t.own {
		t.begin.Close()
	}
	t.begin, t.own, t.inputs = nil, false, nil
}

// Close ends recording and releases the tape's memory.
func (t *Tape) Close() {
	if t.mustBeOpen(); t.begin != nil {
		t.drop()
	}
	if t.frames != nil {
		t.frames.Close()
	}
	t.frames, t.loops = nil, false
	if t.of.tape == t {
		t.of.tape = nil
	}
}
