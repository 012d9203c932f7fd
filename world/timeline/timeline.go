package timeline

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
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
	// every second one is dropped. At least two are kept. Inputs, and the Timeline's two working
	// worlds, are not included.
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

// A Timeline stores a long past: millions of frames, where a [history.History] stores some hundred.
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
	every   int
	base    *world.Snapshot // what the deltas are to
	coder   delta.Coder
	kept    []keptFrame // in order; the first one's frame is the first of all
	bytes   int         // of kept
	inputs  []byte      // of the frames from first to next
	next    int
	changed bool        // since the last step, by something else
	view    world.State // another world, before the step of the frame; stale if that is lost
	at      int
}

// A keptFrame is the world before the step of a frame.
type keptFrame struct {
	frame int
	tick  uint64
	delta []byte // to the base
	fixed bool   // no step leads to it
}

// What Timeline.at is where the world of [Timeline.At] is before no frame that is recorded.
const (
	lost   = -1            // there is none, or a step panicked
	beyond = math.MaxInt32 // the frame was dropped
)

// New returns an empty timeline for the world of s. It allocates a copy of the world, and another
// one at the first call of [Timeline.At]. The error is that of [world.NewSnapshot] or
// [systems.Snapshot.Take], or wraps [ErrBeside].
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
	t := &Timeline{options: o, every: cmp.Or(o.Every, defaultEvery), at: lost}
	t.options.Memory = cmp.Or(o.Memory, defaultMemory)
	var err error
	if t.base, err = program.Snapshot(s); err != nil {
		return nil, err
	}
	return t, nil
}

const noTimeline = "timeline: this Timeline is nil, closed, or was not made; make one by New"

func (t *Timeline) mustBeOpen() *Timeline {
	if t == nil || t.base == nil {
		program.Refuse(noTimeline)
	}
	return t
}

// Close releases all memory, and the world of [Timeline.At]. Closing twice is allowed. It panics if
// t is nil.
func (t *Timeline) Close() {
	if t == nil {
		program.Refuse(noTimeline)
	}
	if t.base != nil {
		t.base.Close()
		t.thaw()
		systems.Discard(t.view)
	}
	*t = Timeline{}
}

// Frames returns the range of stored frames: first ≤ frame < next.
func (t *Timeline) Frames() (first, next int) { return t.mustBeOpen().first(), t.next }

func (t *Timeline) first() int {
	if len(t.kept) == 0 {
		return t.next
	}
	return t.kept[0].frame
}

// Bytes returns the number of bytes that the kept worlds and the inputs take.
func (t *Timeline) Bytes() int { return t.mustBeOpen().bytes + len(t.inputs) }

// Input returns the input of a frame, in place, for reading. The error wraps [history.ErrFrame].
func (t *Timeline) Input(frame int) ([]byte, error) {
	if t.mustBeOpen(); frame < t.first() || frame >= t.next {
		return nil, t.missing(frame)
	}
	return t.input(frame), nil
}

func (t *Timeline) missing(frame int) error {
	return program.NoFrame("timeline", history.ErrFrame, frame, t.first(), t.next)
}

func (t *Timeline) input(frame int) []byte {
	n, i := t.options.InputBytes, frame-t.first()
	return t.inputs[i*n : (i+1)*n]
}

// Record stores the input of the next step as the next frame, and for some frames also the world
// before the step. The error is that of [tool.Settled], or wraps [systems.ErrOther] if the world
// has other counts than that of [New]; then the timeline is unchanged. It panics if input does not
// have the length given to New.
func (t *Timeline) Record(s world.State, input []byte) error {
	if n := t.mustBeOpen().options.InputBytes; len(input) != n {
		panic(fmt.Sprintf("timeline: an input of %d bytes for a Timeline of inputs of %d; inputs "+
			"are all as long as New was told", len(input), n))
	}
	if err := tool.Settled(s); err != nil {
		return err
	}
	if err := t.check(s); err != nil {
		return err
	}
	if len(t.kept) == 0 || t.changed || t.next-t.kept[len(t.kept)-1].frame >= t.every {
		d, err := t.coder.Append(nil, t.base.State(), s)
		if err != nil {
			return err
		}
		t.keep(keptFrame{t.next, world.Tick(s), slices.Clip(d), t.changed})
		t.changed = false
	}
	t.inputs = append(t.inputs, input...)
	t.next++
	for len(t.kept) > 1 && t.next-t.kept[1].frame >= t.options.Frames {
		t.drop(0)
	}
	return nil
}

// check compares the world before the next frame with what the steps lead to.
func (t *Timeline) check(s world.State) error {
	if !t.options.Check || len(t.kept) == 0 || t.changed {
		return nil
	}
	then, err := t.At(t.next)
	if err != nil {
		return err
	}
	d, differ, err := tool.FirstDifference(s, then)
	if !differ || err != nil {
		return err
	}
	return &DifferError{history.Difference{Frame: t.next, Difference: d}}
}

// Changed tells the timeline that the world was changed outside of a step, for example by an edit:
// the next Record keeps the world, and [Timeline.At] begins there.
func (t *Timeline) Changed() { t.mustBeOpen().changed = true }

