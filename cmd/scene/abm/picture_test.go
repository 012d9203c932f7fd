package abm

import (
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Each model has a picture of its world, in which what is drawn is as much as there is of it.
func TestPicturesShowTheWorld(t *testing.T) {
	for _, c := range []struct {
		m      Model
		step   func(world.State) world.State
		of     color.RGBA
		pixels func(s world.State) float64 // of that colour, at most; half of them are seen at least
	}{
		{SchellingSmall, StepSchelling, peoples[1], func(world.State) float64 { return 500 * 10 * 10 }},
		{ForestFireSmall, StepForestFire, ash, func(s world.State) float64 {
			return float64(counted(s, tree, burnt) * 4 * 4)
		}},
		{FlockingSmall, StepFlocking, wool, func(world.State) float64 { return 200 * 3 * 3 }},
		{WolfSheepSmall, StepWolfSheep, fur, func(s world.State) float64 {
			return float64(tool.Mounted(s, wolf.Kind()) * 9 * 9)
		}},
		{ForestFireLarge, StepForestFire, leaf, func(world.State) float64 { return 500 * 500 }},
	} {
		s := begin(t, c.m, 1)
		for range 30 {
			s = c.step(s)
		}
		digest := world.Digest(s)
		m := Picture(c.m)(s)
		size := m.Bounds().Dx()
		require.True(t, size >= 200 && size <= 1000 && size == m.Bounds().Dy(), "%v", m.Bounds())
		n := 0.
		for y := range size {
			for x := range size {
				if m.At(x, y) == color.Color(c.of) {
					n++
				}
			}
		}
		most := c.pixels(s)
		assert.True(t, n <= most && n >= most/2, "%+v: %v pixels of %v", c.m, n, most)
		assert.Equal(t, digest, world.Digest(s))
		world.Close(s)
	}
}
