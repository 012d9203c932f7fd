package pack

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/codec"
	"github.com/flatecs/flatecs/world/internal/kinds"
)

// A reader reads a pack.
type reader struct {
	kinds.Cursor
	version uint32
	objects int
	groups  int
	table   []byte   // ids of other objects
	placed  []uint64 // a bit per place: some group has it
	parts   []part   // the groups
}

// A part is a group of a pack.
type part struct {
	objects    int
	has, keeps []byte // a bit per kind of the pack
	places     []byte
	components []byte
}

// open checks the header of a pack.
func (r *reader) open(b []byte) (dictionary int, err error) {
	switch {
	case len(b) < len(magic) || string(b[:len(magic)]) != magic:
		return 0, wrap(ErrNotPack, "it does not begin with %q", magic)
	case len(b) < headerSize:
		return 0, damaged("%d bytes, and the header alone has %d", len(b), headerSize)
	case little.Uint32(b[atVersion:]) > version:
		return 0, wrap(ErrNewer, "format %d, this library reads up to %d; update it",
			little.Uint32(b[atVersion:]), version)
	case little.Uint64(b[atSize:]) != uint64(len(b)):
		return 0, damaged("%d bytes, and it says %d", len(b), little.Uint64(b[atSize:]))
	case little.Uint64(b[atSum:]) != xxh3.Hash(b[atSize:]):
		return 0, damaged("its hash is %016x, and it says %016x", xxh3.Hash(b[atSize:]),
			little.Uint64(b[atSum:]))
	case little.Uint32(b[atVersion:]) == 0 || little.Uint16(b[atKinds+2:]) != 0:
		return 0, damaged("format %d does not exist", little.Uint32(b[atVersion:]))
	}
	objects, groups := little.Uint32(b[atObjects:]), little.Uint32(b[atGroups:])
	if uint64(objects) > uint64(len(b))/4 || groups > objects {
		return 0, damaged("%d objects in %d groups, in %d bytes", objects, groups, len(b))
	}
	r.Cursor, r.objects, r.groups = kinds.Cursor{Rest: b[headerSize:]}, int(objects), int(groups)
	r.version, r.table = little.Uint32(b[atVersion:]), nil
	return int(little.Uint16(b[atKinds:])), nil
}

// readKinds reads the dictionary, and finds its kinds in the world.
func (p *Packer) readKinds(s world.State, dictionary int) error {
	p.kinds = p.kinds[:0]
	for range dictionary {
		k, err := p.readKind(s)
		if err != nil {
			return err
		}
		for i := range p.kinds {
			if p.kinds[i].spec == k.spec {
				return damaged("%s stands in it twice", layout.Quoted(k.spec.Name))
			}
		}
		p.kinds = append(p.kinds, k)
	}
	return nil
}

func (p *Packer) readKind(s world.State) (k kind, err error) {
	r := &p.reader
	b := r.Take(5)
	if len(b) < 5 || b[0] >= sorts {
		return k, damaged("a kind is cut off, or of no sort")
	}
	k.sort = b[0]
	fields := int(little.Uint16(b[3:]))
	name := r.Take(int(little.Uint16(b[1:])))
	if len(name) == 0 || fields > 0 && k.sort != withFields && k.sort != withGlobal {
		return k, damaged("a kind has no name, or fields that it cannot have")
	}
	a := systems.ArenaOf(s)
	for n := range a.OnObjects() {
		if spec := a.Managers[n].Kind; spec.Name == string(name) {
			k.spec, k.number = spec, n
		}
	}
	switch {
	case k.spec == nil && p.WithoutGlobals && string(name) == Global.String():
		k.spec = Global.Spec()
	case k.spec == nil:
		return k, wrap(ErrSchema, "the world has no kind %s; add its Count to Counts.Kinds, or "+
			"for names and global ids set Counts.Names and Counts.Globals",
			layout.Quoted(string(name)))
	case k.sort != sortOf(k.spec):
		return k, wrap(ErrSchema, "%s is a mark, values or has fields, in one of the pack and "+
			"the world; give one of them another name", layout.Quoted(k.spec.Name))
	}
	k.leave = k.sort == withGlobal && p.WithoutGlobals
	k.moves = !k.leave && a.Managers[k.number].Packed()
	if k.sort == withValue {
		k.column = p.columnOf(k.spec)
	}
	if err := p.findCodec(&k); err != nil {
		return k, err
	}
	err = p.readFields(&k, fields)
	return k, err
}

// readFields reads the fields of a kind, and finds each among those of the program. Others of the
// program keep their defaults.
func (p *Packer) readFields(k *kind, n int) error {
	first := len(p.fields)
	for range n {
		name := p.reader.Take(int(p.reader.Number(2)))
		rest := p.reader.Take(12)
		if rest == nil {
			return damaged("a field of %s is cut off", layout.Quoted(k.spec.Name))
		}
		spec := fieldNamed(k.spec, name)
		switch {
		case spec == nil:
			return wrap(ErrSchema, "%s has no field %s", layout.Quoted(k.spec.Name),
				layout.Quoted(string(name)))
		case little.Uint32(rest) != sizeOf(spec),
			little.Uint64(rest[4:]) != p.hashOf(spec):
			return wrap(ErrSchema, "%s of %s has another type in the program, %s of %s",
				spec.Title(layout.Part{}), sizeText(little.Uint32(rest)), valueOf(spec).Shape(),
				sizeText(sizeOf(spec)))
		}
		if slices.Contains(p.fields[first:], spec) {
			return damaged("%s stands in it twice", spec.Title(layout.Part{}))
		}
		p.fields = append(p.fields, spec)
	}
	k.fields = p.fields[first:]
	return nil
}

