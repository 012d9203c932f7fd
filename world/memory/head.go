package memory

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

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

// Offsets in the fixed part.
const (
	atOrder       = 8
	atVersion     = 12
	atFingerprint = 16
	atHead        = 24 // the fingerprint covers the head from here on
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
	texts     []byte // names of parts, behind the descriptions
	known     map[string]int
}

// encode returns the head of worlds with a shape and these parts.
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
	names := fixed + entries*entry + len(described) // offset of the texts
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
	for i := range entries { // offsets count from the start of the head
		at := b[fixed+i*entry+16:]
		little.PutUint64(at, little.Uint64(at)+uint64(total))
	}
	little.PutUint64(b[atFingerprint:], xxh3.Hash(b[atHead:]))
	return b, nil
}

// elementsOf returns the parts of a column's values; any other part is a single element.
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

// text returns the offset of a name behind the descriptions.
func (h *builder) text(name string) int {
	at, ok := h.known[name]
	if !ok {
		at = len(h.texts)
		h.known[name] = at
		h.texts = append(h.texts, name...)
	}
	return at
}

// headOf returns the head of the worlds of these counts. It returns the errors of
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

// A Head is the decoded head of a world's memory.
type Head struct {
	Fingerprint uint64
	Size        int // bytes of head and world
	Kinds       []layout.Count
	Recipes     []string
	Watchers    []string // their names and rules
	Parts       []Part

	counts world.Counts
	head   int
}

// A Part is an entry of the directory: elements of one type in a world's bytes.
type Part struct {
	Owner   string // "world", "game objects", a kind's name, or "watcher" and its name and rules
	Name    string // of the contents; for a column the name of its field
	Lanes   string // for a column of structs: the name of these elements
	Element string // type; "": records
	Count   int    // consecutive elements in each unit
	Stride  int    // bytes from one unit to the next
	Offset  int    // of the first element, in bytes from the start of the head
	Units   int    // objects, rows, blocks, …, room included
	Truth   bool   // it decides the future; otherwise it is derived
}

// Read reads the head of any world's memory, also with kinds that this program does not know. It
// checks everything, and allocates in proportion to the head. The error wraps [ErrFormat],
// [ErrVersion] or [ErrBytes].
func Read(b []byte) (*Head, error) {
	if err := checkFixed(b); err != nil {
		return nil, err
	}
	h, err := headIn(b[:little.Uint32(b[atHead:])])
	switch {
	case err != nil:
		return nil, err
	case len(b) < h.Size:
		return nil, wrap(ErrBytes, "%d, and the head says %d", len(b), h.Size)
	}
	if err := h.complete(b); err != nil {
		return nil, err
	}
	return h, nil
}

// Counts returns the counts of such worlds, with kinds read from the head. These differ from kinds
// that this program declares under the same names.
func (h *Head) Counts() world.Counts { return h.mustBeOpen().counts.Clone() }

// Attach is the function Attach with the counts of this head, which contain no watchers, because
// their rules are unknown.
func (h *Head) Attach(b []byte) (world.State, error) {
	h.mustBeOpen()
	if err := checkFixed(b); err != nil {
		return world.State{}, err
	}
	if little.Uint64(b[atFingerprint:]) != h.Fingerprint {
		return world.State{}, wrap(ErrOther, "fingerprint than this Head; Read it again")
	}
	return overHead(h.counts, b, h.head, h.Size-h.head, true)
}

func (h *Head) mustBeOpen() *Head {
	if h == nil || h.head == 0 {
		panic("memory: this Head is nil, or has no memory; get one by Read")
	}
	return h
}

// checkFixed checks the fixed part of a head, its length and its hash.
func checkFixed(b []byte) error {
	switch {
	case len(b) < fixed:
		return wrap(ErrFormat, "%d bytes are not a head; pass all of a world's memory", len(b))
	case string(b[:8]) != magic:
		return wrap(ErrFormat, "it begins with %q", b[:8])
	case little.Uint32(b[atOrder:]) != byteOrder:
		return wrap(ErrFormat, "byte order %x", b[atOrder:atVersion])
	case little.Uint32(b[atVersion:]) != version:
		return wrap(ErrVersion, "version %d, and this program knows %d; update it",
			little.Uint32(b[atVersion:]), version)
	}
	n := int(little.Uint32(b[atHead:]))
	if n < page || n%page != 0 || n > maxHead || n > len(b) {
		return wrap(ErrFormat, "a head of %d bytes in %d", n, len(b))
	}
	if got := xxh3.Hash(b[atHead:n]); got != little.Uint64(b[atFingerprint:]) {
		return wrap(ErrFormat, "the head's hash is %016x, and its fingerprint %016x", got,
			little.Uint64(b[atFingerprint:]))
	}
	return nil
}

