package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/bench/frame/game"
)

func main() { os.Exit(mainCode()) }

func mainCode() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
}

// streams are what a command reads and where it writes: its result, and everything else.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// errands are what this program starts itself for, and what a profiler looks at.
type errands struct {
	Work worker `cmd:"" help:"Play for one library, as the standard input says."`
	Once errand `cmd:"" help:"Play frames of one library, for a profiler."`
}

// run carries out the command line and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	var grammar any = new(comparison)
	if len(args) > 0 && (args[0] == "work" || args[0] == "once") {
		grammar = new(errands)
	}
	ended, code := false, 0 // kong ends by itself after --help
	parser, err := kong.New(grammar,
		kong.Name("frame"),
		kong.Description("Measures a frame of a game in several libraries."),
		kong.UsageOnError(),
		kong.Vars{"libraries": strings.Join(names(), ", ")},
		kong.Writers(s.out, s.err),
		kong.Exit(func(c int) {
			if !ended {
				ended, code = true, c
			}
		}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(s),
	)
	if err != nil {
		panic(err) // the commands themselves are wrong
	}
	parsed, err := parser.Parse(args)
	if ended {
		return code
	}
	if err != nil {
		parser.Stdout = s.err
		parser.FatalIfErrorf(err)
		return code
	}
	switch err := parsed.Run(); {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		_, _ = fmt.Fprintln(s.err, "frame: interrupted")
		return 130
	default:
		_, _ = fmt.Fprintf(s.err, "frame: %s\n", err)
		return 1
	}
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
