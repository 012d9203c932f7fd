package deflate

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The table of RFC 1951, 3.2.5: where each symbol begins.
func TestSlots(t *testing.T) {
	begins := []int{
		3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99,
		115, 131, 163, 195, 227, 258,
	}
	for length := shortest; length <= longest; length++ {
		slot, extra := lengthSlot(length)
		require.LessOrEqual(t, begins[slot], length)
		require.Less(t, length-begins[slot], 1<<extra)
		require.Equal(t, length-begins[slot], (length-shortest)&(1<<extra-1), "as it is written")
	}
	begins = []int{
		1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025,
		1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
	}
	for distance := 1; distance <= window; distance++ {
		slot, extra := distanceSlot(distance)
		require.LessOrEqual(t, begins[slot], distance)
		require.Less(t, distance-begins[slot], 1<<extra)
		require.Equal(t, distance-begins[slot], (distance-1)&(1<<extra-1))
	}
}

func TestLog2(t *testing.T) {
	for n := uint32(1); n < 1<<31; n += n/7 + 1 {
		assert.InDelta(t, math.Log2(float64(n))*bit, float64(log2(n)), 1, n)
	}
}

// weights are what Huffman's own algorithm takes the least two of, again and again.
type weights []int

func (w weights) Len() int           { return len(w) }
func (w weights) Less(i, j int) bool { return w[i] < w[j] }
func (w weights) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *weights) Push(x any)        { *w = append(*w, x.(int)) }
func (w *weights) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}

// huffman returns how many bits symbols take in the best code without a limit.
func huffman(counts []uint32) (sum int) {
	w := &weights{}
	for _, n := range counts {
		if n > 0 {
			heap.Push(w, int(n))
		}
	}
	for w.Len() > 1 {
		two := heap.Pop(w).(int) + heap.Pop(w).(int)
		sum += two
		heap.Push(w, two)
	}
	return sum
}

// fewest returns how many bits symbols take in the best code of at most limit bits, by trying all:
// counts ascend, so that lengths descend.
func fewest(counts []uint32, limit, rest int) int {
	if len(counts) == 0 {
		return 0
	}
	best := 1 << 24
	for n := 1; n <= limit; n++ {
		if share := 1 << (15 - n); share <= rest {
			best = min(best, n*int(counts[0])+fewest(counts[1:], n, rest-share))
		}
	}
	return best
}

func TestCodesAreTheShortest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		counts := make([]uint32, 2+r.IntN(symbols-2))
		for i := range counts {
			counts[i] = uint32(r.IntN(1+i)) >> r.IntN(8)
		}
		counts[0], counts[1] = 1, 2
		c := newCode(counts, 15)
		kraft := 0
		for symbol, n := range c {
			assert.Equal(t, counts[symbol] > 0, n > 0)
			if n > 0 {
				kraft += 1 << (15 - n)
			}
		}
		require.Equal(t, 1<<15, kraft, "no bits are lost")
		require.Equal(t, huffman(counts), c.bits(counts), "no code has more than 15 bits by itself")
	}
	for range 200 {
		counts := []uint32{1}
		for range 1 + r.IntN(8) {
			counts = append(counts, counts[len(counts)-1]*uint32(1+r.IntN(3))+uint32(r.IntN(2)))
		}
		require.Equal(t, fewest(counts, 4, 1<<15), newCode(counts, 4).bits(counts), counts)
	}
}

// A code has two symbols also where one or none is used.
func TestCodesOfFewSymbols(t *testing.T) {
	assert.Equal(t, code{1, 1, 0, 0}, newCode([]uint32{0, 0, 0, 0}, 15))
	assert.Equal(t, code{1, 0, 0, 1}, newCode([]uint32{0, 0, 0, 9}, 15))
	assert.Equal(t, code{1, 1, 0, 0}, newCode([]uint32{9, 0, 0, 0}, 15))
}

// The nearest place for each length, and none that is not there.
func TestMatches(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for round := range 30 {
		content := make([]byte, 2000)
		for i := range content {
			content[i] = byte(r.IntN(2 + round%5))
			if from := i - 1 - r.IntN(300); from >= 0 && r.IntN(10) > 0 {
				content[i] = content[max(from, i-7)]
			}
		}
		f := newFinder(content)
		for at := range content {
			got := f.insert(at, nil)
			require.Equal(t, nearest(content, at), got, "%d: %d", round, at)
		}
	}
}

// nearest returns the matches of a place, by looking at all.
func nearest(content []byte, at int) (list []token) {
	best := shortest - 1
	here := content[at:min(at+longest, len(content))]
	for from := at - 1; from >= 0; from-- {
		if n := same(here, content[from:], 0); n > best {
			best = n
			list = append(list, match(n, at-from))
		}
	}
	return list
}

// Lengths that are written as repetitions are the lengths.
func TestRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for round := range 2000 {
		var all code
		for len(all) < 258+r.IntN(50) {
			value := uint8(r.IntN(4)) * uint8(r.IntN(3))
			for range 1 + r.IntN(1+r.IntN(200)) {
				all = append(all, value)
			}
		}
		var got code
		for _, s := range runs(all, round&1 == 0, round&2 == 0, round&4 == 0) {
			value, times := s.symbol, 1
			switch s.symbol {
			case again:
				value, times = got[len(got)-1], 3+int(s.extra)
			case zeros:
				value, times = 0, 3+int(s.extra)
			case manyZeros:
				value, times = 0, 11+int(s.extra)
			}
			for range times {
				got = append(got, value)
			}
		}
		require.Equal(t, all, got)
	}
}
