package frame

import (
	"runtime"
	"time"

	"github.com/flatecs/flatecs/bench/harness"
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

// Spent is the time of each system: thread time for single-threaded games.
type Spent [SystemCount]time.Duration

// A Game is the world of one library, and its systems.
type Game interface {
	Frame(spent *Spent)     // plays a frame of the script, and adds the time of each system
	Each(yield func(*Seen)) // yields every object
	Close()                 // releases memory
}

// libraries are the implementations of the game. As README uses plain loops in a world without
// counts, with room for 1,048,576 objects; the other flatecs has counts, and two systems use
// kernel.Axpy.
var libraries = map[string]func(*Script) Game{
	"flatecs": newCounted, "flatecs as README": newFree, "Ark": newArk, "plain columns": newPlain,
}

// warm is the number of frames before the first turn. After it, the numbers of frozen objects and
// flying bullets are stable.
const warm = 60

// Subject returns the subject of a frame of a game.
func Subject() *harness.Subject {
	return &harness.Subject{
		Name: "frame", About: "a frame of a game, written once per library",
		Cases: []harness.Case{{
			Name: "frame", Title: "A frame of a game", Per: "frame", Sizes: []int{100_000},
			Who:     []string{"flatecs", "flatecs as README", "Ark", "plain columns"},
			Against: []string{"Ark", "plain columns"}, Rounds: 15, Make: work,
		}},
	}
}

func work(who string, n int) harness.Work {
	script := NewScript(n)
	game := libraries[who](script)
	play(script, game, warm)
	check := func() harness.Result { return SumOf(game.Each) }
	return harness.Work{
		Run: func() { play(script, game, 1) }, Check: check, Close: game.Close,
		Turn: func(budget time.Duration) harness.Turn {
			t := play(script, game, max(1, int(2*budget/time.Millisecond)))
			t.Result = check()
			return t
		},
	}
}

// play plays frames, and measures the CPU time of each, over all threads. Preparing the script is
// not timed.
func play(script *Script, game Game, frames int) (t harness.Turn) {
	var spent Spent
	var worked time.Duration
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range frames {
		script.Next()
		began := harness.ProcessTime()
		game.Frame(&spent)
		worked += harness.ProcessTime() - began
	}
	runtime.ReadMemStats(&after)
	add := func(measure, unit string, sum float64) {
		t.Figures = append(t.Figures, harness.Measured{
			Measure: measure, Unit: unit, Value: sum / float64(frames),
		})
	}
	add("time", "ns", float64(worked))
	for i, name := range Systems {
		add(name, "ns", float64(spent[i]))
	}
	add("allocations", "objects", float64(after.Mallocs-before.Mallocs))
	return t
}

// systems are the functions of a game that runs them one after the other, in memory of Go's heap.
type systems [SystemCount]func()

// Frame implements [Game].
func (all *systems) Frame(spent *Spent) {
	last := harness.ThreadTime()
	for i, system := range all {
		system()
		now := harness.ThreadTime()
		spent[i] += now - last
		last = now
	}
}

// Close implements [Game].
func (*systems) Close() {}
