package history_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// pushed returns a world of n heroes that pushStep moves.
func pushed(n int) world.State {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 2 * n, Kinds: layout.Kinds(
		heroes.Position.Count(n), heroes.Velocity.Count(n),
	), Seed: 1}))
	for range n {
		s, _ = world.Must2(world.CreateWith(s, heroes.Position, heroes.Velocity))
	}
	return s
}

// pushStep speeds every hero up by the input, draws a number and moves all.
func pushStep(s world.State, input []byte) world.State {
	for row := range world.All(s, heroes.Velocity) {
		s = world.SetRow(s, heroes.Velocity, row, world.GetRow(s, heroes.Velocity, row)+float32(input[0]))
	}
	s, _ = world.NextStream(s)
	return world.Advance(heroes.MoveAll(s))
}

// played takes frames of pushStep, the input of each its number.
func played(t *testing.T, s world.State, h *history.History, frames int) world.State {
	t.Helper()
	for range frames {
		_, next := h.Frames()
		input := []byte{byte(next)}
		require.NoError(t, h.Record(s, input))
		s = pushStep(s, input)
	}
	return s
}

func TestACopyOfAResimulatingWorldIsNot(t *testing.T) {
	s := tool.SetResimulating(pushed(1), true)
	assert.False(t, history.Resimulating(world.Must(world.Clone(s))))
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	assert.False(t, history.Resimulating(p.State()))
	assert.True(t, history.Resimulating(world.Must(world.Restore(s, p))), "it goes on")
}

func TestHistoryErrorsNameTheFramesAndTheCure(t *testing.T) {
	s := pushed(1)
	h := world.Must(history.New(s, 3, 1))
	missing := func(frame int) string {
		_, err := h.Digest(frame)
		require.ErrorIs(t, err, history.ErrFrame)
		_, other := h.Rollback(s, frame)
		require.Equal(t, err, other)
		_, other = h.Resimulate(s, frame, pushStep)
		require.Equal(t, err, other)
		_, other = h.Input(frame)
		require.Equal(t, err, other)
		_, other = h.Snapshot(frame)
		require.Equal(t, err, other)
		require.Equal(t, err, h.SetInput(frame, []byte{1}))
		return err.Error()
	}
	assert.Equal(t, "history: frame 0: the history does not have this frame: "+
		"none is kept yet; record it first", missing(0))
	s = played(t, s, h, 5)
	assert.Equal(t, "history: frame 1: the history does not have this frame: "+
		"2 to 4 are kept; keep more frames by New", missing(1))
	assert.Equal(t, "history: frame 5: the history does not have this frame: "+
		"2 to 4 are kept; record it first", missing(5))
	missing(-1)

	other := world.Must(history.New(s, 3, 1))
	_, _, err := h.FirstDifference(other)
	require.ErrorIs(t, err, history.ErrFrame, "no frame is in both")
	other.Restart(4)
	_ = played(t, s, other, 1)
	_, differ, err := h.FirstDifference(other)
	require.NoError(t, err)
	assert.True(t, differ, "frame 4 of one is frame 5 of the other")
}

func TestHistoryOfAnotherWorldIsRefused(t *testing.T) {
	s, small := pushed(4), pushed(1)
	h := world.Must(history.New(s, 3, 0))
	require.ErrorIs(t, h.Record(small, nil), systems.ErrOther)
	_, next := h.Frames()
	assert.Zero(t, next, "the history is as it was")
	require.NoError(t, h.Record(s, nil))
	_, err := h.Rollback(small, 0)
	require.ErrorIs(t, err, systems.ErrOther)
	_, err = h.Resimulate(small, 0, pushStep)
	require.ErrorIs(t, err, systems.ErrOther)
	_, next = h.Frames()
	assert.Equal(t, 1, next, "nothing is forgotten")
}

func TestHistoryMisusePanicsWithTheCure(t *testing.T) {
	s := pushed(1)
	worldtest.PanicsWith(t, func() { _, _ = history.New(s, 0, 1) }, "0 frames", "; keep one frame or more")
	worldtest.PanicsWith(t, func() { _, _ = history.New(s, 1, -1) }, "-1 bytes", "inputs of 0 bytes or more")
	h := world.Must(history.New(s, 1, 2))
	worldtest.PanicsWith(t, func() { _ = h.Record(s, []byte{1}) }, "1 bytes", "inputs of 2", "; inputs are all")
	require.NoError(t, h.Record(s, []byte{1, 2}))
	worldtest.PanicsWith(t, func() { _ = h.SetInput(0, nil) }, "0 bytes", "inputs of 2")
}

