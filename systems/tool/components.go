package tool

import (
	"fmt"
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// Components are the components of one kind of a group of objects, in the order of the group. They
// are valid until the next call of [Groups.Components].
type Components struct {
	manager *manager.Manager
	rows    []uint32
	ordered bool // rows are consecutive
}

// Components returns the components of a kind of a group. The objects must have the kind, or keep
// it suspended. A mark has no components.
func (g *Groups) Components(i, kind int) Components {
	g.at(i)
	c := Components{manager: g.manager(kind), ordered: true}
	if c.manager.Kind.Mark {
		return c
	}
	var rows [64]uint32
	g.rows = g.rows[:0]
	for _, r := range g.runsOf(i) {
		run := &g.runs[r]
		if run.objects&^c.manager.Blocks.Holds(run.block) != 0 {
			panic("flatecs: objects of the group have no " + c.manager.Kind.Name +
				"; ask Has first")
		}
		before := len(g.rows)
		straight := c.manager.Blocks.RowsOf(&rows, run.block, run.objects)
		g.rows = append(g.rows, rows[:bits.OnesCount64(run.objects)]...)
		c.ordered = c.ordered && straight && (before == 0 || g.rows[before] == g.rows[before-1]+1)
	}
	c.rows = g.rows
	return c
}

// Rows returns the rows.
func (c *Components) Rows() []uint32 { return c.checked().rows }

// Values returns the Go values of a [layout.Values] kind, by row, or nil.
func (c *Components) Values() layout.ValueColumn {
	if c.checked().manager == nil {
		return nil
	}
	return c.manager.Data.Values
}

// checked returns c. It panics if c is nil.
func (c *Components) checked() *Components {
	if c == nil {
		panic("flatecs: a nil *Components; call Groups.Components")
	}
	return c
}

// column returns the column of a field. It panics if c has no column for it.
func (c *Components) column(field int) *buffer.Column {
	if c.checked().manager == nil || uint(field) >= uint(len(c.manager.Data.Columns)) {
		panic(fmt.Sprintf("flatecs: there is no field %d; count the fields of the kind from 0",
			field))
	}
	return &c.manager.Data.Columns[field]
}

// IndexKeys enters the objects of a keyed kind under their keys. Call it after setting keys.
func (c *Components) IndexKeys() {
	if c.checked().manager == nil || c.manager.Keys == nil {
		panic("flatecs: components without keys; only components of GlobalKind have keys")
	}
	for _, row := range c.rows {
		c.manager.Keys.Index(row)
	}
}

// AppendColumn appends the values of a field, one after the other.
func (c *Components) AppendColumn(dst []byte, field int) []byte {
	column := c.column(field)
	if len(c.rows) == 0 {
		return dst
	}
	if c.ordered {
		first := int(c.rows[0]) * column.Stride
		return append(dst, column.Bytes[first:][:len(c.rows)*column.Stride]...)
	}
	n := len(dst)
	dst = extend(dst, len(c.rows)*column.Stride)
	kernel.GatherBytes(dst[n:], column.Bytes, column.Stride, c.rows)
	return dst
}

// SetColumn sets the values of a field from src, in the format of [Components.AppendColumn]. It
// panics if the length differs, and for a list.
func (c *Components) SetColumn(src []byte, field int) {
	column := c.column(field)
	if f := c.manager.Kind.Fields[field]; f.List != nil {
		panic(fmt.Sprintf("flatecs: SetColumn of %s, a list: two would have the same elements; "+
			"call SetList", f))
	}
	if len(src) != len(c.rows)*column.Stride {
		panic(fmt.Sprintf("flatecs: %d bytes for %d components of %d bytes; give a value for each",
			len(src), len(c.rows), column.Stride))
	}
	if len(c.rows) == 0 {
		return
	}
	if c.ordered {
		c.manager.Stamps.Touch(c.rows[0], uint32(len(c.rows)))
		copy(column.Bytes[int(c.rows[0])*column.Stride:], src)
		return
	}
	c.manager.Stamps.TouchRows(c.rows)
	kernel.ScatterBytes(column.Bytes, src, column.Stride, c.rows)
}

// list returns the lists of a field. It panics if the field is not a list.
func (c *Components) list(field int) *manager.Heap {
	c.column(field)
	h := manager.HeapOf(c.manager, c.manager.Kind.Fields[field])
	if h == nil {
		panic(fmt.Sprintf("flatecs: %s is no list; read and write its column",
			c.manager.Kind.Fields[field]))
	}
	return h
}

// List returns the elements of component n's list of a field, in place.
func (c *Components) List(n, field int) []byte {
	h := c.list(field)
	return h.ElementsIn(c.manager, c.row(n))
}

// SetList sets the elements of component n's list of a field. elements must not be in the world's
// bytes. The error wraps [manager.ErrFull]; see [RoomForLists].
func (c *Components) SetList(n, field int, elements []byte) error {
	h := c.list(field)
	return h.SetElements(c.manager, c.row(n), elements)
}

// row returns the row of component n. It panics if n is out of range.
func (c *Components) row(n int) layout.Row {
	if uint(n) >= uint(len(c.rows)) {
		panic(fmt.Sprintf("flatecs: there is no component %d, of %d; count them from 0", n,
			len(c.rows)))
	}
	return layout.Row(c.rows[n])
}

// A ListRoom is the free room for new lists of a field; see [RoomForLists].
type ListRoom = manager.HeapRoom

// RoomForLists returns the free room for new lists of a field in a world: for each list in turn,
// Take reports whether there is room, if the lists are created in that order. It panics if the
// field is not a list of the world.
func RoomForLists(s systems.State, f *layout.FieldSpec) ListRoom {
	checkList("RoomForLists", f)
	h := manager.HeapOf(of(s, f.Kind.Handle()), f)
	return h.Room()
}
