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

// libraries are all ways to write the game.
var libraries = map[string]func(*Script) Game{
	"flatecs loops": newLoops, "flatecs kernels": newKernels, "flatecs as README": newFree,
	"Ark": newArk, "plain columns": newPlain,
}

// warm is how many frames pass before the first turn, so that as many are frozen and as many
// bullets fly as later.
const warm = 60

// Subject is a frame of a game.
func Subject() *harness.Subject {
	return &harness.Subject{
		Name: "frame", About: "a frame of a game, written once per library",
		Cases: []harness.Case{
			newCase("frame", "A frame of a game", Long),
			newCase("frame_replaced", "The same, one object in a hundred replaced", Short),
		},
	}
}

func newCase(name, title string, life int) harness.Case {
	return harness.Case{
		Name: name, Title: title, Per: "frame", Sizes: []int{100_000}, Rounds: 15,
		Who: []string{
			"flatecs loops", "flatecs kernels", "flatecs as README", "Ark", "plain columns",
		},
		Against: []string{"Ark", "plain columns"},
		How: []string{
			"flatecs loops: many changes at once are recorded and applied",
			"flatecs kernels: the same; accelerate and move by kernel.Axpy",
			"flatecs as README: as loops, in a world without counts: room for 1,048,576 objects",
			"Ark: tables by NextTable, Exchange, and batches where the docs have them",
			"plain columns: a slice per field, sorts side by side, swaps and marks as flags",
		},
		Make: func(who string, n int) harness.Work {
			script := NewScript(n, life)
			game := libraries[who](script)
			p := player{script, game}
			p.play(warm)
			return harness.Work{
				Run: func() { p.play(1) }, Check: p.sum, Close: game.Close,
				Turn: func(budget time.Duration) harness.Turn {
					t := p.play(max(1, int(2*budget/time.Millisecond)))
					t.Result = p.sum()
					return t
				},
			}
		},
	}
}

// A player plays the game of one library.
type player struct {
	script *Script
	game   Game
}

func (p *player) sum() harness.Result {
	s := SumOf(p.game.Each)
	return harness.Result{Count: s.Count, Hash: s.Hash}
}

// play plays frames, and measures the processor time of each, all threads together, and that by the
// clock on the wall. What the script prepares is not timed.
func (p *player) play(frames int) (t harness.Turn) {
	var spent Spent
	var before, after runtime.MemStats
	worked, wall := make([]float64, 0, frames), make([]float64, 0, frames)
	runtime.ReadMemStats(&before)
	for range frames {
		p.script.Next()
		began, start := harness.ProcessTime(), time.Now()
		p.game.Frame(&spent)
		wall = append(wall, float64(time.Since(start)))
		worked = append(worked, float64(harness.ProcessTime()-began))
	}
	runtime.ReadMemStats(&after)
	n, mean := float64(frames), 0.0
	for _, ns := range worked {
		mean += ns / n
	}
	add := func(measure, unit string, value float64, samples []float64) {
		t.Figures = append(t.Figures, harness.Measured{
			Measure: measure, Unit: unit, Value: value, Samples: samples,
		})
	}
	add("time", "ns", mean, worked)
	add("time by the wall", "ns", harness.Median(wall), wall)
	for i, name := range Systems {
		add(name, "ns", float64(spent[i])/n, nil)
	}
	add("allocations", "objects", float64(after.Mallocs-before.Mallocs)/n, nil)
	add("allocated", "bytes", float64(after.TotalAlloc-before.TotalAlloc)/n, nil)
	return t
}

// systems are the functions of a game that runs one after the other, in memory of Go's heap.
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
