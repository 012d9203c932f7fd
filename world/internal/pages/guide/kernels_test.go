package guide_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// FallFast is Fall with a maximum of speed. dt is in seconds.
func FallFast(s world.State, dt, most float32) world.State {
	for b := range falling.In(s) {
		p := layout.Flat[float32](Position, world.Column(b, Position))
		v := layout.Flat[float32](Velocity, world.Column(b, Velocity))
		g := layout.Flat[float32](Gravity, world.Column(b, Gravity))
		kernel.Axpy(p, dt, v) // p[i] += float32(dt * v[i])
		kernel.Axpy(v, dt, g)
		kernel.Clamp(v, -most, most)
	}
	return s
}

func Example_kernels() {
	state, stone, err := world.CreateWith(battle(), Position, Velocity, Gravity)
	check(err)
	for range 4 {
		state = FallFast(state, 0.5, 12)
	}
	at, err := world.Get(state, stone, Position)
	check(err)
	v, err := world.Get(state, stone, Velocity)
	check(err)
	fmt.Println("stone", stone, "is at", at, "and falls by", v)
	// Output: stone 0 is at [0 -13.5 0] and falls by [0 -12 0]
}

// crowd is a world in which n bodies fall.
func crowd(tb testing.TB, n int) world.State {
	tb.Helper()
	stone := world.NewRecipe("stone", Position, Velocity, Gravity)
	state, err := world.CreateState(world.Counts{
		Recipes: []world.Recipe{stone},
		Kinds: layout.Kinds(
			Position.Count(n), Velocity.Count(n), Gravity.Count(n), Frozen,
		),
	})
	require.NoError(tb, err)
	state, err = world.SpawnN(state, stone, n, func(b world.Batch) {
		for i := range b.Len() {
			world.Column(b, Velocity)[i][0] = float32(i%7) * 0.1
		}
	})
	require.NoError(tb, err)
	return state
}

// The kernels are the loop: they make the same bytes.
func TestFallFastIsFall(t *testing.T) {
	const n, never = 1_001, 1e30
	a, b := crowd(t, n), crowd(t, n)
	for range 10 {
		a, b = Fall(a, 0.1), FallFast(b, 0.1, never)
	}
	require.True(t, bytes.Equal(world.Bytes(a), world.Bytes(b)))
}

func BenchmarkFall(b *testing.B) {
	const never = 1e30
	for _, n := range []int{1_000, 100_000} {
		state := crowd(b, n)
		b.Run(fmt.Sprintf("loop/%d", n), func(b *testing.B) {
			for b.Loop() {
				state = Fall(state, 1e-9)
			}
		})
		b.Run(fmt.Sprintf("kernels/%d", n), func(b *testing.B) {
			for b.Loop() {
				state = FallFast(state, 1e-9, never)
			}
		})
	}
}