// keep keeps the world before the next frame, and lets others go if they take too much.
func (t *Timeline) keep(f keptFrame) {
	t.kept, t.bytes = append(t.kept, f), t.bytes+len(f.delta)
	for t.bytes > t.options.Memory && t.thin() {
		t.every = min(2*t.every, t.options.Frames)
	}
}

// thin lets every second world go, but for the first, the newest and those that no step leads to.
// It reports whether any went.
func (t *Timeline) thin() bool {
	before := len(t.kept)
	for i := 1; i < len(t.kept)-1; i++ {
		if !t.kept[i].fixed {
			t.drop(i)
		}
	}
	return len(t.kept) < before
}

// drop lets a kept world go: the first one with the inputs up to the next.
func (t *Timeline) drop(i int) {
	if i == 0 {
		t.inputs = t.inputs[(t.kept[1].frame-t.kept[0].frame)*t.options.InputBytes:]
	}
	t.bytes -= len(t.kept[i].delta)
	t.kept = slices.Delete(t.kept, i, i+1)
}

// before returns which of the kept worlds is the newest up to a frame. The error wraps
// [history.ErrFrame].
func (t *Timeline) before(frame int) (int, error) {
	if t.mustBeOpen(); len(t.kept) == 0 || frame < t.first() || frame > t.next {
		return 0, t.missing(frame)
	}
	return sort.Search(len(t.kept), func(i int) bool { return t.kept[i].frame > frame }) - 1, nil
}

// Kept returns the newest frame up to frame whose world is kept, from which [Timeline.At] begins.
// The error wraps [history.ErrFrame].
func (t *Timeline) Kept(frame int) (int, error) {
	i, err := t.before(frame)
	if err != nil {
		return 0, err
	}
	return t.kept[i].frame, nil
}

// KeptByTick returns the newest frame whose world is kept and whose tick is at most tick. The error
// wraps [history.ErrFrame].
func (t *Timeline) KeptByTick(tick uint64) (int, error) {
	kept := t.mustBeOpen().kept
	i := sort.Search(len(kept), func(i int) bool { return kept[i].tick > tick }) - 1
	if i < 0 {
		return 0, fmt.Errorf("timeline: tick %d: %w: it is before frame %d, the first; keep more "+
			"frames by New", tick, history.ErrFrame, t.first())
	}
	return t.kept[i].frame, nil
}

// At returns the world before the step of a frame, or after the last step if the frame is next. The
// world belongs to the timeline and is valid for reading until the next call of At or Close: calls
// that write to it panic; use [world.Clone] to continue from there. At repeats the steps from the
// newest kept world, or from the frame of the last call if that is nearer: from one frame to the
// next it always takes one step. The error wraps [history.ErrFrame], or is that of [world.Clone].
func (t *Timeline) At(frame int) (world.State, error) {
	i, err := t.before(frame)
	if err != nil {
		return world.State{}, err
	}
	if t.thaw(); t.at == lost {
		systems.Discard(t.view)
		if t.view, err = world.Clone(t.base.State()); err != nil {
			return world.State{}, err
		}
	}
	at, kept := t.at, &t.kept[i]
	t.at = lost // if a step panics
	if at < max(kept.frame-1, t.first()) || at > frame || kept.fixed && at < kept.frame {
		if t.view, err = t.restore(t.view, kept); err != nil {
			return world.State{}, err
		}
		at = kept.frame
	}
	t.view = systems.Freeze(t.play(t.view, at, frame), true)
	t.at = frame
	return t.view, nil
}

// thaw lets the timeline write to its world.
func (t *Timeline) thaw() {
	if t.at != lost {
		t.view = systems.Freeze(t.view, false)
	}
}

// Rollback restores the world of s to its state before the step of a frame, and drops that frame
// and all later ones: the next Record records this frame again. The error wraps [history.ErrFrame],
// or is that of [world.Restore]; then world and timeline are unchanged.
func (t *Timeline) Rollback(s world.State, frame int) (world.State, error) {
	i, err := t.before(frame)
	if err != nil {
		return s, err
	}
	if s, err = t.restore(s, &t.kept[i]); err != nil {
		return s, err
	}
	s = t.play(s, t.kept[i].frame, frame)
	t.inputs = t.inputs[:(frame-t.first())*t.options.InputBytes]
	for i := len(t.kept) - 1; i >= 0 && t.kept[i].frame >= frame; i-- {
		t.bytes -= len(t.kept[i].delta)
		t.kept = t.kept[:i]
	}
	t.next, t.changed = frame, false
	if t.at > frame {
		t.at = beyond
	}
	return s, nil
}

// restore brings the world of s to a kept frame.
func (t *Timeline) restore(s world.State, kept *keptFrame) (world.State, error) {
	s, err := world.Restore(s, t.base)
	if err != nil {
		return s, err
	}
	return t.coder.Apply(s, kept.delta)
}

// play takes steps again.
func (t *Timeline) play(s world.State, from, to int) world.State {
	s = tool.SetResimulating(s, true)
	for n := from; n < to; n++ {
		s = program.Kept(s, t.options.Step(s, t.input(n)), "timeline: the Step of a Timeline", "")
	}
	return tool.SetResimulating(s, false)
}
