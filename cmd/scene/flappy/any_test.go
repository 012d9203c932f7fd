//go:build !ecsdebug

package flappy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Whatever the bytes are, a step and a drawing come to an end. (With ecsdebug, a number that is none
// is reported, by a panic.)
func TestAnyBytesCanBePlayed(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() float32 {
		odd := []float32{0, -1, 1e30, -1e30, 1e9, math.MaxFloat32}
		switch n := r.IntN(9); n {
		case 6, 7:
			return float32(math.Inf(2*n - 13))
		case 8:
			return float32(math.NaN())
		default:
			return odd[n]
		}
	}
	rounds := 300
	if testing.Short() {
		rounds = 50
	}
	for round := range rounds {
		g := opened(t, scene.Options{Seed: uint64(round)})
		g.fly(r.IntN(200))
		for _, k := range []layout.Kind{Position, Size, Velocity, Rotate, Image, Text, Score, Render} {
			b := tool.Buffer(g.state, k)
			for range r.IntN(20) {
				b[r.IntN(len(b))] = byte(r.Uint32())
			}
		}
		g.state = world.SetResource(g.state, canvas, [2]float32{number(), height})
		for _, f := range []layout.Field[float32]{speed, gap, way, flown} {
			g.state = world.SetResource(g.state, f, number())
		}
		for range 100 {
			g.step(scene.Input(r.IntN(2)))
		}
		g.marks()
		pilot(g.state)
	}
}
