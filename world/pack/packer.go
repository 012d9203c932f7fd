package pack

import (
	"encoding/binary"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/codec"
)

// A Packer packs and unpacks objects. The zero Packer is ready to use. It keeps its working memory,
// so that later packs of the same size allocate nothing, except for Go values. It belongs to one
// goroutine.
type Packer struct {
	// Codecs encode the Go values of the objects, one codec per kind; create them by save.Values.
	Codecs []codec.Codec

	// WithoutGlobals makes Unpack omit global ids, to create copies of objects that may still
	// exist.
	WithoutGlobals bool

	// Only lists the kinds that Pack and DigestObjects include; nil means all.
	Only []layout.AnyKind

	// Find maps the id of a target that was not packed and had no global id to an object of the
	// world: use [SameID] in the world from which the pack was made, or your own function if
	// objects came back under other ids. Unpack calls it before it creates objects. A result of 0,
	// or a dead object, means nobody. Without Find, such references lead to nobody, because ids
	// differ between worlds.
	Find func(id world.GameObject) world.GameObject

	// Lost is the number of references that the last Unpack set to nobody because their targets are
	// not in the world.
	Lost int

	state   world.State // during a call
	numbers map[uint64]struct{}
	sums    []uint64 // per object of a group
	groups  tool.Groups
	kinds   []kind              // of a pack, in its order
	fields  []*layout.FieldSpec // of the kinds of a pack that is read
	reader  reader
	listed  int                // objects of a pack that is written
	others  []world.GameObject // outside a pack, to which it refers
	other   int                // next of them
	scratch []byte
	made    []world.GameObject // of a group
	ids     []world.GameObject // by place
	names   []name             // by place
	entries map[*layout.KindSpec][]byte
	hashes  map[*layout.FieldSpec]uint64
	above   map[*layout.KindSpec][]uint32
	climbed []uint32                                // by place: see ringIn
	columns map[*layout.KindSpec]layout.ValueColumn // of Go values that are read
	rooms   []tool.ListRoom                         // for the lists of a pack that is read
	full    error                                   // the first of them that finds none
}

// A kind is one that objects of a pack have.
type kind struct {
	spec   *layout.KindSpec
	number int // in the world
	sort   uint8
	moves  bool                // its rows are packed in the world
	leave  bool                // it is omitted
	codec  codec.Codec         // of Go values
	fields []*layout.FieldSpec // of a pack that is read
	rows   int                 // components in a pack that is read
	column layout.ValueColumn  // Go values of a pack that is read, in its order
	done   int                 // how many of them are in the world
	above  []uint32            // of a tree, by place: the place of the parent in the pack, plus 1
}

// checked returns p. It panics if p is nil.
func (p *Packer) checked() *Packer {
	if p == nil {
		panic("pack: a nil *Packer packs nothing; hand in the address of a Packer")
	}
	return p
}

// Pack appends objects with all their components to dst; see [Packer.Pack].
func Pack(dst []byte, s world.State, ids ...world.GameObject) ([]byte, error) {
	var p Packer
	return p.Pack(dst, s, ids...)
}

// Unpack creates the objects of a pack in s, and returns their ids; see [Packer.Unpack].
func Unpack(s world.State, b []byte) (world.State, []world.GameObject, error) {
	var p Packer
	return p.Unpack(nil, s, b)
}

var little = binary.LittleEndian

// What a kind in a pack is.
const (
	withFields uint8 = iota
	withoutData
	withValue
	withName
	withGlobal
	sorts
)

// sortOf returns what a kind is.
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
