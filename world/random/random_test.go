package random_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/random"
)

// chi returns how far counts are from the shares of their sum: a sum of len(counts)-1 squares of
// normal numbers, if they are drawn by these shares.
func chi(counts []int, share func(i int) float64) float64 {
	total, x := 0, 0.0
	for _, n := range counts {
		total += n
	}
	for i, n := range counts {
		want := share(i) * float64(total)
		x += (float64(n) - want) * (float64(n) - want) / want
	}
	return x
}

// likely is a bound that chi passes once in ten thousand times (Wilson and Hilferty 1931).
func likely(degrees int) float64 {
	a := 2 / (9 * float64(degrees))
	return float64(degrees) * math.Pow(1-a+3.72*math.Sqrt(a), 3)
}

func equally(n int) func(int) float64 { return func(int) float64 { return 1 / float64(n) } }

// index numbers the things that it is asked about.
type index map[string]int

func (x index) of(thing any) int {
	text := fmt.Sprint(thing)
	if _, ok := x[text]; !ok {
		x[text] = len(x)
	}
	return x[text]
}

func TestShuffleIsThatOfMathRand(t *testing.T) {
	mine, theirs := systems.NewStream(3, 4), rand.New(rand.NewPCG(3, 4))
	for n := range 200 {
		a, b := make([]int, n), make([]int, n)
		for i := range n {
			a[i], b[i] = i, i
		}
		random.Shuffle(a, &mine)
		theirs.Shuffle(n, func(i, j int) { b[i], b[j] = b[j], b[i] })
		require.Equal(t, b, a)
	}
}

func TestEveryChoiceIsEquallyLikely(t *testing.T) {
	r, counts, from := systems.NewStream(1, 3), make([]int, 5), []int{0, 1, 2, 3, 4}
	for range 50_000 {
		counts[random.Choice(&r, from)]++
	}
	assert.Less(t, chi(counts, equally(5)), likely(4))
}

func TestEverySampleIsEquallyLikely(t *testing.T) {
	r, from := systems.NewStream(1, 4), []int{0, 1, 2, 3, 4, 5}
	for size, ways := range []int{1, 6, 15, 20, 15, 6, 1, 1, 1} {
		dst, samples, counts := make([]int, size), index{}, make([]int, ways)
		for range 1000 * ways {
			got := random.Sample(dst, &r, from)
			require.True(t, slices.IsSorted(got), "%v is in the order of the list", got)
			require.Len(t, slices.Compact(slices.Clone(got)), min(size, 6))
			counts[samples.of(got)]++
		}
		if ways > 1 {
			assert.Less(t, chi(counts, equally(ways)), likely(ways-1), "%d of 6", size)
		}
	}
}

func TestWeights(t *testing.T) {
	for _, weights := range [][]float64{
		{1},
		{1, 1},
		{0, 1, 0, 3, 0},
		{1e-300, 2e-300},
		{1e300, 1e300, 0},
		{5, 4, 3, 2, 1},
		{0.1, 0.2, 0.3, 0.4},
		{0, 0, 1},
		{3, 0, 0},
	} {
		a, b, w := systems.NewStream(5, 6), systems.NewStream(5, 6), random.NewWeights(weights)
		require.Equal(t, len(weights), w.Len())
		counts, total := make([]int, len(weights)), 0.0
		for range 20_000 {
			i := random.Weighted(&a, weights)
			require.Equal(t, i, w.Draw(&b))
			counts[i]++
		}
		shares, drawn := []float64(nil), []int(nil)
		for i, n := range counts {
			if weights[i] == 0 {
				require.Zero(t, n, "never by weight 0")
				continue
			}
			total += weights[i]
			shares, drawn = append(shares, weights[i]), append(drawn, n)
		}
		if len(drawn) > 1 {
			share := func(i int) float64 { return shares[i] / total }
			assert.Less(t, chi(drawn, share), likely(len(drawn)-1), "%v", weights)
		}
	}
}

