package kernel

import (
	"fmt"
	"math/rand/v2"
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

// gatherAndScatter takes rows out and puts them back: what was gathered is where it was, and
// nothing else is.
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
