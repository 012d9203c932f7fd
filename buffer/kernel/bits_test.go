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

func TestPlanes(t *testing.T) { onEach(t, planesEverywhere) }

// planesEverywhere runs the kernels and their twins in Go over every length and alignment, between
// bytes that must not change.
func planesEverywhere(t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range []int{1, 2, 4, 8} {
		for n := 0; n <= 1024; n += 8 * size {
			for off := range 16 {
				planesThereAndBack(t, r, size, n, off)
			}
		}
	}
}

func planesThereAndBack(t *testing.T, r *rand.Rand, size, n, off int) {
	t.Helper()
	const guard = 64
	src := noise(r, guard+n)[off:][:n]
	want, around := make([]byte, n), noise(r, guard+n+guard)
	for i := range n / size {
		for k := range size {
			want[k*n/size+i] = src[i*size+k]
		}
	}
	pairs := map[string][2]func(dst, src []byte){"kernels": {
		func(dst, src []byte) { Split(dst, src, size) },
		func(dst, src []byte) { Join(dst, src, size) },
	}}
	if size == 4 {
		pairs["in Go"] = [2]func(dst, src []byte){
			func(dst, src []byte) { split32(dst, src, 0) },
			func(dst, src []byte) { join32(dst, src, 0) },
		}
	}
	for name, pair := range pairs {
		for i, c := range []struct{ want, src []byte }{{want, src}, {src, want}} {
			ran := append([]byte(nil), around...)
			expected := append([]byte(nil), around...)
			copy(expected[off:], c.want)
			pair[i](ran[off:][:n], c.src)
			require.Equal(t, expected, ran, "%s %d, size %d, %d bytes, %d off", name, i, size, n, off)
		}
	}
}

func TestPlanesThatDoNotFit(t *testing.T) {
	for _, f := range []func(dst, src []byte, size int){Split, Join} {
		for _, size := range []int{1, 2, 4, 8} {
			assert.PanicsWithValue(t, unpairedBytes,
				func() { f(make([]byte, 64), make([]byte, 128), size) })
			assert.PanicsWithValue(t, unevenPlanes,
				func() { f(make([]byte, 4*size), make([]byte, 4*size), size) })
		}
		for _, size := range []int{-1, 0, 3, 16} {
			assert.PanicsWithValue(t, noPlanes, func() { f(make([]byte, 64), make([]byte, 64), size) })
		}
	}
}

func BenchmarkPlanes(b *testing.B) {
	const n = 64 << 10
	dst, src := make([]byte, n), make([]byte, n)
	cases := map[string]func(){
		"split/4 by=Go": func() { split32(dst, src, 0) },
		"join/4 by=Go":  func() { join32(dst, src, 0) },
	}
	for _, size := range []int{2, 4, 8} {
		cases[fmt.Sprintf("split/%d by=kernel", size)] = func() { Split(dst, src, size) }
		cases[fmt.Sprintf("join/%d by=kernel", size)] = func() { Join(dst, src, size) }
	}
	for name, f := range cases {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				f()
			}
		})
	}
}
