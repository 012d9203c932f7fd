package timeline

import (
	"slices"
	"sort"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
)

// A Store holds the frames of a [Timeline] opened by [Open], such as the files of package record.
// The Timeline asks only for frames in the range of Frames.
type Store interface {
	// Frames returns the range of frames: first ≤ frame < next. It stays the same.
	Frames() (first, next int)

	// Worlds returns the kept worlds, in order. The first one belongs to the first frame.
	Worlds() []World

	// Input returns the input of a frame, for reading until the next call.
	Input(frame int) ([]byte, error)

	// Restore restores s, a world that it returned before or the zero State, to a kept world, given
	// by its place in Worlds.
	Restore(s world.State, n int) (world.State, error)
}

// A World describes a world that a [Store] keeps.
type World struct {
	Frame int    // the world is from before this frame's step
	Tick  uint64 // of the world
	Fixed bool   // no step leads to it
}

// Newest returns the place of the newest of worlds, in order, that is at most frame, or -1.
func Newest(worlds []World, frame int) int {
	return sort.Search(len(worlds), func(i int) bool { return worlds[i].Frame > frame }) - 1
}

// A memory is the Store of a Timeline that records.
type memory struct {
	options Options
	every   int
	base    *world.Snapshot // base of the deltas
	coder   delta.Coder
	kept    []World  // in order; the first one's frame is the first frame
	deltas  [][]byte // of kept, relative to base
	bytes   int      // of deltas
	inputs  []byte   // of the frames from first to next
	next    int
}

func (m *memory) Worlds() []World { return m.kept }

func (m *memory) Frames() (first, next int) {
	if len(m.kept) == 0 {
		return m.next, m.next
	}
	return m.kept[0].Frame, m.next
}

func (m *memory) Input(frame int) ([]byte, error) {
	first, _ := m.Frames()
	n, i := m.options.InputBytes, frame-first
	return m.inputs[i*n : (i+1)*n], nil
}

// record stores the input of the next step, and for some frames also the world before it.
func (m *memory) record(s world.State, input []byte, changed bool) error {
	if len(m.kept) == 0 || changed || m.next-m.kept[len(m.kept)-1].Frame >= m.every {
		d, err := m.coder.Append(nil, m.base.State(), s)
		if err != nil {
			return err
		}
		m.keep(World{m.next, world.Tick(s), changed}, slices.Clip(d))
	}
	m.inputs = append(m.inputs, input...)
	m.next++
	for len(m.kept) > 1 && m.next-m.kept[1].Frame >= m.options.Frames {
		m.drop(0)
	}
	return nil
}

// keep keeps the world before the next frame, and drops others if they take too much memory.
func (m *memory) keep(w World, delta []byte) {
	m.kept, m.deltas = append(m.kept, w), append(m.deltas, delta)
	m.bytes += len(delta)
	for m.bytes > m.options.Memory && len(m.kept) > 2 {
		if m.thin() {
			m.every = min(2*m.every, m.options.Frames)
		} else {
			m.drop(0)
		}
	}
}

// thin drops every second world, except the first, the newest and worlds that no step leads to. It
// reports whether it dropped any.
func (m *memory) thin() bool {
	before := len(m.kept)
	for i := 1; i < len(m.kept)-1; i++ {
		if !m.kept[i].Fixed {
			m.drop(i)
		}
	}
	return len(m.kept) < before
}

// drop drops a kept world; dropping the first also drops the inputs up to the next.
func (m *memory) drop(i int) {
	if i == 0 {
		m.inputs = m.inputs[(m.kept[1].Frame-m.kept[0].Frame)*m.options.InputBytes:]
	}
	m.forget(i, i+1)
}

// dropFrom drops a frame and all later ones.
func (m *memory) dropFrom(frame int) {
	first, _ := m.Frames()
	m.inputs = m.inputs[:(frame-first)*m.options.InputBytes]
	m.forget(Newest(m.kept, frame-1)+1, len(m.kept))
	m.next = frame
}

// forget drops kept worlds without their inputs.
func (m *memory) forget(from, to int) {
	for _, d := range m.deltas[from:to] {
		m.bytes -= len(d)
	}
	m.kept, m.deltas = slices.Delete(m.kept, from, to), slices.Delete(m.deltas, from, to)
}

func (m *memory) Restore(s world.State, n int) (world.State, error) {
	var err error
	if s == (world.State{}) {
		s, err = world.Clone(m.base.State())
	} else {
		s, err = world.Restore(s, m.base)
	}
	if err != nil {
		return s, err
	}
	return m.coder.Apply(s, m.deltas[n])
}
