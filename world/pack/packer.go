package pack

import (
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

	dictionary dictionary
	groups     tool.Groups
	writer     writer
	digester   digester
	checker    checker
	builder    builder
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

// Pack appends objects with all their components to dst: kinds, marks, names, values of fields, and
// suspended components. When the pack is unpacked, references among packed objects lead to the
// copies; others lead to the object with the target's global id, or, if the target has none, to the
// result of [Packer.Find]. The pack has the same bytes on every machine.
//
// With an error, Pack returns dst unchanged. The error wraps [world.ErrDead],
// [world.ErrOutOfRange], [ErrTwice] if an id is given twice, [world.ErrWalking],
// [tool.ErrUnapplied], [ErrCodec], or the error of a codec.
func (p *Packer) Pack(dst []byte, s world.State, ids ...world.GameObject) ([]byte, error) {
	if err := tool.Settled(s); err != nil {
		return dst, err
	}
	w := &p.checked().writer
	if err := w.from.choose(s, &p.groups, ids, p.Only, p.Codecs); err != nil {
		return dst, err
	}
	defer w.from.release()
	b, err := w.appendPack(dst, &p.dictionary, len(ids))
	if err != nil {
		return dst, err
	}
	return b, nil
}

// DigestObjects is [Packer.DigestObjects] for objects without Go values.
func DigestObjects(s world.State, q world.Query) (uint64, error) {
	var p Packer
	return p.DigestObjects(s, q)
}

// DigestObjects returns a digest of the objects that match a query, with all their components. It
// does not depend on ids, rows, the order of objects and the order of kinds. A reference counts by
// the global id of its target; all targets without a global id count alike, and a dead target
// counts as nobody. The sum of the digests of several sets of objects, modulo 2⁶⁴, is the digest of
// all of them. It returns the errors of codecs, or an error that wraps [world.ErrWalking],
// [tool.ErrUnapplied] or [ErrCodec].
func (p *Packer) DigestObjects(s world.State, q world.Query) (sum uint64, err error) {
	if err := tool.Settled(s); err != nil {
		return 0, err
	}
	d := &p.checked().digester
	d.ids = slices.AppendSeq(d.ids[:0], q.Objects(s))
	if err := d.from.choose(s, &p.groups, d.ids, p.Only, p.Codecs); err != nil {
		return 0, err
	}
	defer d.from.release()
	return d.digest()
}

// Unpack creates the objects of a pack in s, and returns their ids; see [Packer.Unpack].
func Unpack(s world.State, b []byte) (world.State, []world.GameObject, error) {
	var p Packer
	return p.Unpack(nil, s, b)
}

// Unpack creates the objects of a pack in s, and appends their ids to dst, in the order of the ids
// passed to Pack. Kinds and fields are identified by name: the world must contain each kind of the
// pack's objects, and each of its fields with the same type; fields that are not in the pack get
// their defaults. Names are set in the order of the ids. [Packer.Lost] counts the references that
// it sets to nobody; see [Packer.Pack].
//
// b may be any bytes. With an error, s and dst are unchanged. It returns the errors of codecs, or
// an error that wraps [ErrNotPack], [ErrNewer], [ErrDamaged], [ErrSchema], [ErrCodec], [ErrTaken],
// [world.ErrFull], [world.ErrTooMany], [world.ErrWalking] or [tool.ErrUnapplied].
func (p *Packer) Unpack(
	dst []world.GameObject, s world.State, b []byte,
) (world.State, []world.GameObject, error) {
	if err := tool.Settled(s); err != nil {
		return s, dst, err
	}
	p.checked().Lost = 0
	c := &p.checker
	err := c.check(s, b, terms{&p.dictionary, p.Codecs, p.WithoutGlobals})
	if err == nil {
		p.Lost = c.targets.find(s, &c.reader, p.Find)
		s, dst = p.builder.build(dst, s, &p.groups, c)
	}
	c.release()
	return s, dst, err
}
