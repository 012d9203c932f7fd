package game

import (
	"time"

	"github.com/flatecs/flatecs/bench/turns"
)

// The systems, in the order of a frame.
const (
	damage = iota
	freeze
	swap
	age
	spawn
	chase
	accelerate
	move
	heal
	animate
	hang
	assemble
	collide
	SystemCount
)

// Systems are the names of the systems.
var Systems = [SystemCount]string{
	"damage", "freeze", "swap", "age", "spawn", "chase", "accelerate", "move", "heal", "animate",
	"hang", "assemble", "collide",
}

// Spent is the time of each system: of the thread that works, where one does.
type Spent [SystemCount]time.Duration

// A Game is the world of one library, and its systems.
type Game interface {
	// Frame plays one frame of the script, and adds up what each system takes.
	Frame(spent *Spent)
	// Each yields every object.
	Each(yield func(*Object))
	// Close gives memory back.
	Close()
}

// A Library is one way to write the game.
type Library struct {
	Name string
	Peer string             // the library's own name: "flatecs", "ark", …, "none"
	Note string             // how it is used
	New  func(*Script) Game // with all objects
}

// Libraries are all ways, in the order of columns.
func Libraries() []Library {
	return []Library{
		{
			"flatecs loops", "flatecs",
			"walks are plain loops; many changes at once are recorded and applied", newLoops,
		},
		{
			"flatecs kernels", "flatecs",
			"the same; accelerate and move by kernel.Axpy", newKernels,
		},
		{
			"flatecs schedule", "flatecs",
			"kernels, as jobs of a schedule with two workers, which look for the next phase for " +
				"1 ms before they sleep, and so take processor time while they wait; jobs by the " +
				"wall, summed over both; what freeze, swap and age change is applied under age",
			newScheduled,
		},
		{
			"Ark", "ark",
			"tables by NextTable, Exchange, and batches where the docs have them", newArk,
		},
		{"Donburi", "donburi", "Iter, Entry, and ComponentType.Get", newDonburi},
		{"Volt", "volt", "Foreach; ids carry no generation, so the program keeps one", newVolt},
		{
			"plain columns", "none",
			"no library: a slice per field, sorts side by side, swaps and marks as flags", newPlain,
		},
	}
}

// systems are the functions of a game that runs one after the other.
type systems [SystemCount]func()

func (all *systems) run(spent *Spent) {
	last := turns.ThreadTime()
	for i, system := range all {
		system()
		now := turns.ThreadTime()
		spent[i] += now - last
		last = now
	}
}
