// Command moods is a state machine: wolves rest, hunt, and flee from a bear. Each wolf's mood is an
// ordinary component, so it is copied and saved with the world.
//
//	go run ./cmd/examples/moods
package main

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// A Mood is what a wolf is about, and how it gets to the next:
//
//	Resting ──full of energy──▶ Hunting ──no energy──▶ Resting
//	any mood ──a bear comes───▶ Fleeing ──it leaves──▶ Resting
type Mood uint8

// The moods.
const (
	Resting Mood = iota
	Hunting
	Fleeing
)

const fullEnergy = 3

var (
	Mind   = layout.NewComponent[Mood]("mood") // begins as Resting
	Energy = layout.NewComponent[int8]("energy")
	wolves = world.NewQuery(world.Write(Mind, Energy))
	minds  = world.NewQuery(world.Read(Mind))
)

// Live takes each wolf through one step. bear says whether a bear is near.
func Live(s world.State, bear bool) world.State {
	for b := range wolves.In(s) {
		mood, energy := world.Column(b, Mind), world.Column(b, Energy)
		for i := range mood {
			mood[i], energy[i] = next(mood[i], energy[i], bear)
		}
	}
	return s
}

// next is the whole machine: what becomes of one wolf.
func next(mood Mood, energy int8, bear bool) (Mood, int8) {
	if bear {
		return Fleeing, energy
	}
	switch mood {
	case Resting:
		if energy == fullEnergy {
			return Hunting, energy
		}
		return Resting, energy + 1
	case Hunting:
		if energy == 0 {
			return Resting, energy
		}
		return Hunting, energy - 1
	default: // Fleeing, and the bear has left
		return Resting, energy
	}
}

func main() {
	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Mind, Energy)}))
	defer func() { world.Close(state) }()
	for energy := range int8(fullEnergy) {
		var wolf world.GameObject
		state, wolf = world.Must2(world.CreateWith(state, Mind, Energy))
		state = world.Must(world.Set(state, wolf, Energy, energy))
	}

	for step := range 12 {
		bear := step == 8 || step == 9
		state = Live(state, bear)
		var count [3]int
		for b := range minds.In(state) {
			for _, mood := range world.Column(b, Mind) {
				count[mood]++
			}
		}
		fmt.Printf("step %d: %d rest, %d hunt, %d flee\n",
			step, count[Resting], count[Hunting], count[Fleeing])
	}
}
