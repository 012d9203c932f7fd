package save

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world/internal/codec"
)

// A Codec encodes the values of one [layout.Values] kind, or of one [systems.Shared], as bytes, for
// save files and for package world/pack. Create it by [Values] or [Shared].
type Codec = codec.Codec

// Values returns the codec of v: encode appends the encoding of a value to dst, and decode returns
// the value of an encoding. Files from untrusted sources may contain any bytes, so decode must
// check them. It must not keep b.
func Values[T any](
	v layout.Values[T], encode func(dst []byte, value T) ([]byte, error),
	decode func(b []byte) (T, error),
) Codec {
	if encode == nil || decode == nil {
		panic(fmt.Sprintf("save: a codec of %s without encode or decode; give both", v.Kind()))
	}
	return codec.Of(v.Kind(), encode, decode)
}

// Shared is [Values] for a singleton.
func Shared[T any](
	v systems.Shared[T], encode func(dst []byte, value T) ([]byte, error),
	decode func(b []byte) (T, error),
) Codec {
	return Values(v.Values(), encode, decode)
}

// codec returns the codec of a kind. The last values of a kind of Go values use the kind's codec.
func (o *Options) codec(k layout.Kind) (Codec, error) {
	of := k
	if last := k.Spec().Last; last != nil {
		of = last.Handle()
	}
	if c, ok := codec.Find(o.Codecs, of); ok {
		return c, nil
	}
	return Codec{}, fmt.Errorf("save: %s: %w; add one to Options.Codecs", layout.Quoted(k.String()),
		ErrCodec)
}

// encodeAll returns the encodings of the first rows values, one after the other, and their sizes.
func encodeAll(c Codec, column layout.ValueColumn, rows int) (sizes, b []byte, err error) {
	for row := range rows {
		before := len(b)
		if b, err = c.Append(b, column, row); err != nil {
			return nil, nil, fmt.Errorf("save: %w", err)
		}
		sizes = little.AppendUint32(sizes, uint32(len(b)-before))
	}
	return sizes, b, nil
}

// decodeAll decodes the rows in use from b, where sizes gives the length of each row's encoding.
// Other rows hold the program's default.
func decodeAll(c Codec, column layout.ValueColumn, sizes, b []byte, used func(row int) bool) error {
	column.Grow(len(sizes) / 4)
	for row := range len(sizes) / 4 {
		n := uint64(little.Uint32(sizes[4*row:]))
		if n > uint64(len(b)) {
			return damaged("%s in row %d has %d bytes, of %d left", c.Title(), row, n, len(b))
		}
		if used(row) {
			if err := c.Set(column, row, b[:n]); err != nil {
				return fmt.Errorf("save: %w", err)
			}
		}
		b = b[n:]
	}
	if len(b) > 0 {
		return damaged("%s has %d bytes more than values", c.Title(), len(b))
	}
	return nil
}
