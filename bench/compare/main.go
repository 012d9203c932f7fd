package main

import (
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/bench/turns"
)

func main() { os.Exit(command.Main()) }

var command = turns.Command{
	Name:        "compare",
	Description: "Measures flatecs against other ways to hold a world.",
	Vars:        kong.Vars{"peers": strings.Join(peers(), ", "), "kept": kept()},
	Measure:     func() any { return new(comparison) },
	Errands:     func() any { return new(errands) },
}

// errands are what this program starts itself for.
type errands struct {
	Work worker `cmd:"" help:"Work for one contender, as the standard input says."`
	Once errand `cmd:"" help:"Do the work of one contender, for a profiler."`
}
