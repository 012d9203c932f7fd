package kernel

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFlyFormula(t *testing.T) {
	inf, nan := float32(inf), float32(nan)
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
			Fly(dst, v, limit)
			expectSame(t, []float32{c.landing, c.landing, c.landing}, dst, "position")
			expectSame(t, []float32{c.v}, v, "velocity is not written")
			expectSame(t, []float32{c.limit}, limit, "maximum is not written")
		})
	}
}

func TestUnequalLengths(t *testing.T) {
	for _, c := range []struct{ dst, velocity, limit int }{
		{3, 0, 0}, {0, 1, 1}, {5, 2, 2}, {7, 2, 2}, {2, 2, 2}, {95, 32, 32}, {97, 32, 32},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			dst, v, limit := zeros(c.dst), zeros(c.velocity), zeros(c.limit)
			assert.PanicsWithValue(t, unequal, func() { Move(dst, v) })
			assert.PanicsWithValue(t, unequal, func() { Fly(dst, v, limit) })
			assert.Equal(t, zeros(c.dst), dst, "nothing was written")
		})
	}
	for _, limit := range []int{1, 3} {
		assert.PanicsWithValue(t, unequal, func() { Fly(zeros(6), zeros(2), zeros(limit)) })
	}
}

func TestUnpaired(t *testing.T) {
	for _, c := range []struct{ dst, x int }{{1, 0}, {0, 1}, {32, 31}, {32, 33}} {
		assert.PanicsWithValue(t, unpaired, func() { Axpy(zeros(c.dst), 1, zeros(c.x)) })
		assert.PanicsWithValue(t, unpaired, func() { Add64(zeros64(c.dst), zeros64(c.x)) })
	}
}

func zeros(n int) []float32   { return make([]float32, n) }
func zeros64(n int) []float64 { return make([]float64, n) }

// One slice may stand for both.
func TestOneSliceTwice(t *testing.T) {
	s, want := zeros(maxLength), zeros(maxLength)
	for i := range s {
		s[i], want[i] = float32(i), float32(3*i)
	}
	Axpy(s, 2, s)
	expectSame(t, want, s, "three times")
}

func TestAllocs(t *testing.T) {
	dst, from := zeros(300), [][]float32{zeros(100), zeros(100)}
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		for _, s := range subjects {
			s.run(dst[:s.lanes*100], from, 1, 2)
		}
	}))
}
