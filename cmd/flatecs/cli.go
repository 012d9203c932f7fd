package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/cmd/scene/boids"
	"github.com/flatecs/flatecs/cmd/scene/cubes"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/scene/tanks"
)

// streams are the input, the output and the log of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

type commands struct {
	Version kong.VersionFlag `help:"Print the version and exit."`
	Run     struct {
		Heroes heroes       `cmd:"" help:"Play the heroes' scene."`
		Boids  countedScene `cmd:"" set:"usual=100000" help:"Play flocks of birds."`
		Tanks  countedScene `cmd:"" set:"usual=60" help:"Play a battle of tanks."`
		Cubes  countedScene `cmd:"" set:"usual=10000" help:"Play falling cubes."`
		Flappy flappyScene  `cmd:"" help:"Play flappy bird."`
	} `cmd:"" help:"Play an example scene."`
	New    newGame   `cmd:"" help:"Create a game: a module that runs."`
	Dev    dev       `cmd:"" help:"Run a program; new versions continue its world."`
	Serve  serve     `cmd:"" help:"Serve a page that runs scenes in a browser."`
	Export export    `cmd:"" help:"Write the page of serve as files for any web server."`
	Replay replay    `cmd:"" help:"Replay a recording; fail if the world differs."`
	Why    whyWrote  `cmd:"" help:"Report which job wrote a value in a recording, and when."`
	Hunt   huntScene `cmd:"" help:"Search a scene for inputs that break it."`
	Fork   forkScene `cmd:"" help:"Draw two futures of a scene, as a GIF."`
	Watch  watchFile `cmd:"" help:"Watch the world that a program publishes."`
	Lab    labSweep  `cmd:"" help:"Run a model over parameters and seeds; write a table."`

	Files fileCommands `embed:""`
}

// fileCommands are the commands that read a world without playing it.
type fileCommands struct {
	Inspect fileInspect `cmd:"" help:"Inspect a save file, or a recording."`
	MCP     askWorld    `cmd:"" name:"mcp" help:"Let an assistant query a world, by MCP."`
	Verify  fileVerify  `cmd:"" help:"Verify a save file; fail if it is damaged."`
	Diff    fileDiff    `cmd:"" help:"Report the differences of two save files; fail if any."`
}

func newCommands() *commands {
	var c commands
	c.Run.Boids.scene, c.Run.Tanks.scene, c.Run.Cubes.scene = boids.Scene, tanks.Scene, cubes.Scene
	return &c
}

// about is the description in the program's help.
const about = "Example scenes of flatecs, an entity component system for Go whose world is one " +
	"[]byte: play them in the terminal or a browser, draw, record, save and compare them. " +
	"Without a command it shows a menu. The name of a scene runs it: flatecs heroes."

// run carries out the command line and returns the exit code.
func run(ctx context.Context, args []string, s streams) int {
	if len(args) == 0 {
		return menu(ctx, s)
	}
	if args[0] == "help" { // as go help
		args = append(append([]string{}, args[1:]...), "--help")
	}
	if _, err := gallery.ByName(args[0]); err == nil { // a scene's name alone runs the scene
		args = append([]string{"run"}, args...)
	}
	ended, code := false, 0 // kong ends by itself after --help and --version
	parser, err := newParser(ctx, s, kong.Exit(func(c int) {
		if !ended {
			ended, code = true, c
		}
	}))
	if err != nil {
		panic(err) // the grammar of the commands is invalid
	}
	parsed, err := parser.Parse(args)
	if ended || isClosedPipe(err) { // the pipe was closed while help was printed
		return code
	}
	if err != nil {
		return wrongLine(err, s.err)
	}
	return exitCode(parsed.Run(), s.err)
}

// newParser returns a parser for command lines.
func newParser(ctx context.Context, s streams, more ...kong.Option) (*kong.Kong, error) {
	return kong.New(newCommands(), append([]kong.Option{
		kong.Name("flatecs"),
		kong.Description(about), kong.Help(helpWithExamples),
		kong.Vars{"version": version()},
		help,
		kong.Writers(s.out, s.err),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(s),
	}, more...)...)
}

// helpWithExamples prints help, followed by examples; the program's help has one example per
// command.
func helpWithExamples(options kong.HelpOptions, ctx *kong.Context) error {
	if at := ctx.Selected(); at != nil {
		at.Detail = examples(at)
	} else {
		ctx.Model.Detail = examples(ctx.Model.Leaves(true)...)
	}
	return kong.DefaultHelpPrinter(options, ctx)
}

// exitCode returns the exit code for err, and prints err in one line if the user has to see it.
func exitCode(err error, stderr io.Writer) int {
	switch {
	case err == nil, isClosedPipe(err), errors.Is(err, errHandedOver):
		return 0
	case errors.Is(err, errInterrupted):
		why, _ := errors.AsType[interruption](err)
		return why.code()
	}
	if code, ok := errors.AsType[exited](err); ok {
		return int(code)
	}
	_, _ = fmt.Fprintf(stderr, "flatecs: %s\n", printable(message(err)))
	return 1
}
