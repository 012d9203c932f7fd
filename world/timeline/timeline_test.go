package timeline_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	pastAge   = layout.NewField[uint16]("past age")
	pastPlace = layout.NewField("past place", [2]float32{1, 2})
	pastThing = layout.NewKind("past thing", pastAge, pastPlace)
)

// live is a step that depends only on the world and the input: objects are created, change or are
// disposed, and all of them age.
func live(s world.State, input []byte) world.State {
	r := rand.New(rand.NewPCG(uint64(input[0]), world.Tick(s)))
	ids := slices.Collect(world.GameObjects(s))
	switch op := input[0] % 4; {
	case op == 0 || len(ids) == 0:
		if next, id, err := world.CreateWith(s, pastThing); err == nil {
			s = world.Must(world.Set(next, id, pastPlace, [2]float32{r.Float32(), 3}))
		}
	case op == 1:
		s = world.Must(world.Dispose(s, ids[r.IntN(len(ids))]))
	case op == 2:
		id := ids[r.IntN(len(ids))]
		s = world.Must(world.Set(s, id, pastPlace, [2]float32{r.Float32(), 7}))
	}
	for row := range world.All(s, pastThing) {
		s = world.SetRow(s, pastAge, row, world.GetRow(s, pastAge, row)+1)
	}
	return world.Advance(s)
}

func newborns() world.State {
	return world.Must(world.CreateState(world.Counts{
		GameObjects: 50, Kinds: layout.Kinds(pastThing.Count(40)),
	}))
}

// A timed is a timeline, the world that it records, and the model of it: digests of all frames.
type timed struct {
	*testing.T

	s        world.State
	timeline *timeline.Timeline
	options  timeline.Options
	digests  []uint64
	inputs   []byte
	edits    []bool // whether the world was changed outside of steps before the frame
	edited   bool   // since the last step
	oldest   int    // frame that may be the first
}

// edit changes the world outside of steps.
func (m *timed) edit() {
	if next, _, err := world.CreateWith(m.s, pastThing); err == nil {
		m.s, m.edited = next, true
		m.timeline.Changed()
	}
}

func (m *timed) record(input byte) {
	require.NoError(m, m.timeline.Record(m.s, []byte{input}))
	m.digests, m.inputs = append(m.digests, world.Digest(m.s)), append(m.inputs, input)
	m.edits, m.edited = append(m.edits, m.edited), false
	m.s = live(m.s, []byte{input})
}

func (m *timed) look(frame int) {
	first, next := m.timeline.Frames()
	s, err := m.timeline.At(frame)
	input, inputErr := m.timeline.Input(frame)
	if frame < first || frame > next || first == next {
		require.ErrorIs(m, err, history.ErrFrame)
		require.ErrorIs(m, inputErr, history.ErrFrame)
		return
	}
	require.NoError(m, err)
	require.False(m, history.Resimulating(s))
	if frame == next {
		require.ErrorIs(m, inputErr, history.ErrFrame)
		if m.edited {
			return
		}
		require.Equal(m, world.Digest(m.s), world.Digest(s), "the present, %d", frame)
		return
	}
	require.Equal(m, m.inputs[frame:frame+1], input)
	require.Equal(m, m.digests[frame], world.Digest(s), "frame %d of %d to %d", frame, first, next)
	require.NoError(m, tool.Verify(s))
}

func (m *timed) rollback(frame int) {
	first, next := m.timeline.Frames()
	if m.edited && frame == next {
		return // that is after the last step
	}
	before := world.Digest(m.s)
	s, err := m.timeline.Rollback(m.s, frame)
	if m.s = s; frame < first || frame > next || first == next {
		require.ErrorIs(m, err, history.ErrFrame)
		require.Equal(m, before, world.Digest(m.s))
		return
	}
	require.NoError(m, err)
	if frame == first {
		m.oldest = frame
	}
	m.digests = append(m.digests, before)[:frame+1]
	require.Equal(m, m.digests[frame], world.Digest(m.s))
	m.edits = append(m.edits, m.edited)
	m.digests, m.inputs, m.edited = m.digests[:frame], m.inputs[:frame], m.edits[frame]
	m.edits = m.edits[:frame]
}

