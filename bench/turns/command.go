package turns

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/pprof"

	"github.com/alecthomas/kong"
)

// Streams are what a command reads and where it writes: its result, and everything else.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// A Command measures. It starts itself as the process of a contender, by the argument work, and
// lets a profiler look at one, by the argument once.
type Command struct {
	Name, Description string

	Vars    kong.Vars
	Measure func() any // makes the grammar of the command
	Errands func() any // makes that of work and once
}

// Main carries out the program's command line and returns the exit code.
func (c *Command) Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.Run(ctx, os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr})
}

// IsErrand reports whether a command line is one by which the program starts itself.
func IsErrand(args []string) bool {
	return len(args) > 0 && (args[0] == "work" || args[0] == "once")
}

// Run carries out a command line and returns the exit code. Run methods of the grammars get a
// context and [Streams].
func (c *Command) Run(ctx context.Context, args []string, s Streams) int {
	grammar := c.Measure
	if IsErrand(args) {
		grammar = c.Errands
	}
	ended, code := false, 0 // kong ends by itself after --help
	parser, err := kong.New(grammar(), c.Vars,
		kong.Name(c.Name),
		kong.Description(c.Description),
		kong.UsageOnError(),
		kong.Writers(s.Out, s.Err),
		kong.Exit(func(with int) {
			if !ended {
				ended, code = true, with
			}
		}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(s),
	)
	if err != nil {
		panic(err) // the grammar itself is wrong
	}
	parsed, err := parser.Parse(args)
	if ended {
		return code
	}
	if err != nil {
		parser.Stdout = s.Err
		parser.FatalIfErrorf(err)
		return code
	}
	switch err := parsed.Run(); {
	case err == nil:
		return 0
	case err == context.Canceled: //nolint:errorlint // nothing more is to be said
		_, _ = fmt.Fprintf(s.Err, "%s: interrupted\n", c.Name)
		return 130
	case errors.Is(err, context.Canceled):
		_, _ = fmt.Fprintf(s.Err, "%s: interrupted: %s\n", c.Name, err)
		return 130
	default:
		_, _ = fmt.Fprintf(s.Err, "%s: %s\n", c.Name, err)
		return 1
	}
}

// Profile profiles the processor's work into a file, if one is named, until stop is called.
func Profile(file string) (stop func(), err error) {
	if file == "" {
		return func() {}, nil
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() {
		pprof.StopCPUProfile()
		_ = f.Close()
	}, nil
}
