package kernel_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/buffer/kernel"
)

func TestSparseLoopsDoAsTheirNamesSay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 4095, 4096, 4097, 3 * 4096, 40_000} {
		src, dst := make([]byte, n), make([]byte, n)
		for range n / 1000 {
			src[r.IntN(n)], dst[r.IntN(n)] = byte(r.Uint32()), byte(r.Uint32())
		}
		kernel.CopySparse(dst, src)
		assert.Equal(t, src, dst, n)
		kernel.Clear(dst)
		assert.True(t, bytes.Equal(make([]byte, n), dst), n)
	}
}
