//go:build unix

// Command duel is the arena's game between two tanks: the agent's, and one that is scripted.
package main

import (
	"log"

	"github.com/flatecs/flatecs/buffer/exact"
	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/gym"
	"github.com/flatecs/flatecs/world"
)

const (
	wide, high = 1500, 1000 // of the field, in world units
	most       = 1200       // ticks of an episode: a minute
)

var rules = arena.NewDuel()

// wall returns how far it is to the edge of the field ahead of a tank, up to 200.
func wall(own arena.Status) float32 {
	far := float32(200)
	x, y := exact.Cos(own.Angle), exact.Sin(own.Angle)
	for i, way := range [2]float32{x, y} {
		to := [2]float32{wide, high}[i] - own.At[i]
		if way < 0 {
			to, way = own.At[i], -way
		}
		if way*far > to {
			far = to / way
		}
	}
	return far
}

var duel = gym.Env[float32, uint8]{
	Name: arena.DuelName, Behaviour: arena.DuelBehaviour,
	Observation: gym.Space{Shape: []int{15}}, Action: gym.Space{N: 32}, // bits of an arena.Input
	Counts: func(int) world.Counts { return arena.Counts(2, 1) },
	Reset:  func(s world.State, _ int) world.State { return rules.Begin(s) },
	Step: func(s world.State, actions []uint8) world.State {
		return rules.Step(s, arena.Input(actions[0]))
	},

	// What the agent's tank knows: the middle of the field, the enemy where it sees it, and a wall.
	Observe: func(dst []float32, s world.State) {
		own, other := rules.Look(s)
		clear(dst)
		far, off := own.Toward([2]float32{wide / 2, high / 2})
		dst[0], dst[1], dst[2] = far/1000, exact.Sin(off), exact.Cos(off)
		dst[3], dst[4], dst[5] = float32(own.Armour)/3, float32(own.Load)/18, float32(own.Wait)/40
		if own.InSight(other) {
			far, off := own.Toward(other.At)
			_, facing := other.Toward(own.At)
			dst[6], dst[7], dst[8] = 1, far/arena.Sight, exact.Sin(off)
			dst[9], dst[10], dst[11] = exact.Cos(off), exact.Cos(facing), float32(other.Armour)/3
			dst[12], dst[13] = exact.Sin(facing), dst[7]*dst[8] // by how much a shell would miss
		}
		dst[14] = wall(own) / 200
	},

	// A tank that breaks is worth 10: it begins to wait for 40 ticks.
	Reward: func(dst []float32, s world.State) {
		own, other := rules.Look(s)
		dst[0] = 0
		if own.Wait == 40 {
			dst[0] -= 10
		}
		if other.Wait == 40 {
			dst[0] += 10
		}
	},
	Done: func(terminated, truncated []bool, s world.State) {
		own, _ := rules.Look(s)
		terminated[0], truncated[0] = own.Score[2] > 0, world.Tick(s) >= most
	},
}

func main() {
	if err := gym.Serve(&duel); err != nil {
		log.Fatal(err)
	}
}
