package save

import (
	"iter"
	"math"
	"math/bits"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world/internal/kinds"
)

const (
	magic     = "\x89FLAT\r\n\x1a"
	byteOrder = 0x01020304 // little-endian: 04 03 02 01
	version   = 1
	fixedSize = 128      // bytes before the kinds
	pageSize  = 4096     // every part starts on a multiple of it
	maxHeader = 64 << 20 // bytes
	maxFrame  = 1<<63 - 1
)

// Offsets in the fixed part of the header.
const (
	atOrder     = 8
	atVersion   = 12
	atSize      = 16
	atHeader    = 24
	atChecksum  = 28
	atTick      = 32
	atBehaviour = 40
	atFlags     = 44
	atObjects   = 48
	atKinds     = 52
	atRecipes   = 56
	atWatchers  = 60
	atParts     = 64
	atFrame     = 72
)

// Flags of a file and of a part.
const (
	flagInOrder = 1

	storedRaw  = 0
	storedZstd = 1
)

// A FileKind is a kind in a file.
type FileKind struct {
	Name   string
	Rows   int // room for rows
	Mark   bool
	Values bool // Go values, encoded by a [Codec]
	Packed bool
	Fields []*layout.FieldSpec

	ByBlock bool // rows follow the objects: 64 rows per block of 64 objects
}

// fileKind returns the description of a kind in a file.
func fileKind(d *kinds.Kind) FileKind {
	return FileKind{
		Name: d.Name, Rows: d.Rows, Mark: d.Mark, Values: d.Values, Packed: d.Packed,
		ByBlock: d.ByBlock, Fields: d.Fields,
	}
}

// A header is everything that precedes the parts.
type header struct {
	size      uint64 // of the file, bytes
	length    uint32 // of the header, bytes: a multiple of pageSize
	tick      uint64
	frame     uint64
	behaviour uint32
	inOrder   bool
	objects   int // the room for objects
	kinds     []FileKind
	recipes   []string
	watchers  []string // the rules of each
	parts     []part
	first     []int // per kind: the index of its first part
	roles     roles
}

// An owner says what a part belongs to.
type owner uint8

const (
	ofWorld owner = iota
	ofObjects
	ofKind
	ofWatcher
)

const noField = kinds.NoField

// A part is a range of bytes in a file.
type part struct {
	partName
	stored uint8  // storedRaw or storedZstd
	units  uint64 // objects, rows, blocks, …
	offset uint64 // in the file
	length uint64 // bytes in the file
	sum    uint64 // xxh3 of the uncompressed bytes
}

// A partName says what a part contains.
type partName struct {
	owner owner
	of    int // kind or watcher
	field int // of the kind, or noField
	name  string
	unit  int // bytes
	per   extent
}

// size returns the uncompressed size of a part in bytes. It returns false if the size is larger
// than any part can be.
func (p *part) size() (n int, ok bool) {
	hi, lo := bits.Mul64(p.units, uint64(p.unit))
	return int(lo), hi == 0 && lo < 1<<46 && lo <= math.MaxInt
}

// An extent is the unit that a part has one entry for.
type extent uint8

const (
	perPart extent = iota
	perObject
	perBlock // of 64 objects
	perRow
	per64Rows
	perByte // of values
)

// units returns the number of units, given the numbers of indexes of objects and of rows ever used.
func (e extent) units(objects, rows uint64) uint64 {
	switch e {
	case perObject:
		return objects
	case perBlock:
		return (objects + 63) / 64
	case perRow:
		return rows
	case per64Rows:
		return (rows + 63) / 64
	case perPart, perByte:
	}
	return 1
}

// The parts of a file, in order; FORMAT.md describes their contents.
var (
	worldParts  = []partName{{name: "tick", unit: 8}}
	objectParts = []partName{
		{name: counters, unit: 40},
		{name: "generations", unit: 4, per: perObject},
		{name: "next", unit: 4, per: perObject},
		{name: "alive", unit: 8, per: perBlock},
		{name: "owners", unit: 2, per: perBlock},
		{name: "spawned", unit: 8, per: perBlock},
	}
	markParts = []partName{
		{name: counters, unit: 40},
		{name: "blocks", unit: 32, per: perBlock},
	}
	rowParts = []partName{
		{name: counters, unit: 40},
		{name: "bases", unit: 4, per: perBlock},
		{name: "objects", unit: 4, per: perRow},
		{name: "links", unit: 4, per: perRow},
		{name: "changed", unit: 8, per: per64Rows},
		{name: "mounted", unit: 8, per: per64Rows},
	}
	byBlockParts = []partName{
		{name: counters, unit: 40},
		{name: "blocks", unit: 32, per: perBlock},
		{name: "changed", unit: 8, per: per64Rows},
		{name: "homes", unit: 4, per: per64Rows},
	}
	valueParts = []partName{ // they follow the other parts of their kind
		{name: lengths, unit: 4, per: perRow},
		{name: goValues, unit: 1, per: perByte},
	}
	watcherParts = []partName{
		{name: "record", unit: 8},
		{name: "generations", unit: 4, per: perObject},
		{name: "former", unit: 4, per: perObject},
		{name: "blocks", unit: 40, per: perBlock},
	}
)

const (
	counters = "counters"
	lengths  = "lengths"
	goValues = "values"
)

// names yields the parts of a file with the kinds and watchers of h, in order.
func (h *header) names() iter.Seq[partName] {
	return func(yield func(partName) bool) {
		more := true
		each := func(o owner, of int, parts []partName) {
			for i := 0; more && i < len(parts); i++ {
				p := parts[i]
				p.owner, p.of, p.field = o, of, noField
				more = yield(p)
			}
		}
		each(ofWorld, 0, worldParts)
		each(ofObjects, 0, objectParts)
		for i := range h.kinds {
			k := &h.kinds[i]
			each(ofKind, i, k.parts())
			for j, f := range k.Fields {
				more = more && yield(partName{ofKind, i, j, f.Name, f.Stride, perRow})
			}
			if k.Values {
				each(ofKind, i, valueParts)
			}
		}
		for i := range h.watchers {
			each(ofWatcher, i, watcherParts)
		}
	}
}

// parts returns the parts that precede the columns of a kind.
func (k *FileKind) parts() []partName {
	switch {
	case k.Mark:
		return markParts
	case k.ByBlock:
		return byBlockParts
	}
	return rowParts
}

// title names a field of k, or another part, in messages. The single field of a kind that has the
// name of the kind is called by the kind's name.
func (k *FileKind) title(part string) string {
	if part == k.Name && len(k.Fields) == 1 && k.Fields[0].Name == part {
		return layout.Quoted(part)
	}
	return layout.Quoted(k.Name) + "." + layout.Quoted(part)
}

// title names a part in messages.
func (h *header) title(p *partName) string {
	switch p.owner {
	case ofKind:
		return h.kinds[p.of].title(p.name)
	case ofObjects:
		return "game objects." + p.name
	case ofWatcher:
		return "watcher." + p.name
	case ofWorld:
	}
	return "world." + p.name
}

// aligned returns n, or the next multiple of pageSize.
func aligned(n uint64) uint64 { return (n + pageSize - 1) &^ (pageSize - 1) }
