package buffer

import "github.com/flatecs/flatecs/unsafeutil"

// Align is the alignment of every region in bytes: one cache line.
const Align = 64

// MaxSize is the largest size of one world in bytes. Beyond it a Carver stops counting.
const MaxSize = 1 << 46

// A Carver hands out regions of Bytes, first to last. With nil Bytes it measures.
type Carver struct {
	Bytes []byte
	Size  int64 // bytes handed out so far, padding included; above MaxSize: too large

	Regions [][]byte // handed out so far, in order, if it was not nil before; none while measuring
}

// bytes returns the next n bytes, or nil while measuring.
func (c *Carver) bytes(n int64) []byte {
	if c.Size > MaxSize {
		return nil
	}
	lo := c.Size
	c.Size = (lo + n + Align - 1) &^ (Align - 1)
	if c.Bytes == nil {
		return nil
	}
	b := c.Bytes[lo : lo+n : lo+n]
	if c.Regions != nil {
		c.Regions = append(c.Regions, b)
	}
	return b
}

// Carve returns the next n elements of T, or nil while measuring.
func Carve[T unsafeutil.Element](c *Carver, n int) []T {
	return unsafeutil.Slice[T](c.bytes(int64(n) * int64(unsafeutil.SizeOf[T]())))
}

// CarveRecords returns the next n records of T, a struct without pointers, or nil while measuring.
func CarveRecords[T any](c *Carver, n int) []T {
	return unsafeutil.Records[T](c.bytes(int64(n) * int64(unsafeutil.SizeOf[T]())))
}

// CarveRecord returns the next record of T, or nil while measuring.
func CarveRecord[T any](c *Carver) *T {
	if records := CarveRecords[T](c, 1); len(records) == 1 {
		return &records[0]
	}
	return nil
}
