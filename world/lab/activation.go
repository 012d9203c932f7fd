package lab

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/random"
)

// Order sets dst to the objects that match a query, in a random order with uniform probability, and
// returns it; it grows dst if needed. The order depends on the world's seed, its tick, the matching
// objects, and the parts, which name the purpose as in [world.Random]; it is the same on every
// machine. The world needs Counts.Seed.
func Order(
	dst []world.GameObject, s world.State, q world.Query, parts ...uint64,
) []world.GameObject {
	dst = dst[:0]
	for id := range q.Objects(s) {
		dst = append(dst, id)
	}
	r := world.Random(s, parts...)
	random.Shuffle(dst, &r)
	return dst
}

// Activate calls each stage for each object, in the order of the list; the second stage begins when
// the first has been called for all objects. It skips objects that were disposed meanwhile. With
// one stage, each object sees the effects of earlier ones; to show all objects the same state,
// compute decisions in one stage and carry them out in another.
func Activate(
	s world.State, order []world.GameObject,
	stages ...func(s world.State, id world.GameObject) world.State,
) world.State {
	for _, act := range stages {
		for _, id := range order {
			if world.Alive(s, id) {
				s = act(s, id)
			}
		}
	}
	return s
}
