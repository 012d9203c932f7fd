package pack

import (
	"fmt"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/codec"
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
	if err := p.checked().groups.Sort(s, ids); err != nil {
		return dst, err
	}
	if err := p.listKinds(s); err != nil {
		return dst, err
	}
	p.state, p.listed, p.others = s, len(ids), p.others[:0]
	defer p.letGo()
	b := dst
	b = append(b, magic...)
	b = appendZeros(b, headerSize-len(magic))
	for i := range p.kinds {
		b = append(b, p.entry(p.kinds[i].spec)...)
	}
	for i := range p.groups.Len() {
		var err error
		if b, err = p.appendGroup(b, i); err != nil {
			return dst, err
		}
	}
	for _, id := range p.others {
		b = little.AppendUint64(b, uint64(id))
	}
	head := b[len(dst):]
	little.PutUint64(head[atSize:], uint64(len(head)))
	little.PutUint32(head[atVersion:], 1)
	if len(p.others) > 0 {
		little.PutUint32(head[atVersion:], version)
	}
	little.PutUint32(head[atObjects:], uint32(len(ids)))
	little.PutUint32(head[atGroups:], uint32(p.groups.Len()))
	little.PutUint16(head[atKinds:], uint16(len(p.kinds)))
	little.PutUint64(head[atSum:], xxh3.Hash(head[atSize:]))
	return b, nil
}

// listKinds lists the kinds that some group has or keeps suspended, in the order of the world.
func (p *Packer) listKinds(s world.State) error {
	p.kinds = p.kinds[:0]
	a := systems.ArenaOf(s)
	for n := range a.OnObjects() {
		if !p.groups.Uses(n) {
			continue
		}
		spec := a.Managers[n].Kind
		if !p.packs(spec) {
			continue
		}
		k := kind{spec: spec, number: n, sort: sortOf(spec)}
		if err := p.findCodec(&k); err != nil {
			return err
		}
		p.kinds = append(p.kinds, k)
	}
	return nil
}

// packs reports whether a kind is packed.
func (p *Packer) packs(spec *layout.KindSpec) bool {
	return p.Only == nil || slices.ContainsFunc(p.Only, func(k layout.AnyKind) bool {
		if k == nil {
			panic("pack: Packer.Only lists a nil kind; list kinds or fields that were declared")
		}
		return k.Kind().Spec() == spec
	})
}

// findCodec finds the codec of a kind of Go values.
func (p *Packer) findCodec(k *kind) (err error) {
	if k.sort != withValue {
		return nil
	}
	var ok bool
	if k.codec, ok = codec.Find(p.Codecs, k.spec.Handle()); !ok {
		return wrap(ErrCodec, "%s; add one to Packer.Codecs", layout.Quoted(k.spec.Name))
	}
	return nil
}

// entry returns what the dictionary says of a kind.
func (p *Packer) entry(k *layout.KindSpec) []byte {
	if b := p.entries[k]; b != nil {
		return b
	}
	b := append([]byte{sortOf(k)}, 0, 0, 0, 0)
	little.PutUint16(b[1:], uint16(min(len(k.Name), math.MaxUint16)))
	b = append(b, k.Name[:min(len(k.Name), math.MaxUint16)]...)
	if b[0] == withFields || b[0] == withGlobal {
		little.PutUint16(b[3:], uint16(len(k.Fields)))
		for _, f := range k.Fields {
			b = p.appendField(b, f)
		}
	}
	if p.entries == nil {
		p.entries = make(map[*layout.KindSpec][]byte)
	}
	p.entries[k] = b
	return b
}

// appendField appends the name of a field, its size, and the hash of what its parts are.
func (p *Packer) appendField(b []byte, f *layout.FieldSpec) []byte {
	name := f.Name[:min(len(f.Name), math.MaxUint16)]
	b = append(little.AppendUint16(b, uint16(len(name))), name...)
	b = little.AppendUint32(b, sizeOf(f))
	return little.AppendUint64(b, p.hashOf(f))
}

// hashOf returns the hash of the names, types and lanes of the parts of a field, or of the elements
// of a list.
func (p *Packer) hashOf(f *layout.FieldSpec) uint64 {
	if h, ok := p.hashes[f]; ok {
		return h
	}
	var b []byte
	for _, part := range valueOf(f).Parts {
		b = append(append(append(b, part.Name...), 0), part.Type...)
		b = little.AppendUint32(append(b, 0), uint32(part.Lanes))
	}
	if p.hashes == nil {
		p.hashes = make(map[*layout.FieldSpec]uint64)
	}
	p.hashes[f] = xxh3.Hash(b)
	return p.hashes[f]
}

func (p *Packer) appendGroup(b []byte, i int) ([]byte, error) {
	g := &p.groups
	b = little.AppendUint32(b, uint32(g.Objects(i)))
	at, words := len(b), (len(p.kinds)+7)/8
	b = appendZeros(b, 2*words)
	for n := range p.kinds {
		if g.Has(i, p.kinds[n].number) {
			b[at+n/8] |= 1 << (n % 8)
		} else if g.Keeps(i, p.kinds[n].number) {
			b[at+words+n/8] |= 1 << (n % 8)
		}
	}
	for _, place := range g.Places(i) {
		b = little.AppendUint32(b, place)
	}
	for n := range p.kinds {
		k := &p.kinds[n]
		if !g.Has(i, k.number) && !g.Keeps(i, k.number) || k.sort == withoutData {
			continue
		}
		c := g.Components(i, k.number)
		var err error
		if b, err = p.appendComponents(b, k, &c); err != nil {
			return b, err
		}
	}
	return b, nil
}

func (p *Packer) appendComponents(b []byte, k *kind, c *tool.Components) ([]byte, error) {
	switch k.sort {
	case withName:
		return p.appendNames(b, c), nil
	case withValue:
		return appendValues(b, k, c)
	}
	for i, f := range k.spec.Fields {
		at := len(b)
		if f.List != nil {
			b, at = appendLists(b, c, f)
			f = f.List.Element
		} else {
			b = c.AppendColumn(b, i)
		}
		for _, ref := range f.Refs {
			for column := b[at:]; len(column) > 0; column = column[f.Stride:] {
				id := world.GameObject(little.Uint64(column[ref:]))
				little.PutUint64(column[ref:], p.reference(id))
			}
		}
	}
	return b, nil
}

// appendNames appends the length and the text of each name.
func (p *Packer) appendNames(b []byte, c *tool.Components) []byte {
	p.scratch = c.AppendColumn(p.scratch[:0], 0)
	const size = systems.MaxName + 1
	for text := p.scratch; len(text) > 0; text = text[size:] {
		b = append(b, text[:1+min(int(text[0]), systems.MaxName)]...)
	}
	return b
}

// appendValues appends the length and the encoding of each Go value.
func appendValues(b []byte, k *kind, c *tool.Components) ([]byte, error) {
	for _, row := range c.Rows() {
		at := len(b)
		b = append(b, 0, 0, 0, 0)
		var err error
		if b, err = k.codec.Append(b, c.Values(), int(row)); err != nil {
			return b, fmt.Errorf("pack: %w", err)
		}
		little.PutUint32(b[at:], uint32(len(b)-at-4))
	}
	return b, nil
}
