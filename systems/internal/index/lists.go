package index

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// lists are the referrers of each object. Lists that grew are behind the derived lists.
type lists struct {
	m     *manager.Manager
	order *layout.FieldSpec // nil: by object

	parents   []uint64 // a bit per object: start and end are valid for it
	start     []uint32 // per object: where its referrers begin,
	end       []uint32 // and where they end
	referrers []uint32 // objects; for each target by order, then ascending
	ages      []uint32 // per derived entry of referrers: its generation
	listing   uint32   // derived entries of referrers; behind them are lists that grew
	top       uint32   // entries in use
	sorted    uint32   // there are no parents at or behind this object
}

// carve cuts lists of n objects and rows rows.
func (l *lists) carve(c *Cutter, n, rows int) {
	l.parents = Cut[uint64](c, (n+63)/64)
	l.start, l.end = Cut[uint32](c, n), Cut[uint32](c, n)
	l.referrers = Cut[uint32](c, 2*rows)
	l.ages = Cut[uint32](c, rows)
}

// isParent reports whether start and end are valid for an object.
func (l *lists) isParent(object uint32) bool { return l.parents[object>>6]>>(object&63)&1 != 0 }

// of returns the listed referrers of an object.
func (l *lists) of(object uint32) []uint32 {
	if !l.isParent(object) {
		return nil
	}
	return l.referrers[l.start[object]:l.end[object]]
}

// sort derives parents, start, end and referrers by counting.
func (l *lists) sort(t *targets) {
	words := (t.objects + 63) / 64
	copy(l.parents, t.targeted[:words])
	clear(l.parents[words:max(words, (l.sorted+63)/64)])
	l.sorted = t.objects
	end, start, referrers := l.end, l.start, l.referrers
	for o := range l.eachParent {
		end[o] = 0
	}
	for _, targets := range t.eachBlock {
		for _, to := range targets {
			if to != none {
				end[to]++
			}
		}
	}
	sum := uint32(0)
	for o := range l.eachParent {
		start[o] = sum
		sum += end[o]
		end[o] = start[o]
	}
	for first, targets := range t.eachBlock {
		for i, to := range targets {
			if to != none {
				referrers[end[to]] = first + uint32(i)
				end[to]++
			}
		}
	}
	l.listing, l.top = sum, sum
	if l.order != nil {
		for o := range l.eachParent {
			slices.SortFunc(l.of(o), l.compare)
		}
	}
}

// eachParent yields the objects of parents, ascending.
func (l *lists) eachParent(yield func(target uint32) bool) {
	for k, x := range l.parents[:(l.sorted+63)/64] {
		for ; x != 0; x &= x - 1 {
			if !yield(uint32(k)<<6 + uint32(bits.TrailingZeros64(x))) {
				return
			}
		}
	}
}

// compare compares the places of two objects that refer to the same target.
func (l *lists) compare(a, b uint32) int {
	return cmp.Or(cmp.Compare(l.placeOf(a), l.placeOf(b)), cmp.Compare(a, b))
}

// placeOf returns the sort key of an object, which comes before its index.
func (l *lists) placeOf(object uint32) uint32 {
	if l.order == nil {
		return 0
	}
	row, ok := l.m.Blocks.HeldRow(object)
	if !ok {
		return 0
	}
	return *buffer.At[uint32](l.m.Data.Columns[l.order.Index].Base, int(row))
}

// findAges derives ages, so that ids are read in the order of the lists.
func (l *lists) findAges() {
	n := l.listing
	kernel.Gather(l.ages[:n], l.m.Objects.Generations, l.referrers[:n])
}

// after returns the index of the first referrer in a list that comes after an object.
func (l *lists) after(list []uint32, place, object uint32) int {
	i := slices.IndexFunc(list, func(o uint32) bool {
		p := l.placeOf(o)
		return p > place || p == place && o > object
	})
	if i < 0 {
		return len(list)
	}
	return i
}
