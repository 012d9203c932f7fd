package buffer

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/unsafeutil"
)

func TestRangesAreZeroedAndWritable(t *testing.T) {
	for _, n := range []int{0, 1, 100, heapMost, heapMost + 1, 20<<20 + 3} {
		r, ok := Reserve(n, 0)
		require.True(t, ok, n)
		assert.Len(t, r.Bytes, n)
		assert.Equal(t, max(n, 1), max(cap(r.Bytes), 1))
		assert.Zero(t, unsafeutil.Address(r.Bytes)%Align)
		assert.Equal(t, n > heapMost && mappable && !instrumented, r.Mapped(), n)
		r.Open(0, n)
		for i := 0; i < n; i += 1000 {
			require.Zero(t, r.Bytes[i])
			r.Bytes[i] = 1
		}
		r.Free()
		r.Free()
		assert.Nil(t, r.Bytes)
		assert.False(t, r.Mapped())
	}
	var none *Range
	none.Free()
	if n := int64(MaxSize) + 1; n <= math.MaxInt {
		_, ok := Reserve(int(n), 0)
		assert.False(t, ok, "there are not so many addresses")
	}
}

func TestUseSaysUntilWhen(t *testing.T) {
	const size = 12 << 20
	r, ok := Reserve(size, 0)
	require.True(t, ok)
	defer r.Free()
	used, asked := 0, 0
	for used < size {
		n := r.Use(0, size, used+1)
		require.Greater(t, n, used)
		require.LessOrEqual(t, n, size)
		r.Bytes[used], r.Bytes[n-1] = 1, 1
		used = n
		asked++
	}
	assert.LessOrEqual(t, asked, 64, "it is asked seldom")
}

func TestHugePagesAreForFewRanges(t *testing.T) {
	const each, ranges = hugeFrom, hugeRanges + 4
	if instrumented { // nothing is mapped, and all of it would be written
		return
	}
	for _, small := range []bool{false, true} {
		r, ok := Reserve(each*ranges, 0)
		require.True(t, ok)
		r.Small(small)
		for i := range ranges {
			r.Use(i*each, i*each+each, 1)
		}
		assert.Zero(t, r.huge, "little is used")
		for i := range ranges {
			r.Use(i*each, i*each+each, hugeFrom)
		}
		want := hugeRanges
		if small || !r.Mapped() || !hugePages {
			want = 0
		}
		assert.Equal(t, want, r.huge)
		r.Free()
	}
}
