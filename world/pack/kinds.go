package pack

import (
	"fmt"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/codec"
)

// The sorts of kinds in a pack.
const (
	withFields uint8 = iota
	withoutData
	withValue
	withName
	withGlobal
	sorts
)

// sortOf returns the sort of a kind.
func sortOf(k *layout.KindSpec) uint8 {
	switch {
	case k == world.NameKind.Spec():
		return withName
	case k == Global.Spec():
		return withGlobal
	case k.Mark:
		return withoutData
	case k.Values != nil:
		return withValue
	}
	return withFields
}

// A kind is a kind of packed objects.
type kind struct {
	spec   *layout.KindSpec
	number int // in the world
	sort   uint8
	codec  codec.Codec // of Go values
}

// findCodec finds the codec of a kind of Go values.
func (k *kind) findCodec(codecs []codec.Codec) error {
	if k.sort != withValue {
		return nil
	}
	var ok bool
	if k.codec, ok = codec.Find(codecs, k.spec.Handle()); !ok {
		return wrap(ErrCodec, "%s; add one to Packer.Codecs", layout.Quoted(k.spec.Name))
	}
	return nil
}

// A dictionary stores the descriptions of kinds and fields, which are the same in each pack.
type dictionary struct {
	entries map[*layout.KindSpec][]byte
	hashes  map[*layout.FieldSpec]uint64
}

// entry returns the description of a kind.
func (d *dictionary) entry(k *layout.KindSpec) []byte {
	if b := d.entries[k]; b != nil {
		return b
	}
	b := append([]byte{sortOf(k)}, 0, 0, 0, 0)
	little.PutUint16(b[1:], uint16(min(len(k.Name), math.MaxUint16)))
	b = append(b, k.Name[:min(len(k.Name), math.MaxUint16)]...)
	if b[0] == withFields || b[0] == withGlobal {
		little.PutUint16(b[3:], uint16(len(k.Fields)))
		for _, f := range k.Fields {
			b = d.appendField(b, f)
		}
	}
	if d.entries == nil {
		d.entries = make(map[*layout.KindSpec][]byte)
	}
	d.entries[k] = b
	return b
}

// appendField appends the name of a field, its size, and the hash of its parts.
func (d *dictionary) appendField(b []byte, f *layout.FieldSpec) []byte {
	name := f.Name[:min(len(f.Name), math.MaxUint16)]
	b = append(little.AppendUint16(b, uint16(len(name))), name...)
	b = little.AppendUint32(b, sizeOf(f))
	return little.AppendUint64(b, d.hashOf(f))
}

// hashOf returns the hash of the names, types and lanes of the parts of a field, or of the elements
// of a list.
func (d *dictionary) hashOf(f *layout.FieldSpec) uint64 {
	if h, ok := d.hashes[f]; ok {
		return h
	}
	var b []byte
	for _, part := range valueOf(f).Parts {
		b = append(append(append(b, part.Name...), 0), part.Type...)
		b = little.AppendUint32(append(b, 0), uint32(part.Lanes))
	}
	if d.hashes == nil {
		d.hashes = make(map[*layout.FieldSpec]uint64)
	}
	d.hashes[f] = xxh3.Hash(b)
	return d.hashes[f]
}

// The size of a list in a pack is the size of an element, with a bit set.
const (
	sizeOfList = 1 << 31
	sizeOfText = 1 << 30
)

// sizeOf returns the size of a field as stored in a pack.
func sizeOf(f *layout.FieldSpec) uint32 {
	switch size := uint32(valueOf(f).Stride); {
	case f.List == nil:
		return size
	case f.List.Text:
		return size | sizeOfText
	default:
		return size | sizeOfList
	}
}

// sizeText describes a result of sizeOf.
func sizeText(size uint32) string {
	switch {
	case size&sizeOfText != 0:
		return "text"
	case size&sizeOfList != 0:
		return fmt.Sprintf("a list of %d bytes each", size&^sizeOfList)
	}
	return fmt.Sprintf("%d bytes", size)
}

// valueOf returns the field, or the field of an element of a list.
func valueOf(f *layout.FieldSpec) *layout.FieldSpec {
	if f.List != nil {
		return f.List.Element
	}
	return f
}
