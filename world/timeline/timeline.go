package timeline

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/internal/program"
)

// ErrBeside is the error of a world with Go values, which a [Timeline] cannot restore.
var ErrBeside = errors.New("a Timeline keeps bytes, and this kind has Go values beside them; " +
	"keep a history.History, or make its values fields")

// Defaults of [Options].
const (
	defaultEvery  = 60        // frames
	defaultMemory = 200 << 20 // bytes
)

// Options are the options of a [Timeline].
type Options struct {
	// Step is the program's step, a function of the world and the input alone. The Timeline repeats
	// it, in its own world, to reach frames between kept ones.
	Step func(s world.State, input []byte) world.State

	Frames     int // least number of frames to keep, if Memory allows; at most 1<<26
	InputBytes int // of a frame

	// Memory is the approximate limit of bytes for all kept worlds; 0 means 200 MB. Beyond it,
	// every second world is dropped, or, if no step leads to any of them, the first frames. At
	// least two are kept. Inputs, and the Timeline's two working worlds, are not included.
	Memory int

	Every int // frames between kept worlds, until Memory is full; 0: 60

	// Check makes each Record repeat the last step, and return a [*DifferError] if the result
	// differs from the recorded world. It is for tests, like a session.SyncTest.
	Check bool
}

// A DifferError is the error of a step that depends on more than the world and the input, or of a
// world that was changed outside of a step without a call of [Timeline.Changed]. The first of the
// two worlds is the one passed to Record.
type DifferError struct{ history.Difference }

// Error names the frame, the tick, and the first kind and field that differ.
func (e *DifferError) Error() string {
	if e == nil {
		program.Refuse("timeline: a nil DifferError says nothing; take that of Record")
	}
	return "timeline: " + e.String() + ": the steps, taken again, lead to the second: keep the " +
		"step to its world and input, and call Changed after all else that changes the world"
}

// A Timeline stores a long past: millions of frames, while a [history.History] stores some hundred.
// It stores the inputs of all frames, and the world before some frames as its difference from the
// first; it reaches other frames by repeating steps.
//
//	frame    first    …    first+Every    …    next-1    next
//	kept     before        before                        (the present)
//	         input  input  input       input   input
//
// Keeping a frame's world takes the time of a delta: 4 ms for 100,000 objects that all moved. 200
// MB hold more than ten minutes of them at 60 frames a second. A Timeline belongs to one goroutine.
//
//	go test ./world/timeline -run '^$' -bench Timeline -benchtime 20x
type Timeline struct {
	options Options
	store   Store
	own     *memory     // the store, unless Open was given another one
	changed bool        // outside of a step, since the last step
	view    world.State // another world, before the step of frame at; stale if at is lost
	at      int
}

// Values of Timeline.at if the world of [Timeline.At] is not before a stored frame.
const (
	lost   = -1            // there is no world, or a step panicked
	beyond = math.MaxInt32 // the frame was dropped
)

// New returns an empty timeline for the world of s. It allocates a copy of the world, and another
// one at the first call of [Timeline.At]. It returns the errors of [world.NewSnapshot] and
// [systems.Snapshot.Take], or an error that wraps [ErrBeside].
func New(s world.State, o Options) (*Timeline, error) {
	switch {
	case o.Step == nil:
		program.Refuse("timeline: a Timeline without a Step; give the one that the program takes")
	case o.Frames < 1 || o.Frames > 1<<26 || o.InputBytes < 0 || o.Memory < 0 || o.Every < 0:
		return nil, fmt.Errorf("timeline: a Timeline of %d frames, %d bytes of input, %d of "+
			"memory, a world in %d frames: %w; give 1 to %d frames, and no negative number",
			o.Frames, o.InputBytes, o.Memory, o.Every, world.ErrCount, 1<<26)
	}
	for _, u := range tool.KindUses(s) {
		if column, _ := tool.ValueColumn(s, u.Kind); column != nil {
			return nil, fmt.Errorf("timeline: %s: %w", u.Kind, ErrBeside)
		}
	}
	base, err := program.Snapshot(s)
	if err != nil {
		return nil, err
	}
	own := &memory{options: o, every: cmp.Or(o.Every, defaultEvery), base: base}
	own.options.Memory = cmp.Or(o.Memory, defaultMemory)
	return &Timeline{options: o, store: own, own: own, at: lost}, nil
}

// Open returns the timeline of a Store that was recorded elsewhere, for reading: it refuses to
// record. step is as in [Options].
func Open(of Store, step func(s world.State, input []byte) world.State) *Timeline {
	if of == nil || step == nil {
		program.Refuse("timeline: Open without a Store, or without a step; give both")
	}
	return &Timeline{options: Options{Step: step}, store: of, at: lost}
}

