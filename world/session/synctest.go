package session

import (
	"fmt"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
)

// A SyncTest plays a world alone and repeats every step, as rollbacks would, to find steps that
// depend on more than the world's bytes and the input. It is slow. It belongs to one goroutine.
type SyncTest struct {
	step   step
	first  *history.History // results of the first time
	again  *history.History // results of the repetition
	now    *world.Snapshot
	frames int
	desync *DesyncError
	cut    bool // a step panicked
}

// NewSyncTest returns a test that goes back by frames frames in every step. inputBytes is the
// number of bytes of all players' inputs together. The error is that of [history.New].
func NewSyncTest(
	s world.State, frames, inputBytes int, step func(s world.State, inputs []byte) world.State,
) (*SyncTest, error) {
	if frames < 1 || step == nil {
		panic(fmt.Sprintf("session: a sync test of %d frames; have 1 or more, a step", frames))
	}
	first, err := history.New(s, frames, inputBytes)
	if err != nil {
		return nil, err
	}
	t := &SyncTest{step: step, first: first, frames: frames}
	if t.again, err = history.New(s, frames, inputBytes); err == nil {
		t.now, err = world.NewSnapshot(s)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

const noSyncTest = "session: this SyncTest is nil, or was not made; make one by NewSyncTest"

// Close releases the memory of t. Closing twice is allowed. It panics if t is nil.
func (t *SyncTest) Close() {
	if t == nil {
		panic(noSyncTest)
	}
	for _, h := range []*history.History{t.first, t.again} {
		if h != nil {
			h.Close()
		}
	}
	if t.now != nil {
		t.now.Close()
	}
}

// Advance takes a step, goes back, and repeats the last steps. If a repeated step has another
// result, the error is a [*DesyncError], also from then on, and the world is as after the first
// run.
func (t *SyncTest) Advance(s world.State, inputs []byte) (world.State, error) {
	switch {
	case t == nil || t.first == nil:
		panic(noSyncTest)
	case t.desync != nil:
		return s, t.desync
	}
	if t.cut {
		t.first.Restart(0)
	}
	t.cut = true
	s, err := t.advance(s, inputs)
	t.cut = false
	return s, err
}

// advance is Advance, unless there was a difference before.
func (t *SyncTest) advance(s world.State, inputs []byte) (world.State, error) {
	if err := t.first.Record(s, inputs); err != nil {
		return s, err
	}
	s = t.step.take(s, inputs)
	if err := t.now.Take(s); err != nil {
		return s, err
	}
	s, err := t.replay(s)
	if err != nil {
		return s, err
	}
	differs := t.compare(s)
	if s, err = world.Restore(s, t.now); err != nil {
		return s, err
	}
	return s, differs
}

// replay repeats the stored steps, from the first.
func (t *SyncTest) replay(s world.State) (world.State, error) {
	from, next := t.first.Frames()
	begin, err := t.first.Snapshot(from)
	if err != nil {
		return s, err
	}
	if s, err = world.Restore(s, begin); err != nil {
		return s, err
	}
	t.again.Restart(from)
	s = tool.SetResimulating(s, true)
	for frame := from; frame < next; frame++ {
		input, err := t.first.Input(frame)
		if err == nil {
			err = t.again.Record(s, input)
		}
		if err != nil {
			return s, err
		}
		s = t.step.take(s, input)
	}
	return tool.SetResimulating(s, false), nil
}

// compare compares both results.
func (t *SyncTest) compare(s world.State) error {
	d, differ, err := t.first.FirstDifference(t.again)
	if err != nil {
		return err
	}
	if !differ {
		_, d.Frame = t.first.Frames()
		d.Difference, differ, err = tool.FirstDifference(t.now.State(), s)
	}
	if !differ || err != nil {
		return err
	}
	t.desync = &DesyncError{Frame: d.Frame, Player: -1, Difference: &d}
	return t.desync
}
