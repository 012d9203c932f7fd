package history_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	_, differ := world.Must2(h.FirstDifference(other))
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

	d, differ := world.Must2(ha.FirstDifference(hb))
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
	d, differ := world.Must2(ha.FirstDifference(hb))
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

var (
	pastAge   = layout.NewField[uint16]("past age")
	pastPlace = layout.NewField("past place", [2]float32{1, 2})
	pastThing = layout.NewKind("past thing", pastAge, pastPlace)
	pastLoud  = layout.NewMark("past loud")
)

// A past is a world of Go maps, and a copy of it is one of its copies.
type past struct {
	age    map[world.GameObject]uint16 // objects that have a thing
	place  map[world.GameObject][2]float32
	loud   map[world.GameObject]bool
	living []world.GameObject // in the order of their creation
	made   []world.GameObject // every id that was ever given out
}

func (p *past) clone() past {
	return past{
		maps.Clone(p.age), maps.Clone(p.place), maps.Clone(p.loud), slices.Clone(p.living),
		slices.Clone(p.made),
	}
}

// step does what the input says to the world and to the maps.
func (p *past) step(s world.State, input []byte) world.State {
	r := rand.New(rand.NewPCG(uint64(input[0]), uint64(input[1])))
	for range 3 + r.IntN(6) {
		if len(p.living) == 0 || r.IntN(3) == 0 {
			s = p.create(s)
			continue
		}
		at := r.IntN(len(p.living))
		s = p.change(s, r, at, p.living[at])
	}
	for id := range p.age {
		p.age[id]++
	}
	for row := range world.All(s, pastThing) {
		s = world.SetRow(s, pastAge, row, world.GetRow(s, pastAge, row)+1)
	}
	return world.Advance(s)
}

func (p *past) create(s world.State) world.State {
	s, id, err := world.Create(s)
	if err == nil {
		p.living, p.made = append(p.living, id), append(p.made, id)
	}
	return s
}

func (p *past) change(s world.State, r *rand.Rand, at int, id world.GameObject) world.State {
	_, has := p.age[id]
	switch op := r.IntN(7); {
	case op == 0:
		s = world.Must(world.Dispose(s, id))
		p.living = slices.Delete(p.living, at, at+1)
		delete(p.age, id)
		delete(p.place, id)
		delete(p.loud, id)
	case op == 1 && p.loud[id]:
		s = world.Must(world.Remove(s, id, pastLoud))
		delete(p.loud, id)
	case op == 1:
		s = world.Must(world.Add(s, id, pastLoud))
		p.loud[id] = true
	case op < 4 && has:
		s = world.Must(world.Remove(s, id, pastThing))
		delete(p.age, id)
		delete(p.place, id)
	case !has && len(p.age) < tool.Cap(s, pastThing):
		s = world.Must(world.Add(s, id, pastThing))
		p.age[id], p.place[id] = 0, [2]float32{1, 2}
	case has:
		place := [2]float32{r.Float32(), r.Float32()}
		s = world.Must(world.Set(s, id, pastPlace, place))
		p.place[id] = place
	}
	return s
}

// differs says where the world is not what the maps say.
func (p *past) differs(s world.State) error {
	living := slices.Sorted(slices.Values(p.living))
	if got := slices.Sorted(world.GameObjects(s)); !slices.Equal(got, living) {
		return fmt.Errorf("alive are %v, want %v", got, living)
	}
	for _, id := range p.living {
		age, has := p.age[id]
		switch {
		case world.Has(s, id, pastThing) != has || world.Has(s, id, pastLoud) != p.loud[id]:
			return fmt.Errorf("%v has a thing: %v, is loud: %v", id, !has, !p.loud[id])
		case !has:
		case world.Must(world.Get(s, id, pastAge)) != age:
			return fmt.Errorf("%v is not %d steps old", id, age)
		case world.Must(world.Get(s, id, pastPlace)) != p.place[id]:
			return fmt.Errorf("%v is not at %v", id, p.place[id])
		}
	}
	return nil
}

// A pasts is a history and the model of it: a copy of the maps and of the input per frame.
type pasts struct {
	s      world.State
	h      *history.History
	now    past
	before map[int]past
	inputs map[int][]byte
}