const noTimeline = "timeline: this Timeline is nil, closed, or was not made; make one by New"

func (t *Timeline) mustBeOpen() *Timeline {
	if t == nil || t.store == nil {
		program.Refuse(noTimeline)
	}
	return t
}

// mustRecord returns the memory in which t records. It panics after Open.
func (t *Timeline) mustRecord() *memory {
	if t.mustBeOpen().own == nil {
		program.Refuse("timeline: a Timeline by Open is for reading; record in one by New")
	}
	return t.own
}

// Close releases all memory, and the world of [Timeline.At]. Closing twice is allowed. It panics if
// t is nil.
func (t *Timeline) Close() {
	if t == nil {
		program.Refuse(noTimeline)
	}
	if t.store != nil {
		if t.own != nil {
			t.own.base.Close()
		}
		t.unfreeze()
		systems.Discard(t.view)
	}
	*t = Timeline{}
}

// Frames returns the range of stored frames: first ≤ frame < next.
func (t *Timeline) Frames() (first, next int) { return t.mustBeOpen().store.Frames() }

// Bytes returns the number of bytes that the kept worlds and the inputs take in memory.
func (t *Timeline) Bytes() int {
	if t.mustBeOpen().own == nil {
		return 0
	}
	return t.own.bytes + len(t.own.inputs)
}

// Input returns the input of a frame, in place, for reading. The error wraps [history.ErrFrame].
func (t *Timeline) Input(frame int) ([]byte, error) {
	if first, next := t.Frames(); frame < first || frame >= next {
		return nil, t.missing(frame)
	}
	return t.store.Input(frame)
}

func (t *Timeline) missing(frame int) error {
	first, next := t.Frames()
	return program.NoFrame("timeline", history.ErrFrame, frame, first, next)
}

// Record stores the input of the next step as the next frame, and for some frames also the world
// before the step. It returns the errors of [tool.Settled], or an error that wraps
// [systems.ErrOther] if the world has other counts than the world given to [New]; then the timeline
// is unchanged. It panics if input does not have the length given to New, and after [Open].
func (t *Timeline) Record(s world.State, input []byte) error {
	m := t.mustRecord()
	if n := t.options.InputBytes; len(input) != n {
		panic(fmt.Sprintf("timeline: an input of %d bytes for a Timeline of inputs of %d; inputs "+
			"are all as long as New was told", len(input), n))
	}
	if err := tool.Settled(s); err != nil {
		return err
	}
	if err := t.check(s); err != nil {
		return err
	}
	if err := m.record(s, input, t.changed); err != nil {
		return err
	}
	if t.changed && t.at == m.next-1 {
		t.at = beyond // the world of At is that before the change
	}
	t.changed = false
	return nil
}

// check compares the world before the next frame with the result of repeating the last step.
func (t *Timeline) check(s world.State) error {
	if !t.options.Check || len(t.own.kept) == 0 || t.changed {
		return nil
	}
	then, err := t.At(t.own.next)
	if err != nil {
		return err
	}
	return Compare(t.own.next, s, then)
}

// Compare returns nil if two worlds are equal, and otherwise a [*DifferError]: recorded is the
// world that was recorded before the step of a frame, again the result of the steps. It returns the
// errors of [tool.FirstDifference] if they cannot be compared.
func Compare(frame int, recorded, again world.State) error {
	d, differ, err := tool.FirstDifference(recorded, again)
	if !differ || err != nil {
		return err
	}
	return &DifferError{history.Difference{Frame: frame, Difference: d}}
}

// Changed tells the timeline that the world was changed outside of a step, for example by an edit:
// the next Record keeps the world, and [Timeline.At] begins there.
func (t *Timeline) Changed() {
	t.mustRecord()
	t.changed = true
}

// before returns the newest kept world up to a frame. The error wraps [history.ErrFrame].
func (t *Timeline) before(frame int) (n int, w World, err error) {
	first, next := t.Frames()
	worlds := t.store.Worlds()
	if len(worlds) == 0 || frame < first || frame > next {
		return 0, w, t.missing(frame)
	}
	n = Newest(worlds, frame)
	return n, worlds[n], nil
}

// Kept returns the newest frame up to frame whose world is kept, from which [Timeline.At] begins.
// The error wraps [history.ErrFrame].
func (t *Timeline) Kept(frame int) (int, error) {
	_, kept, err := t.before(frame)
	return kept.Frame, err
}

