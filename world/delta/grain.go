package delta

import (
	"iter"
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/systems/tool"
)

// A grain describes the planes of a part: byte k of its elements belongs to plane k. Elements of
// several sizes have planes for each size, the smallest first, padded with zeros to a multiple of 8
// bytes.
type grain struct {
	size   int            // bytes per element if all have one size, else 0
	of     []uint8        // plane of each byte of a value, if size is 0
	planes int            // number of planes
	ends   [maxPlanes]int // of each plane, for the current lines
}

const (
	maxPlanes = 1 + 2 + 4 + 8
	slack     = 8 * maxPlanes // padding that planes may need beyond a chunk
)

// see initializes g for a part.
func (g *grain) see(p *tool.Part) {
	if g.size = elementSize(p); g.size != 0 {
		g.planes = g.size
		return
	}
	g.planes = 0
	f := p.Field
	g.of = append(g.of[:0], make([]uint8, f.Stride)...)
	for _, size := range [...]int{1, 2, 4, 8} {
		found := false
		for i := range f.Parts {
			if part := &f.Parts[i]; part.Size() == size {
				found = true
				for at := range part.Bytes(g.of) {
					g.of[part.Offset+at] = uint8(g.planes + at%size)
				}
			}
		}
		if found {
			g.planes += size
		}
	}
}

// elementSize returns the element size of a part for planes, or 0 if its elements have several
// sizes.
func elementSize(p *tool.Part) int {
	if f := p.Field; f != nil {
		size := f.Parts[0].Size()
		for i := range f.Parts {
			if f.Parts[i].Size() != size {
				return 0
			}
		}
		return size
	}
	for _, size := range []int{8, 4, 2} {
		if p.Unit%size == 0 && (size < 8 || p.Unit == 8) { // larger units consist of uint32
			return size
		}
	}
	return 1
}

// methodBytes returns the number of bytes for the methods of the planes.
func (g *grain) methodBytes() int { return 2 + 2*(g.planes/9) }

// measure computes the ends of the planes for n bytes of changed lines of a chunk, and returns the
// last one.
func (g *grain) measure(lines []uint64, chunk, n int) int {
	if g.size != 0 {
		for k := range g.size {
			g.ends[k] = (k + 1) * (n / g.size)
		}
		return n
	}
	var counts [1 << 8]int
	for line := range changed(lines) {
		at := g.phase(chunk, line)
		for range lineSize {
			counts[g.of[at]]++
			if at++; at == len(g.of) {
				at = 0
			}
		}
	}
	end := 0
	for k := range g.planes {
		end += (counts[k] + 7) &^ 7
		g.ends[k] = end
	}
	return end
}

// plane returns plane k in b.
func (g *grain) plane(b []byte, k int) []byte {
	lo := 0
	if k > 0 {
		lo = g.ends[k-1]
	}
	return b[lo:g.ends[k]]
}

// starts returns the starts of the planes.
func (g *grain) starts() (at [1 << 8]int) {
	copy(at[1:], g.ends[:maxPlanes-1])
	return at
}

// split writes the bytes of the changed lines as planes.
func (g *grain) split(planes, src []byte, lines []uint64, chunk int) {
	if g.size != 0 {
		kernel.Split(planes, src, g.size)
		return
	}
	clear(planes)
	next := g.starts()
	for line := range changed(lines) {
		at := g.phase(chunk, line)
		for _, b := range src[:lineSize] {
			plane := g.of[at]
			planes[next[plane]] = b
			next[plane]++
			if at++; at == len(g.of) {
				at = 0
			}
		}
		src = src[lineSize:]
	}
}

// join is the inverse of split.
func (g *grain) join(dst, planes []byte, lines []uint64, chunk int) {
	if g.size != 0 {
		kernel.Join(dst, planes, g.size)
		return
	}
	next := g.starts()
	for line := range changed(lines) {
		at := g.phase(chunk, line)
		for i := range dst[:lineSize] {
			plane := g.of[at]
			dst[i] = planes[next[plane]]
			next[plane]++
			if at++; at == len(g.of) {
				at = 0
			}
		}
		dst = dst[lineSize:]
	}
}

// phase returns the position in a value of the first byte of a line.
func (g *grain) phase(chunk, line int) int { return (chunk*chunkSize + line*lineSize) % len(g.of) }

// changed yields the numbers of the lines whose bits are set.
func changed(lines []uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for w, left := range lines {
			for ; left != 0; left &= left - 1 {
				if !yield(64*w + bits.TrailingZeros64(left)) {
					return
				}
			}
		}
	}
}
