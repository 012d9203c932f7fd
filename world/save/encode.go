package save

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
)

var little = binary.LittleEndian

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns the header's bytes. Lengths of names were checked.
func (h *header) encode() []byte {
	b := make([]byte, fixedSize, pageSize)
	copy(b, magic)
	little.PutUint32(b[atOrder:], byteOrder)
	little.PutUint32(b[atVersion:], version)
	little.PutUint64(b[atTick:], h.tick)
	little.PutUint32(b[atBehaviour:], h.behaviour)
	if h.inOrder {
		little.PutUint32(b[atFlags:], flagInOrder)
	}
	little.PutUint32(b[atObjects:], uint32(h.objects))
	little.PutUint32(b[atKinds:], uint32(len(h.kinds)))
	little.PutUint32(b[atRecipes:], uint32(len(h.recipes)))
	little.PutUint32(b[atWatchers:], uint32(len(h.watchers)))
	little.PutUint32(b[atParts:], uint32(len(h.parts)))
	little.PutUint64(b[atFrame:], h.frame)
	for i := range h.kinds {
		b = h.kinds[i].append(b)
	}
	for _, name := range slices.Concat(h.recipes, h.watchers) {
		b = appendText(b, name)
	}
	directory := len(b)
	b = h.appendParts(b)
	h.length = uint32(aligned(uint64(len(b))))
	h.place()
	b = h.appendParts(b[:directory])
	b = append(b, make([]byte, int(h.length)-len(b))...)
	little.PutUint64(b[atSize:], h.size)
	little.PutUint32(b[atHeader:], h.length)
	seal(b)
	return b
}

// place gives the parts their offsets.
func (h *header) place() {
	h.size = uint64(h.length)
	for i := range h.parts {
		h.parts[i].offset = h.size
		h.size += aligned(h.parts[i].length)
	}
}

// seal writes the checksum of a header.
func seal(b []byte) {
	little.PutUint32(b[atChecksum:], 0)
	little.PutUint32(b[atChecksum:], crc32.Checksum(b, castagnoli))
}

func (k *FileKind) append(b []byte) []byte {
	var flags byte
	for _, f := range []struct {
		set bool
		bit byte
	}{{k.Mark, kindMark}, {k.Values, kindValues}, {k.Packed, kindPacked}} {
		if f.set {
			flags |= f.bit
		}
	}
	b = append(appendText(b, k.Name), flags)
	b = little.AppendUint32(b, uint32(k.Rows))
	b = little.AppendUint16(b, uint16(len(k.Fields)))
	for i := range k.Fields {
		f := &k.Fields[i]
		b = little.AppendUint32(appendText(b, f.Name), uint32(len(f.Parts)))
		for _, p := range f.Parts {
			b = append(appendText(b, p.Name), byte(1+slices.Index(elementTypes, p.Type)))
			b = little.AppendUint32(b, uint32(p.Lanes))
		}
		b = append(b, f.Default...)
	}
	return b
}

func (h *header) appendParts(b []byte) []byte {
	for i := range h.parts {
		p := &h.parts[i]
		b = append(b, byte(p.owner), p.stored)
		b = little.AppendUint16(b, uint16(p.of))
		b = little.AppendUint16(b, uint16(p.field))
		b = appendText(b, p.name)
		b = little.AppendUint32(b, uint32(p.unit))
		for _, n := range []uint64{p.units, p.offset, p.length, p.sum} {
			b = little.AppendUint64(b, n)
		}
	}
	return b
}

// appendText appends a text and before it its length.
func appendText(b []byte, s string) []byte {
	return append(little.AppendUint16(b, uint16(len(s))), s...)
}

// check returns an error where a schema is larger than a file can say.
func (h *header) check() error {
	if n := max(len(h.kinds), len(h.recipes), len(h.watchers)); n > maxKinds {
		return fmt.Errorf("save: %d kinds, recipes or watchers; a file has %d at most", n, maxKinds)
	}
	for i := range h.kinds {
		k := &h.kinds[i]
		if len(k.Name) > maxText || len(k.Fields) >= noField {
			return fmt.Errorf("save: kind %.40q… has too long a name or too many fields", k.Name)
		}
		for f := range k.Fields {
			if len(k.Fields[f].Name) > maxText {
				return fmt.Errorf("save: field %.40q… has too long a name", k.Fields[f].Name)
			}
		}
	}
	for _, name := range slices.Concat(h.recipes, h.watchers) {
		if len(name) > maxText {
			return fmt.Errorf("save: %.40q… is too long to be saved", name)
		}
	}
	return nil
}
