// Package mask has sets of kinds, by their numbers in a world.
package mask

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"strconv"
)

// A Mask is a set of kinds (a signature elsewhere), by their numbers in a world: number n is bit
// n%64 of word n/64, so that the mask of 0, 1 and 2 is Mask{0b111}. The zero Mask is empty. A mask
// grows as numbers are set. Like any slice, a mask that is assigned shares its words; slices.Clone
// copies it.
type Mask []uint64

// New returns the mask of numbers. It panics if a number is out of range; see [Mask.Set].
func New(numbers ...int) Mask {
	var m Mask
	for _, n := range numbers {
		m.Set(n)
	}
	return m
}

// Set adds number n to m. It panics if n is negative or above 65,535.
func (m *Mask) Set(n int) {
	if n < 0 || n > math.MaxUint16 {
		panic(fmt.Sprintf("mask: no kind has number %d; use numbers from 0 to %d",
			n, math.MaxUint16))
	}
	if m == nil {
		panic(noMask)
	}
	if more := n>>6 + 1 - len(*m); more > 0 {
		*m = append(*m, make(Mask, more)...)
	}
	(*m)[n>>6] |= 1 << (n & 63)
}

// Add adds every number of other to m.
func (m *Mask) Add(other Mask) {
	if m == nil {
		panic(noMask)
	}
	if more := len(other) - len(*m); more > 0 {
		*m = append(*m, make(Mask, more)...)
	}
	for w, x := range other {
		(*m)[w] |= x
	}
}

// Unset removes number n from m (delete elsewhere).
func (m Mask) Unset(n int) {
	if m.Has(n) {
		m[n>>6] &^= 1 << (n & 63)
	}
}

// Has reports whether number n is in m.
func (m Mask) Has(n int) bool { return n >= 0 && n>>6 < len(m) && m[n>>6]>>(n&63)&1 != 0 }

// Clear removes every number from m. It keeps the words.
func (m Mask) Clear() { clear(m) }

// Len returns the number of elements of m.
func (m Mask) Len() (n int) {
	for _, x := range m {
		n += bits.OnesCount64(x)
	}
	return n
}

// Intersects reports whether the masks have a number in common (or elsewhere).
func (m Mask) Intersects(other Mask) bool {
	for w := range min(len(m), len(other)) {
		if m[w]&other[w] != 0 {
			return true
		}
	}
	return false
}

// SubsetOf reports whether other has every number of m (and elsewhere). The empty mask is a subset
// of every mask.
func (m Mask) SubsetOf(other Mask) bool {
	for w, x := range m {
		if w < len(other) {
			x &^= other[w]
		}
		if x != 0 {
			return false
		}
	}
	return true
}

// Equal reports whether both masks have the same numbers, whatever their lengths.
func (m Mask) Equal(other Mask) bool { return m.SubsetOf(other) && other.SubsetOf(m) }

// All yields the numbers in m, ascending.
func (m Mask) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for w, x := range m {
			for ; x != 0; x &= x - 1 {
				if !yield(w<<6 + bits.TrailingZeros64(x)) {
					return
				}
			}
		}
	}
}

// String returns the numbers in m, ascending: "0-1-4".
func (m Mask) String() string {
	var text []byte
	for n := range m.All() {
		if len(text) > 0 {
			text = append(text, '-')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return string(text)
}

// noMask is what panics say; as a constant it keeps functions small enough to be inlined.
const noMask = "mask: a nil *Mask has no room; hand in the address of a Mask"
