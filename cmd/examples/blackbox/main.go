// Command blackbox plays a game that crashes, and shows what one does with its recording.
//
//	go run ./cmd/examples/blackbox
//
// A user would send the folder, or the one file that flatecs replay --pack makes of it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

var (
	Gold    = layout.NewComponent[int32]("gold")
	purses  = world.NewQuery(world.Write(Gold))
	prices  = []int32{3, 5, 8}
	counts  = world.Counts{GameObjects: 2, Kinds: layout.Kinds(Gold)}
	options = record.Options{Build: "game 1.0", Keep: 10 * time.Minute}
)

// Step pays wages, and buys what the input says. It depends on the world and the input alone.
func Step(s world.State, input []byte) world.State {
	for b := range purses.In(s) {
		gold := world.Column(b, Gold)
		for i := range gold {
			gold[i]++
			if price := prices[input[0]]; gold[i] >= price { // the bug: nobody checks the input
				gold[i] -= price
			}
		}
	}
	return world.Advance(s)
}

// play plays until it crashes.
func play(folder string) {
	state, _ := world.Must2(world.CreateWith(world.Must(world.CreateState(counts)), Gold))
	rec := world.Must(record.Create(folder, state, options))
	defer rec.Recover()
	for tick := range byte(200) {
		input := []byte{tick % 3}
		if tick == 123 {
			input[0] = 7
		}
		state = world.Must(rec.Step(state, input, Step))
	}
}

func main() {
	folder := filepath.Join(world.Must(os.MkdirTemp("", "game")), "blackbox")
	defer func() { _ = os.RemoveAll(filepath.Dir(folder)) }()
	func() {
		defer func() { fmt.Println("the game crashed:", recover()) }()
		play(folder)
	}()

	file := world.Must(record.Read(folder))
	crash := file.Notes[0]
	fmt.Printf("%s wrote: %s at frame %d\n", file.Head.Build, crash.What, crash.Frame)
	past := world.Must(file.Timeline(counts, Step, options))
	defer past.Close()
	for _, frame := range []int{0, 60, crash.Frame} {
		then := world.Must(past.At(frame))
		fmt.Println("frame", frame, "gold", world.View(then, Gold), "input",
			world.Must(past.Input(frame))[0])
	}
	defer func() { fmt.Println("its replay crashes, too:", recover() != nil) }()
	_ = file.Replay(counts, Step, options, nil)
}
