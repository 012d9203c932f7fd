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

// inside is the bit of a reference to an object of the pack, with its place in the lower bits. The
// places of objects outside, whose ids are behind the groups, follow.
const inside = 1 << 63

var little = binary.LittleEndian

// zeros returns n zeros, reusing the memory of a list.
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
