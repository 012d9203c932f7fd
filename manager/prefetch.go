package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
)

// Large reports whether the world is larger than usual caches and the machine can prefetch: changes
// of scattered objects then wait for memory longer than they compute.
func Large(a *Arena) bool { return kernel.Prefetches() && a.Objects.High() > 1<<19 }

// ForeseeBlock prefetches the records of a block's components, ahead of a change.
func ForeseeBlock(a *Arena, block uint32) {
	for w, kinds := range a.Kinds(block) {
		for ; kinds != 0; kinds &= kinds - 1 {
			m := &a.Managers[w<<6+bits.TrailingZeros64(kinds)]
			prefetch(m.Blocks.list, int(block)-1, 3)
		}
	}
}

// ForeseeRows prefetches the components of the objects x of a block, ahead of their disposal. The
// caller has called ForeseeBlock for the block before.
func ForeseeRows(a *Arena, block uint32, x uint64) {
	first, end := bits.TrailingZeros64(x), bits.Len64(x)
	for w, kinds := range a.Kinds(block) {
		for ; kinds != 0; kinds &= kinds - 1 {
			m := &a.Managers[w<<6+bits.TrailingZeros64(kinds)]
			row, n := int(m.Blocks.list[block].row(block<<6))+first, end-first
			prefetch(m.Rows.objects, row, n)
			prefetch(m.Rows.mounted, row>>6, 1)
			for i := range m.Data.Columns {
				c := &m.Data.Columns[i]
				kernel.PrefetchSpan(c.Bytes, row*c.Stride, n*c.Stride)
			}
		}
	}
	prefetch(a.Objects.Generations, int(block)<<6+first, end-first)
}

// prefetch prefetches n elements of a list. Elements beyond its end do no harm.
func prefetch[T any](list []T, at, n int) {
	if len(list) > 0 {
		memory := buffer.Bytes(list)
		size := len(memory) / len(list)
		kernel.PrefetchSpan(memory, at*size, n*size)
	}
}
