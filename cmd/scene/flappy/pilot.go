package flappy

import (
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// pilot starts a waiting game, flaps when the bird would fall below the middle of the next gap, and
// starts a new game a while after game over.
func pilot(s world.State) scene.Input {
	if world.Resource(s, over) != 0 {
		if world.Resource(s, steps) > 2*restartSteps {
			return press(s)
		}
		return 0
	}
	if world.Resource(s, waits) != 0 {
		return press(s)
	}
	aim := nextGap(s)
	for b := range bodies.In(s) {
		p, v, size := world.Column(b, at), world.Column(b, vy), world.Column(b, extent)
		for i := range p {
			low := p[i][1] + size[i][1] + float32(v[i]*.25) - aim
			if low > 0 && v[i] > -1 || low > 20 && v[i] > -3 {
				return press(s)
			}
		}
	}
	return 0
}

// press presses the button, unless it is already down.
func press(s world.State) scene.Input { return Flap &^ scene.Input(world.Resource(s, down)) }

// nextGap returns the lowest height of the bird for the next gap.
func nextGap(s world.State) float32 {
	low, nearest := float32(floorTop/2), float32(width)
	for b := range pipes.In(s) {
		p, size := world.Column(b, at), world.Column(b, extent)
		for i := range p {
			if x := p[i][0] + size[i][0]; p[i][1] > 0 && x > birdX && x < nearest {
				nearest, low = x, p[i][1]
			}
		}
	}
	return low - opening(s)/6
}
