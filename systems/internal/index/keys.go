package index

import (
	"encoding/binary"
	"hash/maphash"
	"strings"

	"github.com/flatecs/flatecs/layout"
)

// keys convert the values of a field to keys. The keys of texts are hashes, or prefixes, which have
// the order of the texts except for texts with equal prefixes.
type keys struct {
	field  *layout.FieldSpec
	by     By
	size   int // of a value, in bytes
	signed bool

	text func(row uint32) []byte // nil: the values are keys
	seed maphash.Seed            // of hashes
}

// By selects the keys of a field.
type By uint8

// The ways to make keys.
const (
	Values   By = iota // integers and ids
	Hashes             // of texts: for questions about one text
	Prefixes           // the first eight bytes of texts: for their order
)

// sign is the bit that converts signed values to unsigned ones of the same order.
const sign = 1 << 63

// keysOf returns the keys of a field; text returns the texts of a text field. It panics unless the
// field is a text, or one integer or id.
func keysOf(f *layout.FieldSpec, by By, text func(row uint32) []byte) keys {
	if by != Values {
		return keys{field: f, by: by, size: 8, text: text, seed: maphash.MakeSeed()}
	}
	p := f.Parts[0]
	if whole := strings.TrimPrefix(p.Type, "u"); p.Lanes != 1 || len(f.Parts) != 1 ||
		!strings.HasPrefix(whole, "int") && whole != "id" {
		panic("flatecs: " + f.String() + " of " + f.Shape() + " has no order; index a field " +
			"of one integer or id")
	}
	return keys{field: f, size: f.Stride, signed: strings.HasPrefix(p.Type, "int")}
}

// at returns the key of the value in a row of a column.
func (k *keys) at(column []byte, row uint32) uint64 {
	b := column[int(row)*k.size:]
	var key uint64
	switch k.size {
	case 1:
		key = k.extend(uint64(b[0]), 56)
	case 2:
		key = k.extend(uint64(binary.LittleEndian.Uint16(b)), 48)
	case 4:
		key = k.extend(uint64(binary.LittleEndian.Uint32(b)), 32)
	default:
		key = binary.LittleEndian.Uint64(b)
	}
	if k.signed {
		key ^= sign
	}
	return key
}

// extend sign-extends a value that lacks so many high bits.
func (k *keys) extend(value uint64, missing uint) uint64 {
	if k.signed {
		return uint64(int64(value<<missing) >> missing)
	}
	return value
}

// ofText returns the key of a text.
func (k *keys) ofText(text []byte) uint64 {
	if k.by == Hashes {
		return maphash.Bytes(k.seed, text)
	}
	var first [8]byte
	copy(first[:], text)
	return binary.BigEndian.Uint64(first[:])
}
