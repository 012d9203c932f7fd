package delta

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPlanesThereAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 2, 4, 8} {
		for length := 0; length <= 1024; length += 64 {
			src, want := make([]byte, length), make([]byte, length)
			for i := range src {
				src[i] = byte(r.Uint32())
			}
			for i := range length / size {
				for k := range size {
					want[k*length/size+i] = src[i*size+k]
				}
			}
			planes, back := make([]byte, length), make([]byte, length)
			split(planes, src, size)
			assert.Equal(t, want, planes, "%d bytes, elements of %d", length, size)
			join(back, planes, size)
			assert.Equal(t, src, back, "%d bytes, elements of %d", length, size)
		}
	}
}

func BenchmarkPlanes(b *testing.B) {
	src, dst := make([]byte, chunkSize), make([]byte, chunkSize)
	for _, size := range []int{2, 4, 8} {
		b.Run(fmt.Sprint("split/", size), func(b *testing.B) {
			b.SetBytes(chunkSize)
			for b.Loop() {
				split(dst, src, size)
			}
		})
		b.Run(fmt.Sprint("join/", size), func(b *testing.B) {
			b.SetBytes(chunkSize)
			for b.Loop() {
				join(dst, src, size)
			}
		})
	}
}