func (m *pasts) record(input []byte) error {
	_, next := m.h.Frames()
	if err := m.h.Record(m.s, input); err != nil {
		return err
	}
	m.before[next], m.inputs[next] = m.now.clone(), slices.Clone(input)
	m.s = m.now.step(m.s, input)
	return nil
}

func (m *pasts) rollback(frame int) (err error) {
	if _, next := m.h.Frames(); frame == next-1 {
		m.s, err = m.h.Undo(m.s)
	} else {
		m.s, err = m.h.Rollback(m.s, frame)
	}
	if _, next := m.h.Frames(); err == nil && next != frame {
		err = fmt.Errorf("the next frame is %d", next)
	}
	old := m.before[frame]
	m.now = old.clone()
	return err
}

// resimulate goes back, and replays the maps beside the world. With the inputs of the first time it
// has to give out the same ids.
func (m *pasts) resimulate(from int, input []byte) error {
	again := input == nil
	if !again {
		if err := m.h.SetInput(from, input); err != nil {
			return err
		}
		m.inputs[from] = slices.Clone(input)
	}
	ids, old, frame := slices.Clone(m.now.made), m.before[from], from
	m.now = old.clone()
	var wrong error
	s, err := m.h.Resimulate(m.s, from, func(s world.State, input []byte) world.State {
		if !slices.Equal(input, m.inputs[frame]) || !history.Resimulating(s) {
			wrong = fmt.Errorf("frame %d: input %v, want %v; it resimulates: %v", frame, input,
				m.inputs[frame], history.Resimulating(s))
		}
		m.before[frame] = m.now.clone()
		frame++
		return m.now.step(s, input)
	})
	m.s = s
	if again && !slices.Equal(ids, m.now.made) || history.Resimulating(s) {
		wrong = fmt.Errorf("ids %v at the first time, then %v; it resimulates: %v", ids, m.now.made,
			history.Resimulating(s))
	}
	return errors.Join(err, wrong)
}

// do does one random thing.
func (m *pasts) do(r *rand.Rand) (string, error) {
	first, next := m.h.Frames()
	input := []byte{byte(r.Uint32()), byte(r.Uint32())}
	if next > first {
		frame := first + r.IntN(next-first)
		switch r.IntN(8) {
		case 0:
			return fmt.Sprint("rollback to ", frame), m.rollback(frame)
		case 1:
			return fmt.Sprint("resimulate from ", frame), m.resimulate(frame, nil)
		case 2:
			return fmt.Sprint("late input at ", frame), m.resimulate(frame, input)
		}
	}
	return fmt.Sprint("record ", next), m.record(input)
}

func TestHistoryAgainstCopiesOfMaps(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := world.Must(world.CreateState(world.Counts{
			GameObjects: 40 + r.IntN(100), InOrder: r.IntN(2) == 0,
			Kinds: []layout.Count{
				{Kind: pastThing, Rows: 20 + r.IntN(40), Packed: r.IntN(2) == 0}, pastLoud.Count(0),
			},
		}))
		m := &pasts{
			s: s, h: world.Must(history.New(s, 1+r.IntN(12), 2)),
			now: past{
				age: map[world.GameObject]uint16{}, place: map[world.GameObject][2]float32{},
				loud: map[world.GameObject]bool{},
			},
			before: map[int]past{}, inputs: map[int][]byte{},
		}
		for range 150 {
			op, err := m.do(r)
			require.NoError(t, err, "seed %d, %s", seed, op)
			require.NoError(t, tool.Verify(m.s), "seed %d, %s", seed, op)
			require.NoError(t, m.now.differs(m.s), "seed %d, %s", seed, op)
			first, next := m.h.Frames()
			for frame := first; frame < next; frame++ {
				old, kept := m.before[frame], world.Must(m.h.Snapshot(frame)).State()
				require.NoError(t, old.differs(kept), "seed %d, %s, frame %d", seed, op, frame)
				require.Equal(t, world.Digest(kept), world.Must(m.h.Digest(frame)))
				require.Equal(t, m.inputs[frame], world.Must(m.h.Input(frame)))
			}
		}
	}
}
