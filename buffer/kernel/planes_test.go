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
	const guard = 64
	for n := 0; n <= 1024; n += 32 {
		for off := range 16 {
			src := noise(r, guard+n)[off:][:n]
			want, around := make([]byte, n), noise(r, guard+n+guard)
			for i := range n / 4 {
				for k := range 4 {
					want[k*n/4+i] = src[4*i+k]
				}
			}
			for name, pair := range map[string][2]func(dst, src []byte){
				"kernels": {Split32, Join32},
				"in Go": {
					func(dst, src []byte) { split32(dst, src, 0) },
					func(dst, src []byte) { join32(dst, src, 0) },
				},
			} {
				for i, c := range []struct{ want, src []byte }{{want, src}, {src, want}} {
					ran := append([]byte(nil), around...)
					expected := append([]byte(nil), around...)
					copy(expected[off:], c.want)
					pair[i](ran[off:][:n], c.src)
					require.Equal(t, expected, ran, "%s %d, %d bytes, %d off", name, i, n, off)
				}
			}
		}
	}
}

func TestPlanesThatDoNotFit(t *testing.T) {
	for _, f := range []func(dst, src []byte){Split32, Join32} {
		assert.PanicsWithValue(t, unpairedBytes, func() { f(make([]byte, 32), make([]byte, 64)) })
		assert.PanicsWithValue(t, unevenPlanes, func() { f(make([]byte, 16), make([]byte, 16)) })
	}
}

func BenchmarkPlanes(b *testing.B) {
	const n = 64 << 10
	dst, src := make([]byte, n), make([]byte, n)
	for name, f := range map[string]func(){
		"split by=kernel": func() { Split32(dst, src) },
		"split by=Go":     func() { split32(dst, src, 0) },
		"join by=kernel":  func() { Join32(dst, src) },
		"join by=Go":      func() { join32(dst, src, 0) },
	} {
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				f()
			}
		})
	}
}
