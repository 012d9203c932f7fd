package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer/kernel"
)

const (
	maxLength = 200 // components
	maxSkip   = 8   // elements: every alignment of a 32-byte register
)

var (
	negZero = float32(math.Copysign(0, -1))
	inf     = float32(math.Inf(1))
	nan     = float32(math.NaN())
)

// special are the values that a fast loop gets wrong first.
var special = []float32{
	0, negZero, 1, -1, 8, 10, 16, inf, -inf, nan,
	math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, 1 << 24, 0.1,
}

// values fills n elements, one in four of them special.
func values(r *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		if r.IntN(4) == 0 {
			s[i] = special[r.IntN(len(special))]
		} else {
			s[i] = r.Float32()*40 - 20
		}
	}
	return s
}

// same compares bit for bit, but for the payload of NaNs.
func same(t *testing.T, want, got []float32, message string) {
	t.Helper()
	require.Len(t, got, len(want), message)
	for i, w := range want {
		bothNaN := w != w && got[i] != got[i]
		if math.Float32bits(w) != math.Float32bits(got[i]) && !bothNaN {
			t.Fatalf("%s: element %d: want %g, got %g", message, i, w, got[i])
		}
	}
}

// naive runs the loop of a kernel's comment on copies of its slices.
type naive func(dst []float32, from ...[]float32)

// everywhere runs kernel and naive over every length and alignment. dst has lanes elements for each
// component, each of the other slices has one.
func everywhere(t *testing.T, lanes, others int, run, want naive) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for n := range maxLength + 1 {
		for skip := range maxSkip {
			backing := values(r, maxSkip+lanes*n+maxSkip)
			expected := append([]float32(nil), backing...)
			var from, before [][]float32
			for i := range others {
				whole := values(r, maxSkip+n)
				from = append(from, whole[(skip+i)%maxSkip:][:n])
				before = append(before, append([]float32(nil), from[i]...))
			}
			want(expected[skip:skip+lanes*n], before...)
			run(backing[skip:skip+lanes*n], from...)
			message := fmt.Sprintf("length %d, %d elements off", n, skip)
			same(t, expected, backing, message)
			for i := range from {
				same(t, before[i], from[i], message+": what is read stays")
			}
		}
	}
}

func TestMove(t *testing.T) {
	everywhere(t, 3, 1,
		func(dst []float32, from ...[]float32) { kernel.Move(dst, from[0]) },
		func(dst []float32, from ...[]float32) {
			for i, v := range from[0] {
				dst[3*i] += v
				dst[3*i+1] += v
				dst[3*i+2] += v
			}
		})
}

func TestFly(t *testing.T) {
	everywhere(t, 3, 2,
		func(dst []float32, from ...[]float32) { kernel.Fly(dst, from[0], from[1]) },
		func(dst []float32, from ...[]float32) {
			for i, v := range from[0] {
				d := from[1][i]
				if v < d {
					d = v * 2
				}
				dst[3*i] += d
				dst[3*i+1] += d
				dst[3*i+2] += d
			}
		})
}

func TestScale(t *testing.T) {
	for _, factor := range []float32{2, 0.1, 0, negZero, -3, inf, nan} {
		everywhere(t, 1, 0,
			func(dst []float32, _ ...[]float32) { kernel.Scale(dst, factor) },
			func(dst []float32, _ ...[]float32) {
				for i := range dst {
					dst[i] *= factor
				}
			})
	}
}

func TestFlyFormula(t *testing.T) {
	for _, c := range []struct {
		name              string
		v, limit          float32
		position, landing float32
	}{
		{"twice, above the maximum", 8, 10, 0, 16},
		{"the defaults", 1, 10, 1, 3},
		{"at the maximum", 10, 10, 0, 10},
		{"above the maximum", 12, 10, 5, 15},
		{"backwards", -3, 10, 0, -6},
		{"no velocity", nan, 10, 0, 10},
		{"no maximum", 3, nan, 0, nan},
		{"infinite maximum", 3, inf, 0, 6},
		{"infinite velocity", inf, inf, 0, inf},
	} {
		t.Run(c.name, func(t *testing.T) {
			dst := []float32{c.position, c.position, c.position}
			v, limit := []float32{c.v}, []float32{c.limit}
			kernel.Fly(dst, v, limit)
			same(t, []float32{c.landing, c.landing, c.landing}, dst, "position")
			same(t, []float32{c.v}, v, "velocity is not written")
			same(t, []float32{c.limit}, limit, "maximum is not written")
		})
	}
}

func TestUnequalLengths(t *testing.T) {
	const message = "kernel: dst must have 3 elements for each element of the other slices"
	s := func(n int) []float32 { return make([]float32, n) }
	for _, c := range []struct{ dst, velocity, limit int }{
		{3, 0, 0}, {0, 1, 1}, {5, 2, 2}, {7, 2, 2}, {2, 2, 2},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			dst := s(c.dst)
			assert.PanicsWithValue(t, message, func() { kernel.Move(dst, s(c.velocity)) })
			assert.PanicsWithValue(t, message, func() { kernel.Fly(dst, s(c.velocity), s(c.limit)) })
			assert.Equal(t, s(c.dst), dst, "nothing was written")
		})
	}
	assert.PanicsWithValue(t, message, func() { kernel.Fly(s(6), s(2), s(1)) })
	assert.PanicsWithValue(t, message, func() { kernel.Fly(s(6), s(2), s(3)) })
}

func TestAllocs(t *testing.T) {
	dst, v, limit := make([]float32, 300), make([]float32, 100), make([]float32, 100)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		kernel.Move(dst, v)
		kernel.Fly(dst, v, limit)
		kernel.Scale(dst, 2)
	}))
}