// KeptByTick returns the newest frame whose world is kept and whose tick is at most tick. The error
// wraps [history.ErrFrame].
func (t *Timeline) KeptByTick(tick uint64) (int, error) {
	worlds := t.mustBeOpen().store.Worlds()
	n := sort.Search(len(worlds), func(i int) bool { return worlds[i].Tick > tick })
	if n == 0 {
		first, _ := t.Frames()
		return 0, fmt.Errorf("timeline: tick %d: %w: it is before frame %d, the first; keep more "+
			"frames by New", tick, history.ErrFrame, first)
	}
	return worlds[n-1].Frame, nil
}

// At returns the world before the step of a frame, or after the last step if the frame is next. The
// world belongs to the timeline and is valid for reading until the next call of At or Close: calls
// that write to it panic; use [world.Clone] to continue from there. At repeats the steps from the
// newest kept world, or from the frame of the last call if that is nearer: from one frame to the
// next it always takes one step, even if the next world was changed outside of steps, so that the
// step does not lead to it; then a panic of the step is dropped. It returns the errors of
// [world.Clone] and of the Store, or an error that wraps [history.ErrFrame].
func (t *Timeline) At(frame int) (world.State, error) {
	n, kept, err := t.before(frame)
	if err != nil {
		return world.State{}, err
	}
	if t.unfreeze(); t.at == lost {
		systems.Discard(t.view)
		t.view = world.State{}
	}
	first, _ := t.store.Frames()
	at := t.at
	t.at = lost // in case a step panics
	if kept.Fixed && first <= at && at == kept.Frame-1 {
		if err := t.leave(at); err != nil {
			return world.State{}, err
		}
	}
	if at < max(kept.Frame-1, first) || at > frame || kept.Fixed && at < kept.Frame {
		if t.view, err = t.store.Restore(t.view, n); err != nil {
			return world.State{}, err
		}
		at = kept.Frame
	}
	if t.view, err = t.play(t.view, at, frame); err != nil {
		return world.State{}, err
	}
	t.view = systems.Freeze(t.view, true)
	t.at = frame
	return t.view, nil
}

// leave takes the step of a frame for callers that trace it: another world comes after it.
func (t *Timeline) leave(frame int) (err error) {
	s := t.view
	t.view = world.State{} // in case the step panics
	defer func() {
		if recover() != nil {
			systems.Discard(s)
		}
	}()
	t.view, err = t.play(s, frame, frame+1)
	return err
}

// unfreeze lets the timeline write to its world.
func (t *Timeline) unfreeze() {
	if t.at != lost {
		t.view = systems.Freeze(t.view, false)
	}
}

// Rollback restores the world of s to its state before the step of a frame, and drops that frame
// and all later ones: the next Record records this frame again. After [Open] the frames stay, and s
// is closed if it was resized since the frame, so that its counts differ. It returns the errors of
// [world.Restore], or an error that wraps [history.ErrFrame]; then world and timeline are
// unchanged.
func (t *Timeline) Rollback(s world.State, frame int) (world.State, error) {
	n, kept, err := t.before(frame)
	if err != nil {
		return s, err
	}
	if t.own == nil {
		return t.copyTo(s, frame)
	}
	if s, err = t.own.Restore(s, n); err != nil {
		return s, err
	}
	if s, err = t.play(s, kept.Frame, frame); err != nil {
		return s, err
	}
	t.own.dropFrom(frame)
	t.changed = kept.Fixed && kept.Frame == frame // no step leads to it
	if t.at > frame {
		t.at = beyond
	}
	return s, nil
}

// copyTo is Rollback for a timeline by Open, whose frames stay.
func (t *Timeline) copyTo(s world.State, frame int) (world.State, error) {
	then, err := t.At(frame)
	if err != nil {
		return s, err
	}
	p, err := program.Snapshot(then)
	if err != nil {
		return s, err
	}
	defer p.Close()
	back, err := world.Restore(s, p)
	if errors.Is(err, systems.ErrOther) { // s was resized
		if back, err = world.Clone(p.State()); err != nil {
			return s, err
		}
		systems.Discard(s)
	}
	return back, err
}

// play repeats steps. It returns the errors of the store's inputs.
func (t *Timeline) play(s world.State, from, to int) (world.State, error) {
	s = tool.SetResimulating(s, true)
	for n := from; n < to; n++ {
		input, err := t.store.Input(n)
		if err != nil {
			return s, err
		}
		s = program.Kept(s, t.options.Step(s, input), "timeline: the Step of a Timeline", "")
	}
	return tool.SetResimulating(s, false), nil
}
