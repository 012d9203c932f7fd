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

// errands are what this program starts itself for.
type errands struct {
	Work worker `cmd:"" help:"Work for one contender, as the standard input says."`
	Once errand `cmd:"" help:"Do the work of one contender, for a profiler."`
}

// run carries out the command line and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	var grammar any = new(comparison)
	if len(args) > 0 && (args[0] == "work" || args[0] == "once") {
		grammar = new(errands)
	}
	ended, code := false, 0 // kong ends by itself after --help
	parser, err := kong.New(grammar,
		kong.Name("compare"),
		kong.Description("Measures flatecs against other ways to hold a world."),
		kong.UsageOnError(),
		kong.Vars{"peers": strings.Join(peers(), ", "), "kept": kept()},
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
		_, _ = fmt.Fprintf(s.err, "compare: interrupted: %s\n", err)
		return 130
	default:
		_, _ = fmt.Fprintf(s.err, "compare: %s\n", err)
		return 1
	}
}
