// Package codec encodes Go values as bytes, for save files and packs: what package save exports as
// Codec.
package codec

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// A Codec encodes the values of one [layout.Values] kind, or of one shared value, as bytes. Make it
// by Values or Shared of package save.
type Codec struct {
	kind   layout.Kind
	encode func(column layout.ValueColumn, row int, dst []byte) ([]byte, error)
	decode func(column layout.ValueColumn, row int, b []byte) error
}

// MaxValue is the most bytes of one value.
const MaxValue = 1<<31 - 1

// Of returns the codec of k, whose values are a T.
func Of[T any](
	k layout.Kind, encode func(dst []byte, value T) ([]byte, error),
	decode func(b []byte) (T, error),
) Codec {
	return Codec{
		k,
		func(column layout.ValueColumn, row int, dst []byte) ([]byte, error) {
			return encode(dst, column.(*layout.ValueSlice[T]).Rows[row])
		},
		func(column layout.ValueColumn, row int, b []byte) (err error) {
			column.(*layout.ValueSlice[T]).Rows[row], err = decode(b)
			return err
		},
	}
}

// Find returns the codec of a kind among those that a program gave. Kinds that were read from a
// file need none: nothing is known of their values but their bytes.
func Find(codecs []Codec, k layout.Kind) (Codec, bool) {
	for _, c := range codecs {
		if c.kind == k {
			return c, true
		}
	}
	if k.Spec().Place > 0 {
		return Of(k,
			func(dst, value []byte) ([]byte, error) { return append(dst, value...), nil },
			func(b []byte) ([]byte, error) { return append([]byte(nil), b...), nil }), true
	}
	return Codec{}, false
}

// Title names the codec's kind in messages.
func (c *Codec) Title() string { return layout.Quoted(c.kind.String()) }

// Append appends the encoding of the value in a row. It returns an error if the codec does, did not
// append, or appended more than [MaxValue] bytes.
func (c *Codec) Append(dst []byte, column layout.ValueColumn, row int) ([]byte, error) {
	b, err := c.encode(column, row, dst)
	switch {
	case err != nil:
		return dst, fmt.Errorf("%s in row %d: %w", c.Title(), row, err)
	case len(b) < len(dst) || len(b)-len(dst) > MaxValue:
		return dst, fmt.Errorf("%s in row %d: its codec appended too much, or less", c.Title(), row)
	}
	return b, nil
}

// Set sets the value in a row to the one that b encodes.
func (c *Codec) Set(column layout.ValueColumn, row int, b []byte) error {
	if err := c.decode(column, row, slices.Clip(b)); err != nil {
		return fmt.Errorf("%s in row %d: %w", c.Title(), row, err)
	}
	return nil
}
