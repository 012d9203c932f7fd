package buffer

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/unsafeutil"
)

// A Base is the address of a column's first byte.
type Base = unsafeutil.Base

// A Column is one field of every component of a kind.
type Column struct {
	Bytes  []byte // rows × Stride
	Base   Base   // of Bytes
	Stride int    // bytes per component
	Lanes  int    // elements per component
	value  []byte // default of one component
	zero   bool   // the default is zeros
}

// NewColumn carves the column of field f for rows components. Its bytes are left as they are.
func NewColumn(c *Carver, f *layout.FieldSpec, rows int) Column {
	b := c.bytes(int64(rows) * int64(f.Stride))
	return Column{b, unsafeutil.BaseOf(b), f.Stride, f.Lanes, f.Default, f.Zero}
}

// Reset sets one row back to the default.
func (c *Column) Reset(row int) {
	dst := c.Bytes[row*c.Stride:][:c.Stride]
	switch len(c.value) { // a copy of a known size is one or two moves
	case 4:
		*(*[4]byte)(dst) = [4]byte(c.value)
	case 8:
		*(*[8]byte)(dst) = [8]byte(c.value)
	case 12:
		*(*[12]byte)(dst) = [12]byte(c.value)
	case 16:
		*(*[16]byte)(dst) = [16]byte(c.value)
	default:
		copy(dst, c.value)
	}
}

// Fill sets every row of a column of zeroed bytes to the default.
func (c *Column) Fill() {
	if c.zero {
		return
	}
	for n := copy(c.Bytes, c.value); n > 0 && n < len(c.Bytes); { // each copy doubles what is done
		n += copy(c.Bytes[n:], c.Bytes[:n])
	}
}

// Rows views n components from row on, lanes elements each. It panics when they are not all inside
// the column.
func Rows[T layout.Element](c *Column, row, n int) []T {
	lo, hi := row*c.Stride, (row+n)*c.Stride
	return unsafeutil.Slice[T](c.Bytes[lo:hi:hi])
}

// Span views n elements from lo on. The caller has checked that they are inside the column.
func Span[T layout.Element](base Base, lo, n int) []T { return unsafeutil.Span[T](base, lo, n) }

// Pairs views flat as rows of two.
func Pairs[T layout.Element](flat []T) [][2]T { return unsafeutil.Pairs(flat) }

// Triples views flat as rows of three.
func Triples[T layout.Element](flat []T) [][3]T { return unsafeutil.Triples(flat) }

// Quads views flat as rows of four.
func Quads[T layout.Element](flat []T) [][4]T { return unsafeutil.Quads(flat) }
