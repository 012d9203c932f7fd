package pack

import (
	"fmt"
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/codec"
)

// A checker reads a whole pack, and checks that a world has room for it. It keeps the data that a
// builder needs.
type checker struct {
	state   world.State // during a call
	reader  reader
	schema  schema
	targets targets
	trees   trees
	globals globals
	rooms   rooms
}

// check checks a pack.
func (c *checker) check(s world.State, b []byte, t terms) error {
	c.state, c.schema.terms = s, t
	c.targets.list = c.targets.list[:0]
	c.rooms.clear()
	clear(c.globals.numbers)
	r := &c.reader
	kinds, err := r.open(b)
	if err != nil {
		return err
	}
	if err := c.schema.read(s, r, kinds); err != nil {
		return err
	}
	if err := c.checkGroups(); err != nil {
		return err
	}
	if err := tool.CheckRoom(s, -1, r.objects); err != nil {
		return err
	}
	for i := range c.schema.kinds {
		k := &c.schema.kinds[i]
		if err := tool.CheckRoom(s, k.number, k.rows); err != nil {
			return err
		}
	}
	return c.rooms.full
}

// release drops the references to the pack and the decoded values.
func (c *checker) release() {
	c.state = world.State{}
	c.schema.release()
	c.rooms.clear()
	clear(c.reader.parts)
	c.reader.Rest = nil
}

// checkGroups checks all bytes behind the dictionary, and counts the components of each kind.
func (c *checker) checkGroups() error {
	r := &c.reader
	r.placed = zeros(r.placed, (r.objects+63)/64)
	r.parts = r.parts[:0]
	all := 0
	kinds := c.schema.kinds
	for range r.groups {
		g, err := r.readGroup(len(kinds))
		if err != nil {
			return err
		}
		before := r.Rest
		for i := range kinds {
			if err := c.checkKind(&kinds[i], &g, bit(g.has, i), bit(g.keeps, i)); err != nil {
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
	if err := c.targets.check(r); err != nil {
		return err
	}
	return c.trees.check(kinds)
}

// checkKind checks the components of a kind that the objects of a group have or keep suspended.
func (c *checker) checkKind(k *arrival, g *part, has, keeps bool) error {
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
		return c.reader.checkNames(g.objects)
	case withValue:
		return c.readValues(k, g.objects)
	}
	column := c.reader.Rest
	for _, f := range k.fields {
		values := c.reader.Rest
		if err := c.checkColumn(f, g.objects); err != nil {
			return err
		}
		if f.Relation != nil && f.Relation.Tree && f.Relation.Target == f { // to parents
			c.trees.add(&c.reader, k, g, values)
		}
	}
	if k.sort == withGlobal && !k.leave {
		if len(k.fields) == 0 || k.fields[0].Index != 0 {
			return damaged("its global ids have no numbers")
		}
		return c.globals.add(c.state, column, g.objects)
	}
	return nil
}

// checkColumn checks the values of a field for n objects, and lists references to other objects.
func (c *checker) checkColumn(f *layout.FieldSpec, n int) error {
	if f.List != nil {
		return c.checkLists(f, n)
	}
	r := &c.reader
	if n > len(r.Rest)/f.Stride {
		return damaged("%s of %d objects is cut off", f.Title(layout.Part{}), n)
	}
	column := r.Take(n * f.Stride)
	if err := f.Check(column, 0); err != nil {
		return damaged("%v", err)
	}
	c.targets.add(r, f, column)
	return nil
}

// checkLists checks the lists of a field of n objects, and the room for them. It lists references
// to other objects.
func (c *checker) checkLists(f *layout.FieldSpec, n int) error {
	l, err := c.reader.lists(f, n)
	if err != nil {
		return err
	}
	if err := f.List.Element.Check(l.elements, 0); err != nil {
		return damaged("%v", err)
	}
	c.targets.add(&c.reader, f.List.Element, l.elements)
	room := c.rooms.of(c.state, f)
	for range n {
		elements := l.next()
		if f.List.Text && !utf8.Valid(elements) {
			return damaged("%s is not UTF-8", f.Title(layout.Part{}))
		}
		if n := len(elements) / l.stride; c.rooms.full == nil && !room.Take(n) {
			c.rooms.full = room.Full(n)
		}
	}
	return nil
}

// readValues decodes n Go values of a kind, after the values that were read before.
func (c *checker) readValues(k *arrival, n int) error {
	first := k.rows - n
	k.column.Grow(k.rows)
	for row := first; row < k.rows; row++ {
		size := c.reader.Number(4)
		b := c.reader.Take(int(min(size, codec.MaxValue)))
		if b == nil {
			return damaged("%s is cut off", k.codec.Title())
		}
		if err := k.codec.Set(k.column, row, b); err != nil {
			return fmt.Errorf("pack: %w", err)
		}
	}
	return nil
}
