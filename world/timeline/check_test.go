package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/timeline"
)

// checkedFrames records frames of a step, where before frame 7 edit is called, and returns the first
// error.
func checkedFrames(
	t *testing.T, step func(world.State, []byte) world.State,
	edit func(world.State, *timeline.Timeline) world.State,
) error {
	t.Helper()
	s := newborns()
	defer func() { world.Close(s) }()
	past := world.Must(timeline.New(s, timeline.Options{
		Step: step, Frames: 100, InputBytes: 1, Every: 5, Check: true,
	}))
	defer past.Close()
	for frame := range byte(40) {
		if frame == 7 {
			s = edit(s, past)
		}
		input := []byte{frame * 5}
		before := past.Bytes()
		if err := past.Record(s, input); err != nil {
			_, next := past.Frames()
			assert.EqualValues(t, frame, next, "what is refused is not recorded")
			assert.Equal(t, before, past.Bytes())
			return err
		}
		s = step(s, input)
	}
	return nil
}

func leftAlone(s world.State, _ *timeline.Timeline) world.State { return s }

// older ages everybody by so many years.
func older(s world.State, years uint16) world.State {
	for row := range world.All(s, pastThing) {
		s = world.SetRow(s, pastAge, row, world.GetRow(s, pastAge, row)+years)
	}
	return s
}

// TestStepsThatDependOnMoreAreFound: at once, by their frame, tick, kind and field.
func TestStepsThatDependOnMoreAreFound(t *testing.T) {
	calls := uint16(0)
	impure := func(s world.State, input []byte) world.State {
		if calls++; calls > 20 {
			s = older(s, calls%2)
		}
		return live(s, input)
	}
	edited := func(s world.State, _ *timeline.Timeline) world.State { return older(s, 3) }
	said := func(s world.State, past *timeline.Timeline) world.State {
		past.Changed()
		return older(s, 3)
	}
	require.NoError(t, checkedFrames(t, live, leftAlone))
	require.NoError(t, checkedFrames(t, live, said))

	var differ *timeline.DifferError
	err := checkedFrames(t, live, edited)
	require.ErrorAs(t, err, &differ)
	assert.Equal(t, 7, differ.Frame)
	assert.Equal(t, [2]uint64{8, 8}, differ.Tick)
	assert.Equal(t, "past thing", differ.Kind)
	assert.Equal(t, "past age", differ.Field)
	assert.Regexp(t, `^timeline: frame 7, tick 8: past thing\.past age of object .* in row \d+: \d+ ≠ \d+: `+
		`the steps, taken again, lead to the second: keep the step to its world and input, and call Changed`,
		err.Error())

	err = checkedFrames(t, impure, leftAlone)
	require.ErrorAs(t, err, &differ)
	assert.Less(t, differ.Frame, 14, "the step of call 21 or the one after")
	assert.Equal(t, "past age", differ.Field)
}
