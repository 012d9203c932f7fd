package lab

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/random"
)

// Order sets dst to the objects that match a query, in a random order, each equally likely, and
// returns it; it grows dst where it is too short. The order depends on the world's seed, its tick,
// who there is, and the parts that name the purpose, as in [world.Random]: it is the same on every
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

// Activate lets each object act, in the order of the list, and in stages: the second stage begins
// when all objects have had the first. An object that was disposed meanwhile does not act. With
// one stage each object sees what those before it have done; to let all see the same, compute in
// one stage what another one carries out.
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
