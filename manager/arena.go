package manager

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"sync"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// An Arena owns all bytes of a world, and the views of them: the game objects, one manager per
// kind, and for each block of 64 objects the set of kinds that any of them has.
type Arena struct {
	Bytes    []byte
	Objects  *gameobject.Registry
	Managers []Manager // in the order of the counts
	Watchers []Watcher
	Watches  []*Watch // the rules of the watchers, without duplicates
	Tick     *uint64  // current step; writes are stamped with it
	Words    int      // of kinds, per block
	memory   *buffer.Range
	kinds    []uint64 // Words per block; derived: bit k of word w is kind 64w+k of Managers
	bare     []*Watch // watches whose rules name no kind
	slots    []uint16 // per kind number: its index in Managers, plus 1
	sizes    Sizes
	registry gameobject.Registry // Objects points to it
	naming   sync.Once           // guards parts
	parts    []Part              // the list, without bytes
	viewing  sync.Once           // guards views
	views    []Part
}

// Sizes are the sizes of an arena.
type Sizes struct {
	Objects  int
	Pools    int            // of objects in slabs, one per recipe
	InOrder  bool           // reuse the indexes of loose objects first in, first out
	Kinds    []layout.Count // one manager each
	Watchers int            // Arena.Watch sets the rules of each before the first change
}

const maxKinds = 1<<16 - 1

// NewArena allocates a world. The error wraps [ErrCount], [ErrKinds], [ErrKindTwice] or
// [ErrMemory].
func NewArena(sizes Sizes) (*Arena, error) {
	a := &Arena{sizes: sizes}
	if err := a.register(); err != nil {
		return nil, err
	}
	s := newSurvey(sizes.Objects, sizes.Pools)
	s.world(a)
	size, err := s.total("world")
	if err != nil {
		return nil, a.tooLarge(int(min(s.size, math.MaxInt)))
	}
	memory, ok := buffer.Reserve(size, int(s.counted))
	if !ok {
		return nil, a.tooLarge(size)
	}
	a.enlist()
	a.view(memory)
	a.begin()
	a.settleIn()
	return a, nil
}

// tooLarge returns the error for a world of size bytes.
func (a *Arena) tooLarge(size int) error {
	err, kinds := &Error{ErrMemory, "world", 0, size}, 0
	for _, n := range a.sizes.Kinds {
		if n.Free {
			kinds++
		}
	}
	if kinds == 0 {
		return err
	}
	return fmt.Errorf("%w It has room for %d game objects in each of %d kinds without a count; "+
		"set Counts.GameObjects, or count the kinds", err, a.sizes.Objects, kinds)
}

// Free releases the memory. Views of it must not be used afterwards.
func (a *Arena) Free() { a.memory.Free() }

// settleIn commits the memory of counted kinds and writes their defaults.
func (a *Arena) settleIn() {
	if a.memory.Mapped() {
		a.populate()
	}
	a.Fill()
}

// populate commits the memory of counted kinds, kind by kind.
func (a *Arena) populate() {
	parts := a.layout()
	for i := 0; i < len(parts); {
		p, next := &parts[i], i+1
		if !p.counted() {
			i++
			continue
		}
		for next < len(parts) && parts[next].counted() && parts[next].Place == p.Place {
			next++
		}
		last := &parts[next-1]
		a.memory.Fill(p.at, last.at+last.size)
		i = next
	}
}

// begin sets the initial values that are not zero.
func (a *Arena) begin() {
	*a.Tick = 1 // so that all initial values count as written after tick 0
	if a.sizes.InOrder {
		a.Objects.Count.InOrder = 1
	}
}

// Fill sets every row of the counted kinds to the defaults. The bytes must be zeroed.
func (a *Arena) Fill() {
	for i := range a.Managers {
		a.Managers[i].Fill()
	}
}

// register checks the counts and gives each kind its slot.
func (a *Arena) register() error {
	if n := max(len(a.sizes.Kinds), a.sizes.Pools); n > maxKinds {
		return &Error{ErrKinds, "", 0, n}
	}
	names := make(map[string]bool, len(a.sizes.Kinds))
	for i, n := range a.sizes.Kinds {
		spec := declared(n.Kind.Spec())
		if err := checkCount(spec.Name, n.Rows); err != nil {
			return err
		}
		if names[spec.Name] {
			return &Error{ErrKindTwice, spec.Name, 0, n.Rows}
		}
		names[spec.Name] = true
		if more := int(spec.Number) + 1 - len(a.slots); more > 0 {
			a.slots = append(a.slots, make([]uint16, more)...)
		}
		a.slots[spec.Number] = uint16(i + 1)
	}
	return checkCount("game object", a.sizes.Objects) // last: an error above names a kind
}

