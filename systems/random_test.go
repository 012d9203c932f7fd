package systems

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/random"
)

// The numbers of Go's own PCG, and what its Rand makes of them.
func TestStreamAgainstMathRand(t *testing.T) {
	for _, seeds := range [][2]uint64{{0, 0}, {1, 2}, {math.MaxUint64, 1 << 63}, {0xdead, 0xbeef}} {
		mine, pcg := NewStream(seeds[0], seeds[1]), rand.NewPCG(seeds[0], seeds[1])
		theirs := rand.New(pcg)
		for i := range 2000 {
			n := theirs.Uint64()>>(i%64) | 1 // the source serves both
			assert.Equal(t, n, mine.Uint64()>>(i%64)|1)
			require.Equal(t, theirs.Uint64N(n), mine.Uint64N(n), "below %d", n)
			require.Equal(t, theirs.Uint64N(1<<(i%64)), mine.Uint64N(1<<(i%64)))
			require.Equal(t, math.Float32bits(theirs.Float32()), math.Float32bits(mine.Float32()))
			require.Equal(t, theirs.Float64(), mine.Float64())
			if math.MaxInt == math.MaxInt64 {
				require.Equal(t, theirs.IntN(i+1), mine.IntN(i+1))
			}
		}
	}
}

func TestRange(t *testing.T) {
	r := NewStream(5, 6)
	for _, c := range []struct{ lo, hi float32 }{
		{0, 1},
		{-1, 1},
		{1, math.Nextafter32(1, 2)},
		{1 << 24, 1<<24 + 4},
		{-3e38, 4e37},
		{0, math.SmallestNonzeroFloat32},
		{1e-40, 2e-40},
		{-1e-45, 0},
		{100, 101},
	} {
		var sum float64
		for range 3000 {
			x := r.Range(c.lo, c.hi)
			require.GreaterOrEqual(t, x, c.lo, c)
			require.Less(t, x, c.hi, c)
			sum += float64(x) / 3000
		}
		lo, hi := float64(c.lo), float64(c.hi)
		if hi-lo > max(1e-30, math.Abs(hi)/1000) { // room for many numbers
			assert.InDelta(t, (lo+hi)/2, sum, (hi-lo)/30, "%v", c)
		}
	}
	require.InDelta(t, 7, r.Range(7, 7), 0)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range [][2]float32{
		{1, 0}, {nan, 1}, {0, nan}, {0, inf}, {-inf, 0}, {inf, inf}, {-3e38, 3e38},
	} {
		panicsWith(t, func() { r.Range(c[0], c[1]) }, "not a range", "the lower one")
	}
	panicsWith(t, func() { r.Uint64N(0) }, "no number is below 0")
	panicsWith(t, func() { r.IntN(0) }, "no number is below 0")
	panicsWith(t, func() { r.IntN(-3) }, "no number is below 0")
}

// The numbers of a seed never change, because saved games depend on them.
func TestRandomStaysAsItIs(t *testing.T) {
	s, _ := fullWorld(t)
	var got []uint64
	for _, r := range []Stream{
		Random(s), Random(s, 0), Random(s, 1), Random(s, 0, 0), Random(s, 1, 2),
	} {
		got = append(got, r.Uint64())
	}
	_, r := NextStream(s)
	got = append(got, r.hi)
	assert.Equal(t, goldenRandom, got)
}

// Every seed is its own, also 0, by every way in which a world gets one, and stays so in copies.
func TestEverySeedIsItsOwn(t *testing.T) {
	first := map[Stream]uint64{}
	other := sure(CreateState(Counts{Seed: 5, Kinds: layout.Kinds(Position.Count(1))}))
	for _, seed := range []uint64{0, 1, 2, 1 << 63, math.MaxUint64} {
		s := sure(CreateState(Counts{Seed: seed, Random: true, Kinds: layout.Kinds(Position.Count(1))}))
		drawn := Random(s, 1)
		require.NotContains(t, first, drawn)
		first[drawn] = seed
		other = SetSeed(other, seed)
		again := sure(CreateState(CountsOf(s)))
		for name, w := range map[string]State{
			"SetSeed": other, "Clone": sure(Clone(s)), "CountsOf": again,
			"Resized":         sure(Resized(s, Counts{Kinds: layout.Kinds(Position.Count(9))})),
			"Resized, seeded": sure(Resized(s, Counts{Kinds: layout.Kinds(Position), Seed: 77})),
		} {
			require.Equal(t, drawn, Random(w, 1), "seed %d, %s", seed, name)
			counts := CountsOf(w)
			require.True(t, counts.Random, name)
			require.Equal(t, seed, counts.Seed, name)
		}
		require.Equal(t, CountsOf(s), CountsOf(again))
	}
	require.False(t, CountsOf(sure(CreateState(Counts{GameObjects: 1}))).Random)
}

// The sequence is in the bytes: a copy goes on with the same numbers, and bytes copied back bring
// them back.
func TestTheSequenceIsInTheBytes(t *testing.T) {
	s, _ := fullWorld(t)
	model := streamOf(7, 0)
	for range 100 {
		var r Stream
		s, r = NextStream(s)
		require.Equal(t, Stream{model.Uint64(), model.Uint64()}, r)
	}
	saved := bytes.Clone(Bytes(s))
	c := sure(Clone(s))
	var a, b [20]Stream
	for i := range a {
		s, a[i] = NextStream(s)
		c, b[i] = NextStream(c)
	}
	assert.Equal(t, a, b)
	copy(Bytes(s), saved)
	for i := range b {
		s, b[i] = NextStream(s)
	}
	assert.Equal(t, a, b)
	s = SetSeed(s, 7)
	model = streamOf(7, 0)
	s, r := NextStream(s)
	assert.Equal(t, Stream{model.Uint64(), model.Uint64()}, r)
	whole(t, s)
}

func TestAllocsOfRandom(t *testing.T) {
	s, _ := fullWorld(t)
	var sum float64
	assert.Zero(t, testing.AllocsPerRun(50, func() {
		var r Stream
		s, r = NextStream(s)
		n := r.Uint64()
		other := Random(s, 1, n)
		sum += float64(r.Range(0, 1)) + float64(other.Float32()) + float64(other.IntN(7))
		sum += r.Float64() + r.Norm() + r.Exp()
		s = SetSeed(s, n)
	}))
}

// goldenRandom was computed from the formulas by another program.
var goldenRandom = []uint64{
	0x2cc76e01bc855c17, 0xabfb24d8858a0303, 0x11ea6ee62f556f40, 0x9d2374d32fd39cc8,
	0xd46936754cf6d462, 0x1e0caba947e447b4,
}

// streamOf is the stream that parts name in the step of a tick.
func streamOf(seed, tick uint64, parts ...uint64) Stream {
	return NewStream(random.Start(seed, tick, parts...))
}
