package pack

import (
	"encoding/binary"
	"slices"
)

// Offsets in the header of a pack; see docs/FORMAT.md.
const (
	magic      = "flatpack"
	version    = 2
	atSum      = 8
	atSize     = 16
	atVersion  = 24
	atObjects  = 28
	atGroups   = 32
	atKinds    = 36
	headerSize = 40
)

// inside is the bit of a reference to an object of the pack, whose place is in the bits below. The
// others, whose ids are behind the groups, have the places after those.
const inside = 1 << 63

var little = binary.LittleEndian

// zeros returns n zeros in the memory of a list.
func zeros[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// appendZeros appends n zeros.
func appendZeros(b []byte, n int) []byte {
	b = slices.Grow(b, n)[:len(b)+n]
	clear(b[len(b)-n:])
	return b
}
