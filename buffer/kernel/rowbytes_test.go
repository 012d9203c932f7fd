package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Rows of bytes are copied as by the loops of the comments, and nothing beside them is touched.
func TestRowBytes(t *testing.T) {
	const rows, guard = 300, 64
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 2, 3, 4, 5, 8, 12, 16, 20, 24, 40} {
		there := randomBytes(r, guard+rows*size+guard)
		for n := range maxLength + 1 {
			list := make([]uint32, n)
			for i, row := range r.Perm(rows)[:n] {
				list[i] = uint32(row)
			}
			skip := r.IntN(maxSkip)
			inner := func(b []byte, n int) []byte { return b[guard:][skip:][: n*size : n*size] }
			src := slices.Clone(there)
			got := randomBytes(r, guard+n*size+guard)
			want := slices.Clone(got)
			for i, row := range list {
				copy(inner(want, n)[i*size:][:size], inner(src, rows)[int(row)*size:])
			}
			GatherBytes(inner(got, n), inner(src, rows), size, list)
			require.Equal(t, want, got, "gather %d rows of %d bytes", n, size)
			require.Equal(t, there, src, "what is gathered stays")

			got = randomBytes(r, len(there))
			want = slices.Clone(got)
			for i, row := range list {
				copy(inner(want, rows)[int(row)*size:], inner(src, n)[i*size:][:size])
			}
			ScatterBytes(inner(got, rows), inner(src, n), size, list)
			require.Equal(t, want, got, "scatter %d rows of %d bytes", n, size)
			require.Equal(t, there, src, "what is scattered stays")
		}
	}
}

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestRowBytesTwice(t *testing.T) {
	for _, size := range []int{4, 8, 12, 16, 20} {
		const n = 20
		dst, src := make([]byte, 2*size), make([]byte, n*size)
		for i := range src {
			src[i] = byte(i / size)
		}
		ScatterBytes(dst, src, size, slices.Repeat([]uint32{1}, n))
		assert.Equal(t, slices.Repeat([]byte{0}, size), dst[:size])
		assert.Equal(t, slices.Repeat([]byte{n - 1}, size), dst[size:], "the last stays")
	}
}

func TestRowBytesRefuse(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 6
	}
	for _, size := range []int{3, 4, 8, 12, 16, 20} {
		for n := 0; n < 20; n += step {
			few, many := make([]byte, n*size, (n+9)*size), make([]byte, (n+1)*size)
			list := make([]uint32, n)
			assert.PanicsWithValue(t, unlisted, func() { GatherBytes(many, many, size, list) })
			assert.PanicsWithValue(t, unlisted, func() { ScatterBytes(many, many, size, list) })
			for at := range list {
				list[at] = uint32(n) // within the capacity of few
				assert.Panics(t, func() { GatherBytes(many[size:], few, size, list) })
				assert.Panics(t, func() { ScatterBytes(few, many[size:], size, list) })
				for _, row := range []uint32{uint32(n) + 1, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
					list[at] = row
					assert.Panics(t, func() { GatherBytes(few, many, size, list) }, "row %d", row)
					assert.Panics(t, func() { ScatterBytes(many, few, size, list) }, "row %d", row)
				}
				list[at] = 0
			}
		}
	}
}

// TestListRows compares with the loop of the comment, for masks of every density and rows that make
// a run, make one but for a single row, and do not.
func TestListRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	straight := 0
	for round := range 20_000 {
		mask, odd := sparse(r, round%7), sparse(r, round%5)
		if mask == 0 {
			mask = 1 << r.IntN(64)
		}
		first := r.Uint32()
		if round%3 == 0 {
			first = r.Uint32N(100)
		}
		page := pageOf(r, first, odd, mask, round%4)
		want := make([]uint32, 0, 64)
		for i := range uint32(64) {
			row := first + i
			if odd>>i&1 != 0 {
				row = page[i]
			}
			if mask>>i&1 != 0 {
				want = append(want, row)
			}
		}
		run := true
		for i, row := range want {
			run = run && row == want[0]+uint32(i)
		}
		if run && len(want) > 1 {
			straight++
		}
		var got, twin [64]uint32
		before := page
		ran, ranTwin := ListRows(&got, &page, first, odd, mask), listRows(&twin, &page, first, odd, mask)
		if run != ran || run != ranTwin || before != page ||
			!slices.Equal(want, got[:len(want)]) || !slices.Equal(want, twin[:len(want)]) {
			t.Fatalf("odd %b, mask %b: want %t %v, got %t %v, in Go %t %v; the page stays: %t",
				odd, mask, run, want, ran, got, ranTwin, twin, before == page)
		}
	}
	require.Greater(t, straight, 1000, "runs of the rounds")
}

// sparse returns bits, the fewer the larger n is; for 0 and 1 all of them, and a run.
func sparse(r *rand.Rand, n int) (x uint64) {
	switch n {
	case 0:
		return 1<<64 - 1
	case 1:
		return (1<<64 - 1) >> r.IntN(64) << r.IntN(64)
	}
	x = r.Uint64() | r.Uint64()
	for range n - 2 {
		x &= r.Uint64()
	}
	return x
}

// pageOf returns random rows, or those that make a run of what mask lists; in one of them something
// may be wrong.
func pageOf(r *rand.Rand, first uint32, odd, mask uint64, kind int) (page [64]uint32) {
	next, begun := uint32(0), false
	for i := range page {
		page[i] = r.Uint32()
		if kind == 0 || mask>>i&1 == 0 {
			continue
		}
		switch {
		case odd>>i&1 == 0:
			next, begun = first+uint32(i), true
		case begun:
			page[i] = next
		default:
			next, begun = page[i], true
		}
		next++
	}
	if kind == 1 {
		page[r.IntN(64)]++
	}
	return page
}
