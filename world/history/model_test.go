package history_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
)

var (
	pastAge   = layout.NewField[uint16]("past age")
	pastPlace = layout.NewField("past place", [2]float32{1, 2})
	pastThing = layout.NewKind("past thing", pastAge, pastPlace)
	pastLoud  = layout.NewMark("past loud")
)

// A past is a world of Go maps, and a copy of it is one of its copies.
type past struct {
	age    map[world.GameObject]uint16 // who has a thing
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
