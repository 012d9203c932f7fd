package unsafeutil_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/unsafeutil"
)

func TestSpan(t *testing.T) {
	column := unsafeutil.Aligned(64, 64)
	whole := unsafeutil.Slice[uint32](column)
	for i := range whole {
		whole[i] = uint32(i)
	}
	base := unsafeutil.BaseOf(column)
	for lo := range whole {
		for n := range len(whole) - lo + 1 {
			got := unsafeutil.Span[uint32](base, lo, n)
			assert.Equal(t, whole[lo:lo+n], got)
			assert.Equal(t, n, cap(got), "append does not reach the neighbour")
		}
	}
	unsafeutil.Span[uint32](base, 3, 1)[0] = 99
	assert.Equal(t, uint32(99), whole[3])
	assert.Equal(t, []byte{4, 0, 0, 0, 5, 0}, unsafeutil.Span[byte](base, 16, 6))
}

func TestSpanOfNothing(t *testing.T) {
	assert.Empty(t, unsafeutil.Span[float64](unsafeutil.BaseOf(nil), 0, 0))
	assert.Empty(t, unsafeutil.Span[float64](unsafeutil.Base{}, 0, 0))
}