// other returns the error of an intact head that does not match the counts.
func other(b, head []byte, c world.Counts) error {
	there, err := Read(b)
	if err != nil {
		return err
	}
	_, own, _ := c.Room()
	what := "counts, recipes or watchers differ"
	for i := range max(len(own), len(there.Kinds)) {
		switch {
		case i >= len(own):
			what = fmt.Sprintf("kind %d, %s, is in the memory alone", i, described(there.Kinds[i]))
		case i >= len(there.Kinds):
			what = fmt.Sprintf("kind %d, %s, is in the counts alone", i, described(own[i]))
		case described(own[i]) != described(there.Kinds[i]):
			what = fmt.Sprintf("kind %d of the memory is %s, and of the counts %s", i,
				described(there.Kinds[i]), described(own[i]))
		default:
			continue
		}
		break
	}
	return wrap(ErrOther, "fingerprint, %016x, and the counts have %016x: %s; give the counts "+
		"that it was made with, or hand it over by a save file", there.Fingerprint,
		little.Uint64(head[atFingerprint:]), what)
}

// described names a kind with its room and its fields.
func described(c layout.Count) string {
	spec := c.Kind.Spec()
	var fields []string
	for _, f := range spec.Fields {
		fields = append(fields, fmt.Sprintf("%s %s = %x", layout.Quoted(f.Name), f.Shape(),
			f.Default))
	}
	store := ""
	if c.ByBlock {
		store = " by block"
	}
	return fmt.Sprintf("%s[%d]%s {%s}", layout.Quoted(spec.Name), c.Rows, store,
		strings.Join(fields, ", "))
}

// headIn reads the head b, whose hash was checked.
func headIn(b []byte) (*Head, error) {
	entries := int(little.Uint32(b[atParts:]))
	if entries > (len(b)-fixed)/entry {
		return nil, wrap(ErrFormat, "%d parts in a head of %d bytes", entries, len(b))
	}
	size := little.Uint64(b[atWorld:])
	if size > 1<<46 {
		return nil, wrap(ErrFormat, "a world of %d bytes", size)
	}
	c := kinds.Cursor{Rest: b[fixed+entries*entry:]}
	var w kinds.World
	w.Read(&c, kinds.Memory, little.Uint32(b[atKinds:]), little.Uint32(b[atRecipes:]),
		little.Uint32(b[atWatchers:]))
	if c.Err != nil {
		return nil, wrap(ErrFormat, "%v", c.Err)
	}
	h := &Head{
		Fingerprint: little.Uint64(b[atFingerprint:]), head: len(b), Size: len(b) + int(size),
		Recipes: w.Recipes, Watchers: w.Watchers,
	}
	h.counts.GameObjects = int(little.Uint32(b[atObjects:]))
	h.counts.InOrder = little.Uint32(b[atFlags:])&flagInOrder != 0
	for i := range w.Kinds {
		k := &w.Kinds[i]
		kind, err := k.Declare(i)
		if err != nil {
			return nil, wrap(ErrFormat, "%v", err)
		}
		h.counts.Kinds = append(h.counts.Kinds, layout.Count{
			Kind: kind, Rows: k.Rows, Packed: k.Packed, Free: k.Free, ByBlock: k.ByBlock,
		})
	}
	tool.LinkLists(h.counts.Kinds)
	h.Kinds = h.counts.Kinds
	return h, nil
}

// complete rebuilds the directory from the description, which must give the same head.
func (h *Head) complete(b []byte) error {
	for i, name := range h.Recipes {
		h.counts.Recipes = append(h.counts.Recipes, systems.ForeignRecipe(i, name))
	}
	for _, name := range h.Watchers {
		h.counts.Watchers = append(h.counts.Watchers, systems.ForeignWatcher(name))
	}
	s, err := systems.StateOver(h.counts, b[h.head:], true) // refuses a world that is larger than b
	if err != nil {
		return wrap(ErrFormat, "%v", err)
	}
	defer world.Close(s)
	shape, parts := tool.ShapeOf(s), tool.Parts(s)
	head, err := encode(&shape, parts, len(world.Bytes(s)))
	if err != nil || !bytes.Equal(head, b[:h.head]) {
		return wrap(ErrFormat, "its directory is not that of the kinds it describes")
	}
	for i := range parts {
		h.list(&parts[i])
	}
	return nil
}

// list adds a part to the directory.
func (h *Head) list(p *tool.Part) {
	units := 0
	if p.Unit > 0 {
		units = len(p.Bytes) / p.Unit
	}
	for _, e := range elementsOf(p) {
		h.Parts = append(h.Parts, Part{
			Owner: p.Owner, Name: p.Name, Lanes: e.Name, Element: e.Type, Count: e.Lanes,
			Stride: p.Unit, Offset: h.head + p.Offset() + e.Offset, Units: units, Truth: p.Truth,
		})
	}
}
