package gameobject

import (
	"iter"
	"math"
	"math/bits"
)

// Counters are the numbers of a registry.
type Counters struct {
	High uint32 // indexes ever used: the seed's maxUID
	Free uint32 // index disposed last, plus 1; 0 is none
	Live uint32 // objects alive
	_    uint32
}

// A Registry views the object region of a world.
type Registry struct {
	Generations []uint32 // per index
	next        []uint32 // per index
	alive       []uint64 // a bit per index
	count       *Counters
}

// New returns a registry over slices of one length, the number of objects that it can hold, and a
// bit per object. They are taken as they are.
func New(generations, next []uint32, alive []uint64, count *Counters) Registry {
	return Registry{generations, next, alive, count}
}

// Cap returns how many objects can be alive at once.
func (r *Registry) Cap() int { return len(r.Generations) }

// Live returns how many objects are alive.
func (r *Registry) Live() int { return int(r.count.Live) }

// High returns how many indexes were ever used: every index in use is below it.
func (r *Registry) High() int { return int(r.count.High) }

// Alive reports whether id names a live object of this registry.
func (r *Registry) Alive(id ID) bool {
	i := id.Index()
	return i < uint32(len(r.Generations)) && r.Generations[i] == id.Generation() &&
		r.alive[i>>6]>>(i&63)&1 != 0
}

// Check returns nil when id names a live object, otherwise [ErrOutOfRange] or [ErrDead].
func (r *Registry) Check(id ID) error {
	switch {
	case r.Alive(id):
		return nil
	case int64(id.Index()) >= int64(r.Cap()):
		return ErrOutOfRange
	}
	return ErrDead
}

// At returns the id of the object at index in its present generation, alive or not.
func (r *Registry) At(index uint32) ID { return MakeID(index, r.Generations[index]) }

// Words returns a bit per index, 64 to a word: 1 is alive.
func (r *Registry) Words() []uint64 { return r.alive }

// Create returns a new object, or [ErrTooMany].
func (r *Registry) Create() (ID, error) {
	c := r.count
	i := c.Free - 1
	switch {
	case c.Free != 0:
		c.Free = r.next[i]
	case c.High < uint32(len(r.Generations)):
		i = c.High
		c.High++
		r.Generations[i] = 1
	default:
		return Nobody, ErrTooMany
	}
	c.Live++
	r.alive[i>>6] |= 1 << (i & 63)
	return r.At(i), nil
}

// Dispose ends the live object at index.
func (r *Registry) Dispose(index uint32) {
	c := r.count
	c.Live--
	r.alive[index>>6] &^= 1 << (index & 63)
	if r.Generations[index] == math.MaxUint32 {
		return // retired
	}
	r.Generations[index]++
	r.next[index] = c.Free
	c.Free = index + 1
}

// All yields the live objects, ascending by index. One that is disposed meanwhile is left out.
func (r *Registry) All() iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for w := range (r.High() + 63) / 64 {
			for x := r.alive[w]; x != 0; x &= x - 1 {
				i := uint32(w<<6 + bits.TrailingZeros64(x))
				if r.alive[w]&(x&-x) != 0 && !yield(r.At(i)) {
					return
				}
			}
		}
	}
}
