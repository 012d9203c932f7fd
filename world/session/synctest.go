package session

import (
	"cmp"
	"fmt"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
)

// A SyncTest plays a world alone and repeats every step, as rollbacks would, to find steps that
// depend on more than the world's bytes and the input. It is slow. It belongs to one goroutine.
type SyncTest struct {
	step   step
	past   *history.History // the results of the first run
	now    *world.Snapshot  // after the last step
	desync *DesyncError
	cut    bool // a step panicked
}

// NewSyncTest returns a test that goes back by frames frames in every step. inputBytes is the
// number of bytes of all players' inputs together. It returns the errors of [history.New].
func NewSyncTest(
	s world.State, frames, inputBytes int, step func(s world.State, inputs []byte) world.State,
) (*SyncTest, error) {
	if frames < 1 || step == nil {
		panic(fmt.Sprintf("session: a sync test of %d frames; have 1 or more, a step", frames))
	}
	past, err := history.New(s, frames, inputBytes)
	if err != nil {
		return nil, err
	}
	now, err := world.NewSnapshot(s)
	if err != nil {
		past.Close()
		return nil, err
	}
	return &SyncTest{step: step, past: past, now: now}, nil
}

const noSyncTest = "session: this SyncTest is nil, or was not made; make one by NewSyncTest"

// Close releases the memory of t. Closing twice is allowed. It panics if t is nil.
func (t *SyncTest) Close() {
	if t == nil {
		panic(noSyncTest)
	}
	if t.past != nil {
		t.past.Close()
		t.now.Close()
	}
}

// Advance takes a step, goes back, and repeats the last steps. If a repeated step has a different
// result, the error is a [*DesyncError], also from then on, and the world is as after the first
// run.
func (t *SyncTest) Advance(s world.State, inputs []byte) (world.State, error) {
	switch {
	case t == nil || t.past == nil:
		panic(noSyncTest)
	case t.desync != nil:
		return s, t.desync
	}
	if t.cut {
		t.past.Restart(0)
	}
	t.cut = true
	s, err := t.advance(s, inputs)
	t.cut = false
	return s, err
}

// advance is Advance, if no difference was found before.
func (t *SyncTest) advance(s world.State, inputs []byte) (world.State, error) {
	if err := t.past.Record(s, inputs); err != nil {
		return s, err
	}
	s = t.step.take(s, inputs)
	if err := t.now.Take(s); err != nil {
		return s, err
	}
	s, differs := t.replay(s)
	if differs != nil && t.desync == nil {
		return s, differs
	}
	s, err := world.Restore(s, t.now)
	return s, cmp.Or(err, differs)
}

// replay repeats the stored steps, from the first, up to a step with a different result.
func (t *SyncTest) replay(s world.State) (world.State, error) {
	from, next := t.past.Frames()
	begin, err := t.past.Snapshot(from)
	if err == nil {
		s, err = world.Restore(s, begin)
	}
	s = tool.SetResimulating(s, true)
	for frame := from; frame < next && err == nil; frame++ {
		var input []byte
		if input, err = t.past.Input(frame); err == nil {
			s = t.step.take(s, input)
			err = t.compare(frame+1, s)
		}
	}
	return tool.SetResimulating(s, false), err
}

// compare compares a world before the step of a frame with the world of the first run.
func (t *SyncTest) compare(frame int, s world.State) error {
	then, err := t.now.State(), error(nil)
	if _, next := t.past.Frames(); frame < next {
		then, err = t.past.At(frame)
	}
	if err != nil {
		return err
	}
	d, differ, err := tool.FirstDifference(then, s)
	if !differ || err != nil {
		return err
	}
	t.desync = &DesyncError{
		Frame: frame, Player: -1, Difference: &history.Difference{Frame: frame, Difference: d},
	}
	return t.desync
}
