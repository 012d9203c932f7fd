package timeline

import (
	"slices"
	"sort"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
)

// A Store has the frames of a [Timeline] by [Open], such as the files of package record. Frames
// that are asked for are there.
type Store interface {
	// Frames returns the range of frames: first ≤ frame < next. It stays the same.
	Frames() (first, next int)

	// Input returns the input of a frame, for reading until the next call.
	Input(frame int) ([]byte, error)

	// Kept returns the newest frame up to frame whose world is kept, and whether no step leads to
	// that world.
	Kept(frame int) (kept int, fixed bool)

	// KeptByTick returns the newest frame whose world is kept and whose tick is at most tick.
	KeptByTick(tick uint64) (kept int, ok bool)

	// Restore brings s, a world that it returned before or the zero State, to a kept frame.
	Restore(s world.State, kept int) (world.State, error)

	Close()
}

// A memory is the Store of a Timeline that records.
type memory struct {
	options Options
	every   int
	base    *world.Snapshot // what the deltas are to
	coder   delta.Coder
	kept    []keptFrame // in order; the first one's frame is the first of all
	bytes   int         // of kept
	inputs  []byte      // of the frames from first to next
	next    int
}

// A keptFrame is the world before the step of a frame.
type keptFrame struct {
	frame int
	tick  uint64
	delta []byte // to the base
	fixed bool   // no step leads to it
}

func (m *memory) Close() { m.base.Close() }

func (m *memory) Frames() (first, next int) {
	if len(m.kept) == 0 {
		return m.next, m.next
	}
	return m.kept[0].frame, m.next
}

func (m *memory) Input(frame int) ([]byte, error) {
	first, _ := m.Frames()
	n, i := m.options.InputBytes, frame-first
	return m.inputs[i*n : (i+1)*n], nil
}

// record stores the input of the next step, and for some frames also the world before it.
func (m *memory) record(s world.State, input []byte, changed bool) error {
	if len(m.kept) == 0 || changed || m.next-m.kept[len(m.kept)-1].frame >= m.every {
		d, err := m.coder.Append(nil, m.base.State(), s)
		if err != nil {
			return err
		}
		m.keep(keptFrame{m.next, world.Tick(s), slices.Clip(d), changed})
	}
	m.inputs = append(m.inputs, input...)
	m.next++
	for len(m.kept) > 1 && m.next-m.kept[1].frame >= m.options.Frames {
		m.drop(0)
	}
	return nil
}

// keep keeps the world before the next frame, and lets others go if they take too much.
func (m *memory) keep(f keptFrame) {
	m.kept, m.bytes = append(m.kept, f), m.bytes+len(f.delta)
	for m.bytes > m.options.Memory && m.thin() {
		m.every = min(2*m.every, m.options.Frames)
	}
}

// thin lets every second world go, but for the first, the newest and those that no step leads to.
// It reports whether any went.
func (m *memory) thin() bool {
	before := len(m.kept)
	for i := 1; i < len(m.kept)-1; i++ {
		if !m.kept[i].fixed {
			m.drop(i)
		}
	}
	return len(m.kept) < before
}

// drop lets a kept world go: the first one with the inputs up to the next.
func (m *memory) drop(i int) {
	if i == 0 {
		m.inputs = m.inputs[(m.kept[1].frame-m.kept[0].frame)*m.options.InputBytes:]
	}
	m.bytes -= len(m.kept[i].delta)
	m.kept = slices.Delete(m.kept, i, i+1)
}

// dropFrom lets a frame and all later ones go.
func (m *memory) dropFrom(frame int) {
	first, _ := m.Frames()
	m.inputs = m.inputs[:(frame-first)*m.options.InputBytes]
	for i := len(m.kept) - 1; i >= 0 && m.kept[i].frame >= frame; i-- {
		m.bytes -= len(m.kept[i].delta)
		m.kept = m.kept[:i]
	}
	m.next = frame
}

// newest returns which kept world is the last one of those that come first, or -1.
func (m *memory) newest(later func(k *keptFrame) bool) int {
	return sort.Search(len(m.kept), func(i int) bool { return later(&m.kept[i]) }) - 1
}

func (m *memory) Kept(frame int) (kept int, fixed bool) {
	k := &m.kept[m.newest(func(k *keptFrame) bool { return k.frame > frame })]
	return k.frame, k.fixed
}

func (m *memory) KeptByTick(tick uint64) (kept int, ok bool) {
	i := m.newest(func(k *keptFrame) bool { return k.tick > tick })
	if i < 0 {
		return 0, false
	}
	return m.kept[i].frame, true
}

func (m *memory) Restore(s world.State, kept int) (world.State, error) {
	var err error
	if s == (world.State{}) {
		s, err = world.Clone(m.base.State())
	} else {
		s, err = world.Restore(s, m.base)
	}
	if err != nil {
		return s, err
	}
	i := m.newest(func(k *keptFrame) bool { return k.frame > kept })
	return m.coder.Apply(s, m.kept[i].delta)
}
