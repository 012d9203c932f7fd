package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPlanes(t *testing.T) { onEach(t, planesEverywhere) }

// planesEverywhere runs the kernels and their twins in Go over every length and alignment, with
// bytes around what is written that have to stay.
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
