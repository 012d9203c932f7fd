package kin

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/buffer"
)

// sort derives parents, start, end and referrers by counting.
func (l *Lists) sort() {
	words := (l.objects + 63) / 64
	copy(l.parents, l.targeted[:words])
	clear(l.parents[words:max(words, (l.sorted+63)/64)])
	l.sorted = l.objects
	end, start, referrers := l.end, l.start, l.referrers
	for t := range l.eachParent {
		end[t] = 0
	}
	for _, targets := range l.eachBlock {
		for _, t := range targets {
			if t != none {
				end[t]++
			}
		}
	}
	sum := uint32(0)
	for t := range l.eachParent {
		start[t] = sum
		sum += end[t]
		end[t] = start[t]
	}
	for first, targets := range l.eachBlock {
		for i, t := range targets {
			if t != none {
				referrers[end[t]] = first + uint32(i)
				end[t]++
			}
		}
	}
	l.listing, l.top = sum, sum
	l.limit, l.stale = changesFor(int(sum)), 0
	if l.Order != nil {
		for t := range l.eachParent {
			slices.SortFunc(l.listOf(t), l.compare)
		}
	}
}

// eachParent yields the objects of parents, ascending.
func (l *Lists) eachParent(yield func(target uint32) bool) {
	for k, x := range l.parents[:(l.sorted+63)/64] {
		for ; x != 0; x &= x - 1 {
			if !yield(uint32(k)<<6 + uint32(bits.TrailingZeros64(x))) {
				return
			}
		}
	}
}

// eachBlock yields the first object of each block in which some refer to one, ascending, and what
// its objects refer to.
func (l *Lists) eachBlock(yield func(first uint32, targets []uint32) bool) {
	for g, some := range l.filled[:(l.objects+4095)/4096] {
		for ; some != 0; some &= some - 1 {
			first := uint32(g)<<12 + uint32(bits.TrailingZeros64(some))<<6
			if first >= l.objects || !yield(first, l.target[first:min(first+64, l.objects)]) {
				return
			}
		}
	}
}

// compare compares the places of two objects among those that refer to the same one.
func (l *Lists) compare(a, b uint32) int {
	return cmp.Or(cmp.Compare(l.placeOf(a), l.placeOf(b)), cmp.Compare(a, b))
}

// placeOf returns what an object is sorted by, before its index.
func (l *Lists) placeOf(object uint32) uint32 {
	if l.Order == nil {
		return 0
	}
	row, ok := l.m.HeldRow(object)
	if !ok {
		return 0
	}
	return *buffer.At[uint32](l.m.Columns[l.Order.Index].Base, int(row))
}
