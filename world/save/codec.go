package save

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/values"
	"github.com/flatecs/flatecs/systems"
)

// A Codec encodes the values of one [layout.Values] kind, or of one [systems.Shared], as bytes.
// Make it by [Values] or [Shared].
type Codec struct {
	kind   layout.Kind
	encode func(column values.Column, row int, dst []byte) ([]byte, error)
	decode func(column values.Column, row int, b []byte) error
}

// Values returns the codec of v: encode appends the encoding of a value to dst, and decode returns
// the value of an encoding. Files from outside may contain any bytes, so decode must check them. It
// must not keep b.
func Values[T any](
	v layout.Values[T], encode func(dst []byte, value T) ([]byte, error),
	decode func(b []byte) (T, error),
) Codec {
	return codecOf(v.Kind(), encode, decode)
}

// Shared is [Values] for a singleton.
func Shared[T any](
	v systems.Shared[T], encode func(dst []byte, value T) ([]byte, error),
	decode func(b []byte) (T, error),
) Codec {
	return codecOf(v.Values().Kind(), encode, decode)
}

func codecOf[T any](
	k layout.Kind, encode func(dst []byte, value T) ([]byte, error),
	decode func(b []byte) (T, error),
) Codec {
	if encode == nil || decode == nil {
		panic(fmt.Sprintf("save: a codec of %s without encode or decode; give both", k))
	}
	return Codec{
		k,
		func(column values.Column, row int, dst []byte) ([]byte, error) {
			return encode(dst, column.(*values.Slice[T]).Rows[row])
		},
		func(column values.Column, row int, b []byte) (err error) {
			column.(*values.Slice[T]).Rows[row], err = decode(b)
			return err
		},
	}
}

// verbatim is the codec of a kind of which nothing is known but its bytes.
func verbatim(k layout.Kind) Codec {
	return codecOf(k,
		func(dst, value []byte) ([]byte, error) { return append(dst, value...), nil },
		func(b []byte) ([]byte, error) { return append([]byte(nil), b...), nil })
}

// codec returns the codec of a kind. Last values of Go values have that of the kind they were of.
func (o *Options) codec(k layout.Kind) (Codec, error) {
	of := k
	if last := k.Spec().Last; last != nil {
		of = last.Handle()
	}
	for _, c := range o.Codecs {
		if c.kind == of {
			return c, nil
		}
	}
	if k.Spec().Place > 0 {
		return verbatim(k), nil
	}
	return Codec{}, fmt.Errorf("save: %s: %w; add one to Options.Codecs", layout.Quoted(k.String()),
		ErrCodec)
}

// maxValue is the most bytes of one value.
const maxValue = 1<<31 - 1

// title names the codec's kind in messages.
func (c *Codec) title() string { return layout.Quoted(c.kind.String()) }

// encodeAll returns the bytes of the first rows values, and how many each has.
func (c Codec) encodeAll(column values.Column, rows int) (sizes, b []byte, err error) {
	for row := range rows {
		before := len(b)
		if b, err = c.encode(column, row, b); err != nil {
			return nil, nil, fmt.Errorf("save: %s in row %d: %w", c.title(), row, err)
		}
		if len(b) < before || len(b)-before > maxValue {
			return nil, nil, fmt.Errorf("save: %s in row %d: its codec did not append, or too much",
				c.title(), row)
		}
		sizes = little.AppendUint32(sizes, uint32(len(b)-before))
	}
	return sizes, b, nil
}

// decodeAll sets the values that encodeAll made sizes and b of.
func (c Codec) decodeAll(column values.Column, sizes, b []byte) error {
	column.Grow(len(sizes) / 4)
	for row := range len(sizes) / 4 {
		n := uint64(little.Uint32(sizes[4*row:]))
		if n > uint64(len(b)) {
			return damaged("%s in row %d has %d bytes, of %d that are left", c.title(), row, n,
				len(b))
		}
		if err := c.decode(column, row, b[:n:n]); err != nil {
			return fmt.Errorf("save: %s in row %d: %w", c.title(), row, err)
		}
		b = b[n:]
	}
	if len(b) > 0 {
		return damaged("%s has %d bytes more than values", c.title(), len(b))
	}
	return nil
}
