package buffer

import "github.com/flatecs/flatecs/unsafeutil"

// Align is the alignment of every region in bytes: one cache line.
const Align = 64

// MaxSize is the largest size of one world in bytes.
const MaxSize = 1 << 46

// A Carver cuts consecutive regions from Bytes. It panics if Bytes are too short.
type Carver struct {
	Bytes []byte
	Size  int // bytes handed out so far, with padding
}

// bytes returns the next n bytes. It and its callers are not inlined: worlds are carved once, and
// this keeps the programs of pages small.
//
//go:noinline
func (c *Carver) bytes(n int) []byte {
	lo := c.Size
	c.Size = (lo + n + Align - 1) &^ (Align - 1)
	return c.Bytes[lo : lo+n : lo+n]
}

// Carve returns the next n elements of T.
//
//go:noinline
func Carve[T unsafeutil.Element](c *Carver, n int) []T {
	return unsafeutil.Span[T](unsafeutil.BaseOf(c.bytes(n*unsafeutil.SizeOf[T]())), 0, n)
}

// CarveRecords returns the next n records of T, a struct without pointers.
//
//go:noinline
func CarveRecords[T any](c *Carver, n int) []T {
	return unsafeutil.Span[T](unsafeutil.BaseOf(c.bytes(n*unsafeutil.SizeOf[T]())), 0, n)
}

// CarveRecord returns the next record of T.
func CarveRecord[T any](c *Carver) *T { return &CarveRecords[T](c, 1)[0] }
