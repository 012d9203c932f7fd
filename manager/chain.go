package manager

import (
	"math/bits"

	"github.com/flatecs/flatecs/buffer/kernel"
)

// nextRun returns the start and the length of the lowest run of set bits of x, and x without it.
func nextRun(x uint64) (start, n uint32, rest uint64) {
	start = uint32(bits.TrailingZeros64(x))
	n = uint32(bits.TrailingZeros64(^(x >> start)))
	return start, n, x &^ (full >> (64 - n) << start)
}

// freeTogether reports whether the objects x of a block, all of which have the component, are in
// lockstep in rows that go to the free list.
func (m *Manager) freeTogether(b *Block, block uint32, x uint64) bool {
	low := block<<6 + b.Base + uint32(bits.TrailingZeros64(x))
	high := block<<6 + b.Base + uint32(bits.Len64(x)) - 1
	return b.Odd&x == 0 && !m.packed && !m.inSlab(low) && !m.inSlab(high)
}

// releaseAll is release for the rows first+i for each bit i of x, ascending. The rows are still
// mounted.
func (m *Manager) releaseAll(first uint32, x uint64) {
	var s, n uint32
	for x != 0 {
		s, n, x = nextRun(x)
		row := first + s
		m.resetRows(int(row), int(row+n))
		m.mountRun(row, n, false)
		m.checkFree()
		head := &m.count.Free
		if *head != 0 {
			m.links[*head-1] = row + 1
		}
		objects, links := m.objects[row:row+n], m.links[row:row+n]
		kernel.Iota(objects, free|row) // each row links to the one before it
		kernel.Iota(links, row+2)
		objects[0], links[n-1] = free|*head, 0
		*head = row + n
	}
}

// mountRun marks n rows, at most 64, as mounted or as unmounted.
func (m *Manager) mountRun(row, n uint32, on bool) {
	for at, end := row, row+n; at < end; {
		to := min(end, at|63+1)
		x := full >> (64 - (to - at)) << (at & 63)
		if w := &m.mounted[at>>6]; on {
			*w |= x
		} else {
			*w &^= x
		}
		at = to
	}
}

// chained reports whether the rows first+i for each bit i of x are free, and neighbouring ones were
// disposed one after the other.
func (m *Manager) chained(first uint32, x uint64) bool {
	var s, n uint32
	for x != 0 {
		s, n, x = nextRun(x)
		row := first + s
		if row >= m.count.High || m.count.High-row < n || !m.isFree(row) {
			return false
		}
		for i, o := range m.objects[row : row+n][1:] {
			if o != free|(row+uint32(i)+1) {
				return false
			}
		}
	}
	return true
}

// placeChained takes the home rows of the objects x of a block off the free list and mounts them.
func (m *Manager) placeChained(b *Block, block uint32, x uint64) {
	var s, n uint32
	for y := x; y != 0; {
		s, n, y = nextRun(y)
		object := block<<6 + s
		row := object + b.Base
		m.checkListed(row)
		m.checkListed(row + n - 1)
		m.cut(m.objects[row], m.links[row+n-1])
		kernel.Iota(m.objects[row:row+n], object)
		m.mountRun(row, n, true)
		m.Touch(row, n)
	}
	m.reshape()
	m.count.Mounted += uint32(bits.OnesCount64(x))
	m.enterAll(b, block, x)
}