func TestFirstDifferenceOfHistories(t *testing.T) {
	a, b := pushed(5), pushed(5)
	ha, hb := world.Must(history.New(a, 8, 1)), world.Must(history.New(b, 8, 1))
	a, b = played(t, a, ha, 3), played(t, b, hb, 3)
	b = world.SetRow(b, heroes.Velocity, layout.Row(4), 77) // a desync in the step of frame 2
	_, _ = played(t, a, ha, 3), played(t, b, hb, 3)

	d, differ, err := ha.FirstDifference(hb)
	require.NoError(t, err)
	require.True(t, differ)
	assert.Equal(t, 3, d.Frame)
	assert.Equal(t, heroes.Velocity.Kind().Spec().Name, d.Kind)
	assert.Equal(t, heroes.Velocity.Spec().Name, d.Field)
	assert.Equal(t, uint32(4), d.Object.Index())
	assert.Equal(t, [2]string{"4", "77"}, d.Values)
	assert.Equal(t, "frame 3, tick 4: velocity of object 4 in row 4: 4 ≠ 77",
		d.String())
}

// TestHistoriesAreComparedWhereBothKeepFrames: at the first and the last of them, and nowhere else.
func TestHistoriesAreComparedWhereBothKeepFrames(t *testing.T) {
	keep := func(first, frames, odd int) *history.History {
		s := pushed(2)
		h := world.Must(history.New(s, 8, 1))
		h.Restart(first)
		for n := first; n < first+frames; n++ {
			input := []byte{1}
			if n == odd {
				input[0] = 9
			}
			require.NoError(t, h.Record(s, input))
		}
		return h
	}
	for _, c := range []struct{ first, frames, odd, want int }{
		{2, 4, 2, 2},  // the first of both
		{2, 4, 5, 5},  // the last of both
		{4, 2, 4, 4},  // the first, where the other has older ones
		{2, 5, 6, -1}, // later than the other's last
		{1, 2, 1, -1}, // before the other's first
		{5, 3, 5, 5},  // the only one
	} {
		d, differ, err := keep(2, 4, -1).FirstDifference(keep(c.first, c.frames, c.odd))
		require.NoError(t, err, "%v", c)
		assert.Equal(t, c.want >= 0, differ, "%v: %v", c, d)
		if differ {
			assert.Equal(t, c.want, d.Frame)
		}
	}
	for _, other := range []*history.History{keep(6, 1, 6), keep(0, 2, 0), keep(9, 1, -1), keep(0, 1, -1)} {
		_, _, err := keep(2, 4, -1).FirstDifference(other)
		require.ErrorIs(t, err, history.ErrFrame)
	}
}

func TestFirstDifferenceOfInputs(t *testing.T) {
	a, b := pushed(1), pushed(1)
	ha, hb := world.Must(history.New(a, 4, 1)), world.Must(history.New(b, 4, 1))
	_, _ = played(t, a, ha, 3), played(t, b, hb, 3)
	require.NoError(t, hb.SetInput(1, []byte{255}))
	d, differ, err := ha.FirstDifference(hb)
	require.NoError(t, err)
	require.True(t, differ)
	assert.Equal(t, "frame 1, tick 2: input: 01 ≠ ff", d.String())
}

func TestAllocsOfHistory(t *testing.T) {
	s := pushed(100)
	h := world.Must(history.New(s, 8, 1))
	input := []byte{1}
	step := pushStep
	frame := func() {
		_ = h.Record(s, input)
		s = step(s, input)
		first, next := h.Frames()
		_, _ = h.Digest(next - 1)
		_ = h.SetInput(first, input)
		s, _ = h.Resimulate(s, first, step)
		s, _ = h.Undo(s)
		_ = h.Record(s, input)
		s = step(s, input)
	}
	frame()
	assert.Zero(t, testing.AllocsPerRun(20, frame))
}

func TestTasksSeeThatTheWorldResimulates(t *testing.T) {
	s := pushed(1)
	for _, on := range []bool{true, false} {
		s = tool.SetResimulating(s, on)
		seen := !on
		s = systems.RunTasks(s, nil, []systems.Task{{Run: []func(world.State) world.State{
			func(s world.State) world.State {
				seen = history.Resimulating(s)
				worldtest.PanicsWith(t, func() { _ = tool.SetResimulating(s, true) }, "in a task; set it outside")
				return s
			},
		}}})
		assert.Equal(t, on, seen)
	}
}
