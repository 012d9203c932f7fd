package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// streams are where a command writes: its result, and everything else.
type streams struct{ out, err io.Writer }

type commands struct {
	Version kong.VersionFlag `help:"Print the version and end."`
	Run     struct {
		Heroes heroes      `cmd:"" help:"Play the heroes' scene."`
		Cubes  cubesScene  `cmd:"" help:"Let cubes fall."`
		Flappy flappyScene `cmd:"" help:"Play flappy bird."`
	} `cmd:"" help:"Play an example scene."`
	Serve       serve       `cmd:"" help:"Let scenes run in a browser: serve a page."`
	Replay      replay      `cmd:"" help:"Play a recording again; fail where the world differs."`
	InspectFile fileInspect `cmd:"" name:"inspect" help:"Tell what is in a save file."`
	Verify      fileVerify  `cmd:"" help:"Check all of a save file; fail where it is damaged."`
	Diff        fileDiff    `cmd:"" help:"Tell where two save files differ, and fail then."`
}

// run carries out the command line and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	var c commands
	ended, code := false, 0 // kong ends by itself after --help and --version
	parser, err := kong.New(&c,
		kong.Name("flatecs"),
		kong.Description("Examples of flatecs, an entity component system whose world is bytes."),
		kong.UsageOnError(),
		kong.Vars{"version": version()}, help,
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
	if ended || isClosedPipe(err) { // the latter while printing help
		return code
	}
	if err != nil {
		parser.Stdout = s.err
		parser.FatalIfErrorf(err)
		return code
	}
	return exitCode(parsed.Run(), s.err)
}

// exitCode reports err, if it is to be reported, in one line.
func exitCode(err error, stderr io.Writer) int {
	switch {
	case err == nil, isClosedPipe(err):
		return 0
	case errors.Is(err, errInterrupted):
		why, _ := errors.AsType[interruption](err)
		return why.code()
	}
	_, _ = fmt.Fprintf(stderr, "flatecs: %s\n", printable(message(err)))
	return 1
}
