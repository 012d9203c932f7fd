package lab

import (
	"github.com/flatecs/flatecs/systems"
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

// Seeds returns n seeds. Each is a hash of base and its number, so replicates are independent, and
// sweeps with different bases are too.
func Seeds(base uint64, n int) []uint64 {
	if n < 0 || n > mostSets {
		panic("lab: the number of Seeds is out of range; ask for 0 to 1048576")
	}
	seeds := make([]uint64, n)
	for i := range seeds {
		r := systems.NewStream(base, uint64(i))
		r.Uint64()
		seeds[i] = r.Uint64()
	}
	return seeds
}

// forking separates the seeds of forks from other random numbers of a step.
const forking = 0x666f726b

// reseed gives a fork its own seed: a hash of the world's seed, its tick, and the path of the fork.
// It does not change a world without random numbers.
func reseed(s world.State, path ...uint64) world.State {
	if !world.CountsOf(s).Random {
		return s
	}
	r := world.Random(s, append([]uint64{forking}, path...)...)
	return systems.SetSeed(s, r.Uint64())
}

// sampling separates the draws of Measure.Sample from other draws of a step.
const sampling = 0x73616d706c65