func (m *timed) check() {
	first, next := m.timeline.Frames()
	require.Equal(m, len(m.digests), next)
	m.oldest = max(m.oldest, next-m.options.Frames)
	if m.options.Memory > 0 && slices.Contains(m.edits, true) {
		m.oldest = max(m.oldest, first) // the memory did not allow more
	}
	require.LessOrEqual(m, first, m.oldest)
}

// TestTimelinesAgainstModel: random lives of timelines that keep much and little.
func TestTimelinesAgainstModel(t *testing.T) {
	for life := range 60 {
		r := rand.New(rand.NewPCG(uint64(life), 1))
		m := timed{T: t, s: newborns(), options: timeline.Options{
			Step: live, InputBytes: 1, Frames: 1 + r.IntN(60), Every: r.IntN(9),
			Memory: []int{0, 1, 2_000, 10_000}[r.IntN(4)],
		}}
		m.timeline = world.Must(timeline.New(m.s, m.options))
		for range 150 {
			switch first, next := m.timeline.Frames(); r.IntN(8) {
			case 0, 1:
				m.look(first - 1 + r.IntN(next-first+3))
			case 2:
				m.look(next - r.IntN(2))
			case 3:
				if r.IntN(4) == 0 {
					m.rollback(first - 1 + r.IntN(next-first+3))
				}
			case 4:
				if r.IntN(4) == 0 {
					m.edit()
				}
			default:
				m.record(byte(r.UintN(256)))
			}
			m.check()
		}
		m.timeline.Close()
		m.timeline.Close()
	}
}

// TestATimelineKeepsLess: when the memory is full every second world goes, and the distance between
// them grows; the first and the newest stay.
func TestATimelineKeepsLess(t *testing.T) {
	m := timed{T: t, s: newborns(), options: timeline.Options{
		Step: live, InputBytes: 1, Frames: 5_000, Every: 1, Memory: 20_000,
	}}
	m.timeline = world.Must(timeline.New(m.s, m.options))
	defer m.timeline.Close()
	for i := range 3_000 {
		m.record(byte(i))
		require.LessOrEqual(t, m.timeline.Bytes(), 20_000+i+1, "%d frames", i)
	}
	first, next := m.timeline.Frames()
	assert.Equal(t, []int{0, 3_000}, []int{first, next})
	kept := map[int]bool{}
	for i := range next {
		k := world.Must(m.timeline.Kept(i))
		assert.LessOrEqual(t, i-k, 200)
		kept[k] = true
	}
	assert.Greater(t, len(kept), 20)
	for _, frame := range []int{0, 1, 1_500, 2_999, 3_000, 7} {
		m.look(frame)
	}
	for i := range 1_000 { // no step leads to these worlds
		m.timeline.Changed()
		m.record(byte(i))
		require.LessOrEqual(t, m.timeline.Bytes(), 20_000+3_000+i+1, "%d changes", i)
	}
	first, next = m.timeline.Frames()
	assert.Greater(t, first, 3_000)
	for frame := first - 1; frame <= next; frame += 7 {
		m.look(frame)
	}
}

