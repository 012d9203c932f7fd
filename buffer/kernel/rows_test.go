package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRows(t *testing.T) {
	t.Run("4 bytes", gatherAndScatter[float32])
	t.Run("8 bytes", gatherAndScatter[[2]float32])
	t.Run("12 bytes", gatherAndScatter[[3]float32])
	t.Run("16 bytes", gatherAndScatter[[4]float32])
	t.Run("24 bytes", gatherAndScatter[[3]float64])
}

// gatherAndScatter gathers rows and scatters them: the gathered rows get their old values, and no
// other byte changes.
func gatherAndScatter[R any](t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 8))
	src := make([]R, 300)
	for i := range src {
		src[i] = any1[R](r)
	}
	for n := range maxLength + 1 {
		rows := make([]uint32, n)
		for i, row := range r.Perm(len(src))[:n] {
			rows[i] = uint32(row)
		}
		got := make([]R, n)
		Gather(got, src, rows)
		back := make([]R, len(src))
		Scatter(back, got, rows)
		gathered, scattered := make([]R, n), make([]R, len(src))
		for i, row := range rows {
			gathered[i], scattered[row] = src[row], src[row]
		}
		require.Equal(t, gathered, got)
		require.Equal(t, scattered, back)
	}
}

// any1 is a row of random lanes.
func any1[R any](r *rand.Rand) (row R) {
	switch p := any(&row).(type) {
	case *float32:
		*p = r.Float32()
	case *[2]float32:
		*p = [2]float32{r.Float32(), r.Float32()}
	case *[3]float32:
		*p = [3]float32{r.Float32(), r.Float32(), r.Float32()}
	case *[4]float32:
		*p = [4]float32{r.Float32(), r.Float32(), r.Float32(), r.Float32()}
	case *[3]float64:
		*p = [3]float64{r.Float64(), r.Float64(), r.Float64()}
	}
	return row
}

func TestIota(t *testing.T) { onEach(t, numbered) }

func numbered(t *testing.T) {
	t.Helper()
	const guard = 16
	for n := range maxLength + 1 {
		for off := range 16 {
			for _, first := range []uint32{0, 7, 1 << 31, 1<<32 - 20} {
				ran := make([]uint32, off+n+guard)
				want := make([]uint32, len(ran))
				for i := range n {
					want[off+i] = first + uint32(i)
				}
				Iota(ran[off:][:n], first)
				require.Equal(t, want, ran, "length %d, %d off", n, off)
			}
		}
	}
}

func TestRowsRefuse(t *testing.T) {
	rows := []uint32{0, 3}
	assert.PanicsWithValue(t, unlisted, func() { Gather(zeros(1), zeros(9), rows) })
	assert.PanicsWithValue(t, unlisted, func() { Gather(zeros(3), zeros(9), rows) })
	assert.PanicsWithValue(t, unlisted, func() { Scatter(zeros(9), zeros(1), rows) })
	assert.PanicsWithValue(t, unlisted, func() { Scatter(zeros(9), zeros(3), rows) })
	assert.Panics(t, func() { Gather(zeros(2), zeros(3), rows) }, "there is no row 3")
	assert.Panics(t, func() { Scatter(zeros(3), zeros(2), rows) }, "there is no row 3")
}

func TestPrefetchChangesNothing(t *testing.T) {
	onEach(t, func(t *testing.T) {
		t.Helper()
		src := []byte{1, 2, 3, 4, 5, 6, 7, 8}
		for n := range 20 {
			rows := make([]uint32, n)
			for i := range rows { // some are far outside
				rows[i] = uint32(i) * 0x1234_5678
			}
			Prefetch(src, 4, rows, ^uint32(0))
			PrefetchSpan(src, n, n)
			PrefetchSpan(src, -n, n<<20)
		}
		assert.Equal(t, []byte{1, 2, 3, 4, 5, 6, 7, 8}, src)
		assert.Equal(t, hasAVX2, Prefetches())
	})
}

func BenchmarkRows(b *testing.B) {
	benchmarkRows[float32](b, "4")
	benchmarkRows[[3]float32](b, "12")
	benchmarkRows[[4]float32](b, "16")
}

func benchmarkRows[R any](b *testing.B, size string) {
	for _, n := range []int{256, 10_000, 1_000_000} {
		dst, src, rows := make([]R, n), make([]R, n), make([]uint32, n)
		for i, row := range rand.New(rand.NewPCG(1, 1)).Perm(n) {
			rows[i] = uint32(row)
		}
		for name, f := range map[string]func(){
			"Gather":  func() { Gather(dst, src, rows) },
			"Scatter": func() { Scatter(dst, src, rows) },
		} {
			b.Run(fmt.Sprintf("%s/bytes=%s/n=%d", name, size, n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/component")
			})
		}
	}
}

// Rows of bytes are copied as by the loops of the comments, and nothing beside them is touched.
func TestRowBytes(t *testing.T) {
	const rows, guard = 300, 64
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 2, 3, 4, 5, 8, 12, 16, 20, 24, 40} {
		there := noise(r, guard+rows*size+guard)
		for n := range maxLength + 1 {
			list := make([]uint32, n)
			for i, row := range r.Perm(rows)[:n] {
				list[i] = uint32(row)
			}
			skip := r.IntN(maxSkip)
			inner := func(b []byte, n int) []byte { return b[guard:][skip:][: n*size : n*size] }
			src := slices.Clone(there)
			got := noise(r, guard+n*size+guard)
			want := slices.Clone(got)
			for i, row := range list {
				copy(inner(want, n)[i*size:][:size], inner(src, rows)[int(row)*size:])
			}
			GatherBytes(inner(got, n), inner(src, rows), size, list)
			require.Equal(t, want, got, "gather %d rows of %d bytes", n, size)
			require.Equal(t, there, src, "what is gathered stays")

			got = noise(r, len(there))
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

// pageOf returns random rows, or rows that make the rows of mask consecutive, with at most one
// error.
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
