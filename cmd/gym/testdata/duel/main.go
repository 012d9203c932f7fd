//go:build unix

// Command duel is the arena's game between two tanks: the agent's, and one that is scripted.
package main

import (
	"log"
	"sync"

	"github.com/flatecs/flatecs/buffer/exact"
	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/gym"
	"github.com/flatecs/flatecs/world"
)

const (
	wide, high = 1500, 1000 // of the field, in world units
	most       = 1200       // ticks of an episode: a minute
	pi         = 3.1415927
)

// matches are what steps need beside a world; any of them does for any world.
var matches = sync.Pool{New: func() any {
	s := world.Must(world.CreateState(arena.Counts(2, 1)))
	defer world.Close(s)
	return world.Must(arena.NewMatch(s, 2))
}}

// look returns what there is to tell of the agent's tank and of the other one.
func look(s world.State) (own, other arena.Status) {
	m := matches.Get().(*arena.Match)
	defer matches.Put(m)
	return m.Status(s, 0), m.Status(s, 1)
}

// step takes a tick.
func step(s world.State, inputs ...arena.Input) world.State {
	m := matches.Get().(*arena.Match)
	defer matches.Put(m)
	return m.Step(s, inputs)
}

// toward returns a place as a tank sees it: how far it is, and the angle to its heading.
func toward(from arena.Status, to [2]float32) (far, off float32) {
	x, y := to[0]-from.At[0], to[1]-from.At[1]
	off = exact.Atan2(y, x) - from.Angle
	if off >= pi {
		off -= 2 * pi
	} else if off < -pi {
		off += 2 * pi
	}
	return exact.Hypot(x, y), off
}

// sees reports whether a tank sees another one that is no wreck.
func sees(own, other arena.Status) bool {
	far, _ := toward(own, other.At)
	return other.Armour > 0 && far < arena.Sight
}

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

// script presses what the arena's pilot would: it turns to the enemy that it sees, and fires, or
// drives between places.
func script(s world.State) (input arena.Input) {
	enemy, own := look(s)
	goal := [2]float32{wide / 2, high / 2}
	input = arena.Forward
	if sees(own, enemy) {
		goal, input = enemy.At, arena.Fire
		if far, _ := toward(own, goal); far > 90 {
			input |= arena.Forward
		}
	} else if x := world.Tick(s) / 200 % 4; x > 0 { // another place every ten seconds
		goal = [2]float32{wide * float32(x) / 4, high * float32(x*x%3) / 2}
	}
	switch _, off := toward(own, goal); {
	case off > .09:
		input |= arena.Right
	case off < -.09:
		input |= arena.Left
	}
	return input
}

var duel = gym.Env[float32, uint8]{
	Name: "duel", Behaviour: 2,
	Observation: gym.Space{Shape: []int{15}}, Action: gym.Space{N: 32}, // bits of an arena.Input
	Counts: func(int) world.Counts { return arena.Counts(2, 1) },
	Reset:  func(s world.State, _ int) world.State { return step(s, 0, 0) },
	Step: func(s world.State, actions []uint8) world.State {
		return step(s, actions[0], script(s))
	},

	// What the agent's tank knows: the middle of the field, the enemy where it sees it, and a wall.
	Observe: func(dst []float32, s world.State) {
		own, other := look(s)
		clear(dst)
		far, off := toward(own, [2]float32{wide / 2, high / 2})
		dst[0], dst[1], dst[2] = far/1000, exact.Sin(off), exact.Cos(off)
		dst[3], dst[4], dst[5] = float32(own.Armour)/3, float32(own.Load)/18, float32(own.Wait)/40
		if sees(own, other) {
			far, off := toward(own, other.At)
			_, facing := toward(other, own.At)
			dst[6], dst[7], dst[8] = 1, far/arena.Sight, exact.Sin(off)
			dst[9], dst[10], dst[11] = exact.Cos(off), exact.Cos(facing), float32(other.Armour)/3
			dst[12], dst[13] = exact.Sin(facing), dst[7]*dst[8] // by how much a shell would miss
		}
		dst[14] = wall(own) / 200
	},

	// A tank that breaks is worth 10: it begins to wait for 40 ticks.
	Reward: func(dst []float32, s world.State) {
		own, other := look(s)
		dst[0] = 0
		if own.Wait == 40 {
			dst[0] -= 10
		}
		if other.Wait == 40 {
			dst[0] += 10
		}
	},
	Done: func(terminated, truncated []bool, s world.State) {
		own, _ := look(s)
		terminated[0], truncated[0] = own.Score[2] > 0, world.Tick(s) >= most
	},
}

func main() {
	if err := gym.Serve(&duel); err != nil {
		log.Fatal(err)
	}
}