// TestATimelineOfAnotherWorld: what a Timeline cannot keep is refused, and nothing changes.
func TestATimelineOfAnotherWorld(t *testing.T) {
	s := newborns()
	for _, o := range []timeline.Options{
		{},
		{Frames: 1<<26 + 1},
		{Frames: 1, InputBytes: -1},
		{Frames: 1, Memory: -1},
		{Frames: 1, Every: -1},
	} {
		o.Step = live
		_, err := timeline.New(s, o)
		require.ErrorIs(t, err, world.ErrCount, "%+v", o)
	}
	assert.PanicsWithValue(t, "timeline: a Timeline without a Step; give the one that the program "+
		"takes", func() { _, _ = timeline.New(s, timeline.Options{Frames: 1}) })

	past := world.Must(timeline.New(s, timeline.Options{
		Frames: 9, InputBytes: 1, Step: live,
	}))
	assert.PanicsWithValue(t, "timeline: an input of 2 bytes for a Timeline of inputs of 1; "+
		"inputs are all as long as New was told", func() { _ = past.Record(s, []byte{1, 2}) })
	c := world.Record(s)
	c.Create()
	require.ErrorIs(t, past.Record(s, []byte{1}), tool.ErrUnapplied)
	s = world.Must(world.Apply(s))
	other := world.Must(world.CreateState(world.Counts{GameObjects: 50}))
	require.ErrorIs(t, past.Record(other, []byte{1}), systems.ErrOther)
	first, next := past.Frames()
	assert.Equal(t, []int{0, 0}, []int{first, next})
	_, err := past.At(0)
	require.EqualError(t, err, "timeline: frame 0: "+history.ErrFrame.Error()+
		": none is kept yet; record it first")
	past.Close()
	assert.Panics(t, func() { past.Frames() })

	bag := layout.NewValues[[]int]("past bag", nil)
	s = world.Must(world.CreateState(world.Counts{GameObjects: 1, Kinds: layout.Kinds(bag)}))
	_, err = timeline.New(s, timeline.Options{Frames: 9, Step: live})
	assert.EqualError(t, err, "timeline: past bag: "+timeline.ErrBeside.Error())
}

// TestStepsThatAreTakenAgain: repeated steps are marked as such; after a step that panics the
// timeline reaches the right frames again.
func TestStepsThatAreTakenAgain(t *testing.T) {
	again, broken := 0, false
	m := timed{T: t, s: newborns(), options: timeline.Options{
		InputBytes: 1, Frames: 10, Every: 4, Step: func(s world.State, input []byte) world.State {
			if history.Resimulating(s) {
				again++
			}
			if broken && input[0] == 6 {
				panic("broken")
			}
			return live(s, input)
		},
	}}
	m.timeline = world.Must(timeline.New(m.s, m.options))
	defer m.timeline.Close()
	for i := range 12 {
		m.record(byte(i))
	}
	m.look(5)
	assert.Equal(t, 1, again, "from 4")
	broken = true
	assert.PanicsWithValue(t, "broken", func() { _, _ = m.timeline.At(7) })
	broken = false
	m.look(5)
	m.look(7)
	assert.Equal(t, 1+2+1+2, again)
	for i := range 50 {
		m.record(byte(i))
		first, next := m.timeline.Frames()
		assert.Less(t, next-first, 10+4)
	}
}

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
	kept := world.Must(past.Kept(39)) // one in five, from the start or from the last Changed
	assert.Contains(t, []int{35, 37}, kept)
	return nil
}

func leftAlone(s world.State, _ *timeline.Timeline) world.State { return s }

// older ages all objects by years years.
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

// TestAStepThatPanicsBeforeAChange: a program that recovers and goes on calls Changed, and the
// frame after that is reached from the one before, too.
func TestAStepThatPanicsBeforeAChange(t *testing.T) {
	s := newborns()
	step := func(s world.State, input []byte) world.State {
		if s = live(s, input); input[0] == 8 {
			panic("of a step")
		}
		return s
	}
	past := world.Must(timeline.New(s, timeline.Options{Step: step, InputBytes: 1, Frames: 9}))
	defer past.Close()
	require.NoError(t, past.Record(s, []byte{8}))
	assert.Panics(t, func() { step(s, []byte{8}) })
	s = world.Must(world.Recovered(s))
	past.Changed()
	require.NoError(t, past.Record(s, []byte{0}))
	for frame, alive := range []int{0, 1, 2} {
		assert.Equal(t, alive, world.Len(world.Must(past.At(frame))))
	}
	world.Close(s)
}
