package kernel

import (
	"crypto/subtle"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestXor(t *testing.T) { onEach(t, xorEverywhere) }

func xorEverywhere(t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	const guard = 64
	for n := range 2*maxLength + 1 {
		for off := range 32 {
			ran, src := noise(r, guard+n+guard), noise(r, guard+n)
			twin, want := append([]byte(nil), ran...), append([]byte(nil), ran...)
			x, before := src[(7*off)%32:][:n], append([]byte(nil), src...)
			for i, b := range x {
				want[off+i] ^= b
			}
			Xor(ran[off:][:n], x)
			xor(twin[off:][:n], x)
			require.Equal(t, want, ran, "length %d, %d off", n, off)
			require.Equal(t, want, twin, "length %d, %d off, in Go", n, off)
			require.Equal(t, before, src, "what is only read stays")
		}
	}
}

func TestXorItself(t *testing.T) {
	b := noise(rand.New(rand.NewPCG(5, 6)), maxLength)
	Xor(b, b)
	assert.Equal(t, make([]byte, maxLength), b)
}

func TestXorUnpaired(t *testing.T) {
	for _, c := range []struct{ dst, src int }{{1, 0}, {0, 1}, {64, 63}, {64, 65}} {
		assert.PanicsWithValue(t, unpairedBytes, func() { Xor(make([]byte, c.dst), make([]byte, c.src)) })
	}
}

func BenchmarkXor(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 10_000_000} {
		dst, src := make([]byte, n), make([]byte, n)
		for name, f := range map[string]func(){
			"by=Go":     func() { xor(dst, src) },
			"by=kernel": func() { Xor(dst, src) },
			"by=subtle": func() { subtle.XORBytes(dst, dst, src) },
		} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(n))
				for b.Loop() {
					f()
				}
			})
		}
	}
}
