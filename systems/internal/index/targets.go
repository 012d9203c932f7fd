package index

import (
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// none is the target of an object that refers to nobody.
const none = ^uint32(0)

// nobody is the list of targets of a block without references.
var nobody = [64]uint32(slices.Repeat([]uint32{none}, 64))

const full = ^uint64(0)

// targets are the targets of all objects.
type targets struct {
	m     *manager.Manager
	field *layout.FieldSpec // the reference

	targeted []uint64 // a bit per object: others may refer to it
	filled   []uint64 // a bit per block: some have a target; for other blocks target is unspecified
	target   []uint32 // per object: the index that it refers to, suspended components included
	held     []uint64 // a bit per object: has a target
	objects  uint32   // number of objects for which target and held are valid
	shape    uint64   // changes when held gets an object
}

// carve cuts the targets of n objects.
func (t *targets) carve(c *Cutter, n int) {
	words := (n + 63) / 64
	t.targeted, t.held = Cut[uint64](c, words), Cut[uint64](c, words)
	t.filled = Cut[uint64](c, (words+63)/64)
	t.target = Cut[uint32](c, n)
}

// references returns the references of the rows ever used.
func (t *targets) references() []gameobject.ID {
	c := &t.m.Data.Columns[t.field.Index]
	return buffer.Span[gameobject.ID](c.Base, 0, t.m.Rows.High())
}

// refers reports whether an object has a target.
func (t *targets) refers(object uint32) bool { return t.held[object>>6]>>(object&63)&1 != 0 }

// indexOf returns the index of an id, or none.
func (t *targets) indexOf(id gameobject.ID) uint32 {
	i := id.Index()
	if id != gameobject.Nobody && !id.Recorded() && uint(i) < uint(len(t.target)) {
		return i
	}
	return none
}

// eachBlock yields the first object of each block with references, ascending, and the targets of
// its objects.
func (t *targets) eachBlock(yield func(first uint32, targets []uint32) bool) {
	for g, some := range t.filled[:(t.objects+4095)/4096] {
		for ; some != 0; some &= some - 1 {
			first := uint32(g)<<12 + uint32(bits.TrailingZeros64(some))<<6
			if first >= t.objects || !yield(first, t.target[first:min(first+64, t.objects)]) {
				return
			}
		}
	}
}

// find derives target, targeted, held and filled of all blocks, and returns the number of objects
// with a target. It skips blocks that neither have nor had the relation.
func (t *targets) find() (n int) {
	t.objects = uint32(t.m.Objects.High())
	t.shape++
	blocks := int(t.objects+63) / 64
	clear(t.targeted[:blocks])
	for g := range (blocks + 63) / 64 {
		some := t.m.Blocks.Groups[g].Any | t.filled[g]
		if t.m.Rows.Suspended() != 0 {
			some = full
		}
		for ; some != 0; some &= some - 1 {
			if k := g<<6 + bits.TrailingZeros64(some); k < blocks {
				t.fill(k)
				n += bits.OnesCount64(t.held[k])
			}
		}
	}
	return n
}

// fill derives target, held and filled of a block, and adds its targets to targeted.
func (t *targets) fill(k int) {
	first := uint32(k) << 6
	target := t.target[first:min(first+64, uint32(len(t.target)))]
	x := t.m.Blocks.Holds(uint32(k))
	var refer uint64
	if x == full && t.m.Blocks.Odd(uint32(k)) == 0 {
		at := first + t.m.Blocks.Base(uint32(k))
		refer = t.findAll(t.references()[at:at+64], target)
	} else {
		copy(target, nobody[:])
		refer = t.findIn(uint32(k), x, target)
	}
	t.held[k] = refer & t.m.Blocks.Present(uint32(k))
	word, bit := &t.filled[k>>6], uint64(1)<<(k&63)
	if *word &^= bit; refer != 0 {
		*word |= bit
	}
}

// findAll sets the targets of 64 objects from their references, and returns the objects that have a
// target.
func (t *targets) findAll(ids []gameobject.ID, target []uint32) (held uint64) {
	targeted, objects := t.targeted, t.objects
	target = target[:len(ids)]
	for i, id := range ids {
		to := id.Index()
		if id == gameobject.Nobody || id.Recorded() || to >= objects {
			target[i] = none
			continue
		}
		target[i] = to
		held |= 1 << (i & 63)
		if word, bit := &targeted[to>>6], uint64(1)<<(to&63); *word&bit == 0 {
			*word |= bit
		}
	}
	return held
}

// findIn is findAll for the objects x of a block.
func (t *targets) findIn(k uint32, x uint64, target []uint32) (held uint64) {
	var rows [64]uint32
	t.m.Blocks.RowsOf(&rows, k, x)
	ids, targeted := t.references(), t.targeted
	for i := 0; x != 0; i, x = i+1, x&(x-1) {
		to := t.indexOf(ids[rows[i&63]])
		if to == none {
			continue
		}
		at := bits.TrailingZeros64(x) & 63
		target[at] = to
		held |= 1 << at
		targeted[to>>6] |= 1 << (to & 63)
	}
	return held
}

// widen extends target and held to new objects, which have no targets.
func (t *targets) widen() {
	high := uint32(t.m.Objects.High())
	for k := (t.objects + 63) / 64; k < (high+63)/64; k++ {
		t.held[k] = 0
		t.filled[k>>6] &^= 1 << (k & 63)
	}
	t.objects = high
}

// retarget sets the target of an object that has the component, or keeps it suspended.
func (t *targets) retarget(object, target uint32) {
	k, bit := object>>6, uint64(1)<<(object&63)
	t.shape += ^t.held[k] >> (object & 63) & 1
	if t.filled[k>>6]>>(k&63)&1 == 0 {
		t.fill(int(k))
		return
	}
	t.target[object] = target
	if t.held[k] &^= bit; target != none {
		t.held[k] |= bit & t.m.Blocks.Present(k)
	}
}
