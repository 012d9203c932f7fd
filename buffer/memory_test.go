package buffer_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer"
)

func TestNew(t *testing.T) {
	nothing, ok := buffer.New(0)
	assert.True(t, ok)
	assert.Empty(t, nothing)
	for _, n := range []int{1, 63, 64, 65, 1 << 12, 4<<20 - 1, 4 << 20, 5<<20 + 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			b, ok := buffer.New(n)
			require.True(t, ok)
			require.Len(t, b, n)
			assert.Equal(t, n, cap(b))
			assert.Zero(t, address(b)%buffer.Align)
			assert.Equal(t, -1, firstNonZero(b))
			for i := range b { // all of it can be written
				b[i] = 0xff
			}
		})
	}
}

func firstNonZero(b []byte) int {
	for i, x := range b {
		if x != 0 {
			return i
		}
	}
	return -1
}

func TestNewTooLarge(t *testing.T) {
	for _, n := range []int{min(buffer.MaxSize+1, math.MaxInt), math.MaxInt - 1, math.MaxInt} {
		b, ok := buffer.New(n)
		assert.False(t, ok, "%d bytes", n)
		assert.Nil(t, b)
	}
}

func TestHostIsLittleEndian(t *testing.T) { assert.True(t, buffer.LittleEndian()) }
