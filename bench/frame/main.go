package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/bench/frame/game"
	"github.com/flatecs/flatecs/bench/turns"
)

func main() { os.Exit(command.Main()) }

var command = turns.Command{
	Name:        "frame",
	Description: "Measures a frame of a game in several libraries.",
	Vars:        kong.Vars{"libraries": strings.Join(names(), ", ")},
	Measure:     func() any { return new(comparison) },
	Errands:     func() any { return new(errands) },
}

// errands are what this program starts itself for, and what a profiler looks at.
type errands struct {
	Work worker `cmd:"" help:"Play for one library, as the standard input says."`
	Once errand `cmd:"" help:"Play frames of one library, for a profiler."`
}

func names() (list []string) {
	for _, l := range game.Libraries() {
		list = append(list, l.Name)
	}
	return list
}

func named(name string) (game.Library, error) {
	for _, l := range game.Libraries() {
		if l.Name == name {
			return l, nil
		}
	}
	return game.Library{}, fmt.Errorf("no library %q; there are %s", name,
		strings.Join(names(), ", "))
}