func TestMisuse(t *testing.T) {
	r := systems.NewStream(1, 2)
	for _, weights := range [][]float64{
		nil, {0}, {1, -1}, {math.NaN()}, {math.Inf(1)}, {1e308, 1e308},
	} {
		for name, f := range map[string]func(){
			"Weighted":   func() { random.Weighted(&r, weights) },
			"NewWeights": func() { random.NewWeights(weights) },
		} {
			require.PanicsWithValue(t, refused{"random: "}, prefixed(f), "%s by %v", name, weights)
		}
	}
	for name, f := range map[string]func(){
		"Choice": func() { random.Choice(&r, []int{}) },
		"Draw":   func() { random.Weights{}.Draw(&r) },
	} {
		require.PanicsWithValue(t, refused{"random: "}, prefixed(f), name)
	}
	require.PanicsWithValue(t, refused{"flatecs:"}, prefixed(func() { random.Choice(nil, []int{1}) }))
}

// refused is a panic that says its cure, by how it begins.
type refused struct{ begins string }

// prefixed is f with its panic cut to the first eight letters.
func prefixed(f func()) func() {
	return func() {
		defer func() {
			text, ok := recover().(string)
			if ok && len(text) > 30 {
				panic(refused{text[:8]})
			}
		}()
		f()
	}
}

func TestAllocations(t *testing.T) {
	r, from, dst := systems.NewStream(1, 2), make([]int, 100), make([]int, 10)
	weights := []float64{1, 2, 3}
	w := random.NewWeights(weights)
	assert.Zero(t, testing.AllocsPerRun(20, func() {
		random.Shuffle(from, &r)
		random.Choice(&r, from)
		random.Sample(dst, &r, from)
		random.Weighted(&r, weights)
		w.Draw(&r)
	}))
}

// golden was computed from the formulas by a program in Python: the first numbers of a stream, and
// a hash of 20,000.
var golden = map[string]struct {
	draw  func(r *world.Stream) float64
	first [3]uint64
	all   uint64
}{
	"Float64": {
		(*world.Stream).Float64,
		[3]uint64{0x3fe5a58656eef510, 0x3fdd875a0efbd8d8, 0x3fe04605312f8088},
		0xe8060a08bd65befb,
	},
	"Norm": {
		(*world.Stream).Norm,
		[3]uint64{0x3fe793bce9b6fca5, 0x3fd2f3dd1a62e8ff, 0x3fe9310895b6cb5d},
		0x507734e124497685,
	},
	"Exp": {
		(*world.Stream).Exp,
		[3]uint64{0x3fd0c78a8f71780f, 0x3fdef695ff62966d, 0x3fcf14161bcad2e4},
		0xf218397e95db27f4,
	},
}

// A change of one of these numbers is a new Version.
func TestNumbersOfVersion2(t *testing.T) {
	require.Equal(t, 2, random.Version)
	for name, g := range golden {
		r, hash, first := systems.NewStream(1, 2), fnv.New64a(), [3]uint64{}
		for i := range 20_000 {
			bits := math.Float64bits(g.draw(&r))
			if i < len(first) {
				first[i] = bits
			}
			world.Must(hash.Write(binary.LittleEndian.AppendUint64(nil, bits)))
		}
		assert.Equal(t, g.first, first, name)
		assert.Equal(t, g.all, hash.Sum64(), name)
	}
	r, list := systems.NewStream(3, 4), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	order := slices.Clone(list)
	random.Shuffle(order, &r)
	assert.Equal(t, []int{6, 2, 0, 7, 3, 5, 4, 1, 9, 8}, order)
	assert.Equal(t, []int{1, 3, 8, 9}, random.Sample(make([]int, 4), &r, list))
	weighted := make([]int, 10)
	for i := range weighted {
		weighted[i] = random.Weighted(&r, []float64{1, 2, 3, 4})
	}
	assert.Equal(t, []int{3, 1, 1, 3, 3, 3, 3, 2, 3, 2}, weighted)
}