func fieldNamed(k *layout.KindSpec, name []byte) *layout.FieldSpec {
	for _, f := range k.Fields {
		if f.Name == string(name) {
			return f
		}
	}
	return nil
}

// checkGroups checks everything behind the dictionary, and counts the components of each kind.
func (p *Packer) checkGroups() error {
	r := &p.reader
	r.placed = zeros(r.placed, (r.objects+63)/64)
	r.parts = r.parts[:0]
	all := 0
	for range r.groups {
		g, err := r.readGroup(len(p.kinds))
		if err != nil {
			return err
		}
		before := r.Rest
		for i := range p.kinds {
			if err := p.checkKind(&p.kinds[i], &g, bit(g.has, i), bit(g.keeps, i)); err != nil {
				return err
			}
		}
		g.components = before[:len(before)-len(r.Rest)]
		r.parts = append(r.parts, g)
		all += g.objects
	}
	if r.version > 1 {
		r.table = r.Take(len(r.Rest))
	}
	if all != r.objects || len(r.Rest) != 0 {
		return damaged("%d of %d objects, and %d bytes behind them", all, r.objects, len(r.Rest))
	}
	if err := p.checkOthers(); err != nil {
		return err
	}
	return p.checkTrees()
}

// checkKind checks the components of a kind, which the objects of a group may have or keep.
func (p *Packer) checkKind(k *kind, g *part, has, keeps bool) error {
	switch {
	case has && keeps || keeps && k.sort == withoutData:
		return damaged("a group has %s and keeps it suspended", layout.Quoted(k.spec.Name))
	case !has && !keeps:
		return nil
	case keeps && k.moves:
		return wrap(ErrSchema, "%s is suspended in the pack, and packed in the world",
			layout.Quoted(k.spec.Name))
	}
	if !k.leave {
		k.rows += g.objects
	}
	switch k.sort {
	case withName:
		return p.reader.checkNames(g.objects)
	case withValue:
		return p.readValues(k, g.objects)
	}
	column := p.reader.Rest
	for _, f := range k.fields {
		values := p.reader.Rest
		if err := p.checkColumn(f, g.objects); err != nil {
			return err
		}
		if isParent(f) {
			p.noteParents(k, g, values)
		}
	}
	if k.sort == withGlobal && !k.leave {
		return p.checkGlobals(k, column, g.objects)
	}
	return nil
}

func bit(set []byte, i int) bool { return set[i/8]>>(i%8)&1 != 0 }

// readGroup reads the head of a group: how many objects, which kinds. It checks their places.
func (r *reader) readGroup(dictionary int) (g part, err error) {
	words := (dictionary + 7) / 8
	g.objects = int(r.Number(4))
	if g.objects < 1 || g.objects > r.objects {
		return g, damaged("a group of %d objects, of %d", g.objects, r.objects)
	}
	g.has, g.keeps, g.places = r.Take(words), r.Take(words), r.Take(4*g.objects)
	if g.places == nil {
		return g, damaged("a group of %d objects is cut off", g.objects)
	}
	if used := dictionary % 8; used != 0 && (g.has[words-1]|g.keeps[words-1])>>used != 0 {
		return g, damaged("a group has a kind that is not in the pack")
	}
	for at := 0; at < len(g.places); at += 4 {
		place := little.Uint32(g.places[at:])
		if place >= uint32(r.objects) || r.placed[place>>6]>>(place&63)&1 != 0 {
			return g, damaged("an object has place %d of %d, or shares it", place, r.objects)
		}
		r.placed[place>>6] |= 1 << (place & 63)
	}
	return g, nil
}

// checkColumn checks the values of a field for n objects, and notes references to others.
func (p *Packer) checkColumn(f *layout.FieldSpec, n int) error {
	if f.List != nil {
		return p.checkLists(f, n)
	}
	r := &p.reader
	if n > len(r.Rest)/f.Stride {
		return damaged("%s of %d objects is cut off", f.Title(layout.Part{}), n)
	}
	column := r.Take(n * f.Stride)
	if err := f.Check(column, 0); err != nil {
		return damaged("%v", err)
	}
	p.noteOthers(f, column)
	return nil
}

func (r *reader) checkNames(n int) error {
	for range n {
		b := r.Take(1)
		if len(b) == 0 || b[0] > systems.MaxName {
			return damaged("a name is cut off, or longer than %d bytes", systems.MaxName)
		}
		if name := r.Take(int(b[0])); name == nil || !utf8.Valid(name) {
			return damaged("a name is cut off, or not UTF-8")
		}
	}
	return nil
}

// readValues decodes n Go values of a kind behind those that were read before.
func (p *Packer) readValues(k *kind, n int) error {
	first := k.rows - n
	k.column.Grow(k.rows)
	for row := first; row < k.rows; row++ {
		size := p.reader.Number(4)
		b := p.reader.Take(int(min(size, codec.MaxValue)))
		if b == nil {
			return damaged("%s is cut off", k.codec.Title())
		}
		if err := k.codec.Set(k.column, row, b); err != nil {
			return fmt.Errorf("pack: %w", err)
		}
	}
	return nil
}
