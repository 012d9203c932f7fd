package save

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/flatecs/flatecs/world/internal/kinds"
)

var little = binary.LittleEndian

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode returns the header's bytes. The caller has checked the lengths of names.
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
	described := h.described()
	b = described.Append(b)
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

// place assigns the offsets of the parts.
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

func (h *header) appendParts(b []byte) []byte {
	for i := range h.parts {
		p := &h.parts[i]
		b = append(b, byte(p.owner), p.stored)
		b = little.AppendUint16(b, uint16(p.of))
		b = little.AppendUint16(b, uint16(p.field))
		b = kinds.AppendText(b, p.name)
		b = little.AppendUint32(b, uint32(p.unit))
		for _, n := range []uint64{p.units, p.offset, p.length, p.sum} {
			b = little.AppendUint64(b, n)
		}
	}
	return b
}

// described returns the description of the world.
func (h *header) described() kinds.World {
	w := kinds.World{Recipes: h.recipes, Watchers: h.watchers}
	for i := range h.kinds {
		w.Kinds = append(w.Kinds, h.kinds[i].described())
	}
	return w
}

func (k *FileKind) described() kinds.Kind {
	return kinds.Kind{
		Name: k.Name, Rows: k.Rows, Mark: k.Mark, Values: k.Values, Packed: k.Packed,
		ByBlock: k.ByBlock, Fields: k.Fields,
	}
}