// enlist makes the managers and watchers whose views carve cuts.
func (a *Arena) enlist() {
	fields := 0
	for _, n := range a.sizes.Kinds {
		fields += len(n.Kind.Spec().Fields)
	}
	columns := make([]buffer.Column, fields)
	a.Managers = make([]Manager, len(a.sizes.Kinds))
	for i, n := range a.sizes.Kinds {
		m := &a.Managers[i]
		m.Kind, m.packed, m.lazy = n.Kind.Spec(), n.Packed, n.Free
		fields = len(m.Kind.Fields)
		m.Columns, columns = columns[:fields:fields], columns[fields:]
	}
	a.Watchers = make([]Watcher, a.sizes.Watchers)
}

func (a *Arena) words() int { return (len(a.sizes.Kinds) + 63) / 64 }

func (a *Arena) view(memory *buffer.Range) {
	a.memory, a.Bytes = memory, memory.Bytes
	a.carve(&buffer.Carver{Bytes: a.Bytes})
	for i := range a.Managers {
		a.Managers[i].makeValues()
	}
	a.open()
}

// open makes everything but the columns of free room writable.
func (a *Arena) open() {
	for i := range a.Managers {
		m := &a.Managers[i]
		if m.memory = a.memory; !m.lazy || !a.memory.Mapped() {
			m.ready = math.MaxUint32
		}
	}
	if !a.memory.Mapped() {
		return
	}
	parts := a.layout()
	for i := range parts {
		if p := &parts[i]; !p.Free || p.Field == nil {
			a.memory.Open(p.at, p.at+p.size)
		}
	}
}

// carve cuts the world: tick, objects, kinds per block, one region per manager, one per watcher.
func (a *Arena) carve(c *buffer.Carver) {
	objects, kinds, pools := a.sizes.Objects, a.sizes.Kinds, a.sizes.Pools
	blocks := (objects + 63) / 64
	a.Tick = buffer.CarveRecord[uint64](c)
	a.registry = gameobject.New(gameobject.Views{
		Count:       buffer.CarveRecord[gameobject.Counters](c),
		Generations: buffer.Carve[uint32](c, objects),
		Next:        buffer.Carve[uint32](c, objects),
		Alive:       buffer.Carve[uint64](c, blocks),
		Owners:      buffer.Carve[uint16](c, blocks),
		Room:        buffer.Carve[uint64](c, pools*((blocks+63)/64)),
		Lowest:      buffer.Carve[uint32](c, pools),
	})
	a.Objects = &a.registry
	a.Words = a.words()
	a.kinds = buffer.Carve[uint64](c, blocks*a.Words)
	for i, n := range kinds {
		m := &a.Managers[i]
		m.Objects, m.tick = a.Objects, a.Tick
		m.kinds = kindMask{a.kinds, a.Words, i >> 6, 1 << (i & 63)}
		m.carve(c, n.Rows, objects)
	}
	for i := range a.Watchers {
		a.Watchers[i] = carveWatcher(c, a.Objects, objects)
	}
}

// Sizes returns the sizes that a was made with.
func (a *Arena) Sizes() Sizes { return a.sizes }

// Verify is [Manager.Verify] of every manager and watcher, and of the objects.
func (a *Arena) Verify() error {
	if err := a.Objects.Verify(); err != nil {
		return err
	}
	for i := range a.Managers {
		if err := a.Managers[i].Verify(); err != nil {
			return err
		}
	}
	for i := range a.Watchers {
		if err := a.Watchers[i].verify(); err != nil {
			return fmt.Errorf("flatecs: watcher %d: %w", i, err)
		}
	}
	return nil
}

// Find returns the manager of a kind, or nil if this world does not have it.
func (a *Arena) Find(k *layout.KindSpec) *Manager {
	if slot := a.Slot(k); slot >= 0 {
		return &a.Managers[slot]
	}
	return nil
}

// Kinds returns the kinds that any object of a block has, one bit per manager, 64 to a word.
func (a *Arena) Kinds(block uint32) []uint64 {
	return a.kinds[int(block)*a.Words:][:a.Words]
}

// Among yields the managers of the kinds that any object of a block has or keeps suspended.
func (a *Arena) Among(block uint32) iter.Seq[*Manager] {
	return func(yield func(*Manager) bool) {
		a.checkKinds(block)
		for w, kinds := range a.Kinds(block) {
			for ; kinds != 0; kinds &= kinds - 1 {
				if !yield(&a.Managers[w<<6+bits.TrailingZeros64(kinds)]) {
					return
				}
			}
		}
	}
}

// Refuse returns the error of an id that the registry refused.
func (a *Arena) Refuse(err error, id gameobject.ID) error {
	return &Error{err, "game object", id, a.Objects.Cap()}
}
