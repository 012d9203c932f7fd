package pack

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A builder creates the objects of a pack that was checked.
type builder struct {
	groups  *tool.Groups // these four belong to the Packer
	reader  *reader
	kinds   []arrival
	targets *targets
	ids     []world.GameObject // by place, during a call
	names   []name             // by place
	made    []world.GameObject // of a group
	scratch []byte
}

// A name is the name of an object, in the bytes of the pack.
type name struct {
	text      []byte // nil: none
	suspended bool
}

// build creates the objects, and appends their ids to dst.
func (b *builder) build(
	dst []world.GameObject, s world.State, groups *tool.Groups, c *checker,
) (world.State, []world.GameObject) {
	b.groups, b.reader, b.kinds, b.targets = groups, &c.reader, c.schema.kinds, &c.targets
	r := b.reader
	groups.Begin(s)
	at := len(dst)
	dst = slices.Grow(dst, r.objects)[:at+r.objects]
	b.ids = dst[at:]
	for i := range r.parts {
		b.create(i)
	}
	b.names = zeros(b.names, r.objects)
	for i := range r.parts {
		r.Rest = r.parts[i].components
		b.setComponents(i)
	}
	for place, name := range b.names {
		if name.text != nil {
			groups.Name(b.ids[place], name.text, name.suspended)
		}
	}
	clear(b.names)
	b.ids = nil
	return groups.End(), dst
}

// create creates the objects of group i, with its kinds.
func (b *builder) create(i int) {
	g := &b.reader.parts[i]
	b.made = b.groups.Create(b.made[:0], g.objects)
	for n, id := range b.made {
		b.ids[little.Uint32(g.places[4*n:])] = id
	}
	for n := range b.kinds {
		k := &b.kinds[n]
		if k.sort != withName && !k.leave && (bit(g.has, n) || bit(g.keeps, n)) {
			b.groups.Add(i, k.number)
		}
	}
}

// setComponents sets the values of the objects of group i.
func (b *builder) setComponents(i int) {
	g := &b.reader.parts[i]
	for n := range b.kinds {
		k := &b.kinds[n]
		has, keeps := bit(g.has, n), bit(g.keeps, n)
		if !has && !keeps {
			continue
		}
		if k.sort == withName {
			b.listNames(g, keeps)
			continue
		}
		if k.leave {
			for _, f := range k.fields {
				b.reader.Take(g.objects * f.Stride)
			}
			continue
		}
		c := b.groups.Components(i, k.number)
		if k.sort == withValue {
			b.setValues(k, &c)
		}
		for _, f := range k.fields {
			if f.List != nil {
				b.setLists(&c, f, g.objects)
				continue
			}
			c.SetColumn(b.inWorld(f, b.reader.Take(g.objects*f.Stride)), f.Index)
		}
		if k.sort == withGlobal {
			c.IndexKeys()
		}
		if keeps {
			b.groups.Suspend(i, k.number)
		}
	}
}

// listNames lists the names of a group by place.
func (b *builder) listNames(g *part, suspended bool) {
	for n := range g.objects {
		text := b.reader.Take(int(b.reader.Take(1)[0]))
		b.names[little.Uint32(g.places[4*n:])] = name{text, suspended}
	}
}

func (b *builder) setValues(k *arrival, c *tool.Components) {
	for _, row := range c.Rows() {
		b.reader.Take(int(little.Uint32(b.reader.Take(4))))
		c.Values().CopyFrom(int(row), k.column, k.done)
		k.done++
	}
}

// setLists sets checked lists of a field of a group.
func (b *builder) setLists(c *tool.Components, f *layout.FieldSpec, n int) {
	l, _ := b.reader.lists(f, n)
	l.elements = b.inWorld(f.List.Element, l.elements)
	for i := range n {
		_ = c.SetList(i, f.Index, l.next()) // there is room
	}
}

// inWorld returns the values of a field, with references to objects of the world.
func (b *builder) inWorld(f *layout.FieldSpec, column []byte) []byte {
	if len(f.Refs) == 0 {
		return column
	}
	b.scratch = append(b.scratch[:0], column...)
	for _, ref := range f.Refs {
		for at := ref; at < len(column); at += f.Stride {
			id := world.GameObject(0)
			switch x := little.Uint64(column[at:]); {
			case b.reader.leavesPack(x):
				id = b.targets.take()
			case x != 0:
				id = b.ids[x&^inside]
			}
			little.PutUint64(b.scratch[at:], uint64(id))
		}
	}
	return b.scratch
}
