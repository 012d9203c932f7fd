package pack

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Unpack creates the objects of a pack in s, and appends their ids to dst, in the order of the ids
// passed to Pack. Kinds and fields are identified by name: the world must contain each kind of the
// pack's objects, and each of its fields with the same type; fields that are not in the pack get
// their defaults. Names are set in the order of the ids. [Packer.Lost] counts the references that
// it sets to nobody; see [Packer.Pack].
//
// b may be any bytes. With an error, s and dst are unchanged. The error wraps [ErrNotPack],
// [ErrNewer], [ErrDamaged], [ErrSchema], [ErrCodec], [ErrTaken], [world.ErrFull],
// [world.ErrTooMany], [world.ErrWalking], [tool.ErrUnapplied], or is that of a codec.
func (p *Packer) Unpack(
	dst []world.GameObject, s world.State, b []byte,
) (world.State, []world.GameObject, error) {
	if err := tool.Settled(s); err != nil {
		return s, dst, err
	}
	p.checked().Lost = 0
	err := p.check(s, b)
	if err == nil {
		s, dst = p.build(dst, s)
	}
	p.letGo()
	return s, dst, err
}

// check reads all of a pack, and checks that s has room for it.
func (p *Packer) check(s world.State, b []byte) error {
	p.state, p.others = s, p.others[:0]
	p.rooms, p.full = p.rooms[:0], nil
	clear(p.numbers)
	kinds, err := p.reader.open(b)
	if err != nil {
		return err
	}
	if err := p.readKinds(s, kinds); err != nil {
		return err
	}
	if err := p.checkGroups(); err != nil {
		return err
	}
	if err := tool.CheckRoom(s, -1, p.reader.objects); err != nil {
		return err
	}
	for i := range p.kinds {
		if p.kinds[i].leave {
			continue
		}
		if err := tool.CheckRoom(s, p.kinds[i].number, p.kinds[i].rows); err != nil {
			return err
		}
	}
	if p.full != nil {
		return p.full
	}
	p.findOthers()
	return nil
}

// build makes the objects of a pack that was checked.
func (p *Packer) build(
	dst []world.GameObject, s world.State,
) (world.State, []world.GameObject) {
	g, r := &p.groups, &p.reader
	g.Begin(s)
	p.other = 0
	at := len(dst)
	dst = slices.Grow(dst, r.objects)[:at+r.objects]
	p.ids = dst[at:]
	for i := range r.parts {
		p.create(i)
	}
	p.names = slices.Grow(p.names[:0], r.objects)[:r.objects]
	for i := range r.parts {
		r.Rest = r.parts[i].components
		p.furnish(i)
	}
	for place, name := range p.names {
		if name.text != nil {
			g.Name(p.ids[place], name.text, name.suspended)
		}
	}
	return g.End(), dst
}

// create makes the objects of group i, with its kinds.
func (p *Packer) create(i int) {
	g := &p.reader.parts[i]
	p.made = p.groups.Create(p.made[:0], g.objects)
	for n, id := range p.made {
		p.ids[little.Uint32(g.places[4*n:])] = id
	}
	for n := range p.kinds {
		if k := &p.kinds[n]; k.sort != withName && !k.leave && (bit(g.has, n) || bit(g.keeps, n)) {
			p.groups.Add(i, k.number)
		}
	}
}

// furnish sets the values of the objects of group i.
func (p *Packer) furnish(i int) {
	g := &p.reader.parts[i]
	for n := range p.kinds {
		k := &p.kinds[n]
		has, keeps := bit(g.has, n), bit(g.keeps, n)
		if !has && !keeps {
			continue
		}
		if k.sort == withName {
			p.listNames(g, keeps)
			continue
		}
		if k.leave {
			p.reader.skip(k, g.objects)
			continue
		}
		c := p.groups.Components(i, k.number)
		if k.sort == withValue {
			p.setValues(k, &c)
		}
		for _, f := range k.fields {
			if f.List != nil {
				p.setLists(&c, f, g.objects)
				continue
			}
			c.SetColumn(p.inWorld(f, p.reader.Take(g.objects*f.Stride)), f.Index)
		}
		if k.sort == withGlobal {
			c.IndexKeys()
		}
		if keeps {
			p.groups.Suspend(i, k.number)
		}
	}
}

// A name is that of an object, in the bytes of the pack.
type name struct {
	text      []byte // nil: none
	suspended bool
}

func (p *Packer) listNames(g *part, suspended bool) {
	for n := range g.objects {
		text := p.reader.Take(int(p.reader.Take(1)[0]))
		p.names[little.Uint32(g.places[4*n:])] = name{text, suspended}
	}
}

func (p *Packer) setValues(k *kind, c *tool.Components) {
	for _, row := range c.Rows() {
		p.reader.Take(int(little.Uint32(p.reader.Take(4))))
		c.Values().CopyFrom(int(row), k.column, k.done)
		k.done++
	}
}

// columnOf returns the column into which the values of a kind are decoded.
func (p *Packer) columnOf(k *layout.KindSpec) layout.ValueColumn {
	c := p.columns[k]
	if c == nil {
		if p.columns == nil {
			p.columns = make(map[*layout.KindSpec]layout.ValueColumn)
		}
		c = k.Values.Make(0)
		p.columns[k] = c
	}
	return c
}

// letGo forgets the pack and what was decoded.
func (p *Packer) letGo() {
	p.state = world.State{}
	for i := range p.kinds {
		if k := &p.kinds[i]; k.column != nil {
			for row := range k.rows {
				k.column.Reset(row)
			}
		}
	}
	p.kinds, p.fields = p.kinds[:0], p.fields[:0]
	clear(p.rooms)
	clear(p.reader.parts)
	clear(p.names)
	p.names, p.ids, p.reader.Rest = p.names[:0], nil, nil
}
