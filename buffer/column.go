package buffer

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/unsafeutil"
)

// A Base is the address of a column's first byte.
type Base = unsafeutil.Base

// BaseOf returns the address of b's first byte.
func BaseOf(b []byte) Base { return unsafeutil.BaseOf(b) }

const cached = 48 << 10 // typical size of the L1 data cache, in bytes

// A Column is one field of every component of a kind.
type Column struct {
	Bytes  []byte // rows × Stride
	Base   Base   // of Bytes
	Stride int    // bytes per component
	at     int    // offset of the first byte in the carver's bytes
	value  []byte // default of one component
	zero   bool   // the default is zeros
}

// NewColumn carves the column of field f for rows components, without writing to it.
func NewColumn(c *Carver, f *layout.FieldSpec, rows int) Column {
	at := c.Size
	b := c.bytes(rows * f.Stride)
	return Column{b, unsafeutil.BaseOf(b), f.Stride, at, f.Default, f.Zero}
}

// Zero reports whether the default is zeros.
func (c *Column) Zero() bool { return c.zero }

// Use announces that the first rows rows of a column carved from r will be used, and returns how
// many may be used before the next call; see [Range.Use].
func (c *Column) Use(r *Range, rows int) int {
	return r.Use(c.at, c.at+len(c.Bytes), rows*c.Stride) / c.Stride
}

// Commit calls [Range.Commit] for the pages that begin in the rows [from, to) of a column of r.
func (c *Column) Commit(r *Range, from, to int) {
	lo := (c.at + from*c.Stride + page - 1) &^ (page - 1)
	r.Commit(lo, c.at+to*c.Stride)
}

// Reset sets a row to the default.
func (c *Column) Reset(row int) { Put(c.row(row), c.value) }

// Copy copies row src to row dst.
func (c *Column) Copy(dst, src int) { copy(c.row(dst), c.row(src)) }

// Take copies row src of from, a column of the same stride, to row dst.
func (c *Column) Take(dst int, from *Column, src int) { copy(c.row(dst), from.row(src)) }

// Set sets row to value, the bytes of one component.
func (c *Column) Set(row int, value []byte) { Put(c.row(row), value) }

// Put copies a value to the start of dst.
func Put(dst, value []byte) {
	switch len(value) { // copies of constant size compile to one or two moves
	case 4:
		*(*[4]byte)(dst) = [4]byte(value)
	case 8:
		*(*[8]byte)(dst) = [8]byte(value)
	case 12:
		*(*[12]byte)(dst) = [12]byte(value)
	case 16:
		*(*[16]byte)(dst) = [16]byte(value)
	default:
		copy(dst, value)
	}
}

func (c *Column) row(row int) []byte { return c.Bytes[row*c.Stride:][:c.Stride] }

// Fill sets the rows from from on to the default. All of them must hold it, or the last must be
// zeros.
func (c *Column) Fill(from int) {
	if n := len(c.Bytes) / c.Stride; !c.zero && from < n && string(c.row(n-1)) != string(c.value) {
		c.FillRows(from, n)
	}
}

// FillRows sets the rows in [from, to) to the default.
func (c *Column) FillRows(from, to int) {
	dst := c.Bytes[from*c.Stride : to*c.Stride]
	if c.zero {
		clear(dst)
		return
	}
	repeat(dst, c.value)
}

// ClearRows sets the rows in [from, to) to zeros.
func (c *Column) ClearRows(from, to int) { clear(c.Bytes[from*c.Stride : to*c.Stride]) }

// SetRows sets the rows in [from, to) to value, the bytes of one component.
func (c *Column) SetRows(from, to int, value []byte) {
	repeat(c.Bytes[from*c.Stride:to*c.Stride], value)
}

// SetEach sets each of rows to the next of values, which are step bytes apart.
func (c *Column) SetEach(rows []uint32, values []byte, step int) {
	switch c.Stride { // as in Put
	case 4:
		setEach[[4]byte](c, rows, values, step)
	case 8:
		setEach[[8]byte](c, rows, values, step)
	case 12:
		setEach[[12]byte](c, rows, values, step)
	case 16:
		setEach[[16]byte](c, rows, values, step)
	default:
		for i, row := range rows {
			copy(c.row(int(row)), values[i*step:])
		}
	}
}

func setEach[T [4]byte | [8]byte | [12]byte | [16]byte](
	c *Column, rows []uint32, values []byte, step int,
) {
	if len(rows) == 0 {
		return
	}
	end := (len(rows)-1)*step + c.Stride
	dst, from := unsafeutil.Records[T](c.Bytes), BaseOf(values[:end:len(values)])
	for i, row := range rows {
		dst[row] = *AtByte[T](from, i*step)
	}
}

func repeat(dst, value []byte) {
	n := copy(dst, value)
	for done := dst[:n]; n > 0 && n < len(dst); { // copies the cached part
		if n += copy(dst[n:], done); n <= cached {
			done = dst[:n]
		}
	}
}

// Rows views n components from row on. It panics if some are outside the column.
func Rows[T any](c *Column, row, n int) []T {
	lo, hi := row*c.Stride, (row+n)*c.Stride
	return unsafeutil.Records[T](c.Bytes[lo:hi:hi])
}

// Bytes views a list as bytes.
func Bytes[T any](list []T) []byte { return unsafeutil.Flat[byte](list) }

// Span views n values from lo on. The caller has checked that they are in the column.
func Span[T any](base Base, lo, n int) []T { return unsafeutil.Span[T](base, lo, n) }

// AtByte is [At] for the value that begins at byte n of the column.
func AtByte[T any](base Base, n int) *T { return unsafeutil.AtByte[T](base, n) }

// At returns a pointer to the value of a row. The caller has checked that it is in the column.
func At[T any](base Base, row int) *T { return unsafeutil.At[T](base, row) }
