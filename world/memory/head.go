package memory

import (
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/kinds"
)

const (
	magic     = "\x89FLATM\r\n"
	byteOrder = 0x01020304 // little-endian: 04 03 02 01
	version   = 1
	fixed     = 64 // bytes before the directory
	entry     = 64 // bytes of a part in the directory
	page      = 4096
	maxHead   = 64 << 20 // bytes

	flagInOrder = 1
	partTruth   = 1
)

// Places in the fixed part.
const (
	atOrder       = 8
	atVersion     = 12
	atFingerprint = 16
	atHead        = 24 // what the fingerprint is of begins here
	atFlags       = 28
	atWorld       = 32
	atObjects     = 40
	atKinds       = 44
	atRecipes     = 48
	atWatchers    = 52
	atParts       = 56
)

var little = binary.LittleEndian

// Owners of parts.
const (
	ofWorld = iota
	ofObjects
	ofKind
	ofWatcher
)

// A builder writes a head.
type builder struct {
	directory []byte
	texts     []byte // names of parts, behind what is described
	known     map[string]int
}

// encode returns the head of the worlds of a shape whose bytes have these parts.
func encode(shape *tool.Shape, parts []tool.Part, size int) ([]byte, error) {
	w := kinds.Of(shape)
	if err := w.Check(); err != nil {
		return nil, wrap(ErrBytes, "%v", err)
	}
	described := w.Append(nil)
	h := builder{known: map[string]int{}}
	entries := 0
	for i := range parts {
		entries += len(elementsOf(&parts[i]))
	}
	names := fixed + entries*entry + len(described) // where texts begin
	if names > maxHead {
		return nil, wrap(ErrBytes, "%d bytes of names; a head has %d at most", names, maxHead)
	}
	for i := range parts {
		h.add(&parts[i], names)
	}
	end := names + len(h.texts)
	total := (end + page - 1) &^ (page - 1)
	b := make([]byte, fixed, total)
	copy(b, magic)
	little.PutUint32(b[atOrder:], byteOrder)
	little.PutUint32(b[atVersion:], version)
	little.PutUint32(b[atHead:], uint32(total))
	if shape.InOrder {
		little.PutUint32(b[atFlags:], flagInOrder)
	}
	little.PutUint64(b[atWorld:], uint64(size))
	for at, n := range map[int]int{
		atObjects: shape.Objects, atKinds: len(shape.Kinds), atRecipes: len(shape.Recipes),
		atWatchers: len(shape.Watchers), atParts: entries,
	} {
		little.PutUint32(b[at:], uint32(n))
	}
	b = slices.Concat(b, h.directory, described, h.texts, make([]byte, total-end))
	for i := range entries { // offsets count from the head on
		at := b[fixed+i*entry+16:]
		little.PutUint64(at, little.Uint64(at)+uint64(total))
	}
	little.PutUint64(b[atFingerprint:], xxh3.Hash(b[atHead:]))
	return b, nil
}

// elementsOf returns the parts of a column's values; another part is one.
func elementsOf(p *tool.Part) []layout.Part {
	switch {
	case p.Field != nil:
		return p.Field.Parts
	case p.Unit == 2:
		return []layout.Part{{Type: "uint16", Lanes: 1}}
	case p.Unit == 4:
		return []layout.Part{{Type: "uint32", Lanes: 1}}
	case p.Unit == 8:
		return []layout.Part{{Type: "uint64", Lanes: 1}}
	}
	return []layout.Part{{Lanes: 1}} // records
}

// add appends the entries of a part to the directory. The names of parts begin at names.
func (h *builder) add(p *tool.Part, names int) {
	owner, owned := byte(ofWorld), ""
	switch {
	case p.Kind != nil:
		owner, owned = ofKind, p.Kind.Name
	case p.Owner == "game objects":
		owner = ofObjects
	case p.Owner != "world":
		owner = ofWatcher
	}
	units := 0
	if p.Unit > 0 {
		units = len(p.Bytes) / p.Unit
	}
	flags := uint16(0)
	if p.Truth {
		flags = partTruth
	}
	for _, e := range elementsOf(p) {
		b := []byte{owner, kinds.CodeOf(e.Type)}
		b = little.AppendUint16(b, flags)
		b = little.AppendUint32(b, uint32(p.Place))
		b = little.AppendUint32(b, uint32(e.Lanes))
		b = little.AppendUint32(b, uint32(p.Unit))
		b = little.AppendUint64(b, uint64(p.Offset()+e.Offset))
		b = little.AppendUint64(b, uint64(units))
		for _, name := range []string{owned, p.Name, e.Name} {
			b = little.AppendUint32(b, uint32(names+h.text(name)))
			b = little.AppendUint32(b, uint32(len(name)))
		}
		h.directory = append(append(h.directory, b...), make([]byte, 8)...)
	}
}

// text returns where a name is behind what is described.
func (h *builder) text(name string) int {
	at, ok := h.known[name]
	if !ok {
		at = len(h.texts)
		h.known[name] = at
		h.texts = append(h.texts, name...)
	}
	return at
}

// headOf returns the head of the worlds of these counts. The error is that of
// [world.CreateState].
func headOf(c world.Counts) (head []byte, size int, err error) {
	s, err := systems.Unwritten(c)
	if err != nil {
		return nil, 0, err
	}
	defer world.Close(s)
	head, err = headOfState(s)
	return head, len(world.Bytes(s)), err
}

func headOfState(s world.State) ([]byte, error) {
	shape := tool.ShapeOf(s)
	return encode(&shape, tool.Parts(s), len(world.Bytes(s)))
}
