// Command heroes lets 100,000 heroes swarm in the terminal: the scene cmd/scene/heroes, and little
// else, so that it compiles soon. Command flatecs plays the other scenes, and does more with them.
//
//	go run ./cmd/heroes
//	go run ./cmd/heroes -count 1000000
//
// Keys rewind and fork the world; a line below the picture lists them. Where stdout is no terminal,
// the command writes one picture, in letters.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	xterm "golang.org/x/term"

	"github.com/flatecs/flatecs/cmd/render/term"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/console"
	swarm "github.com/flatecs/flatecs/cmd/scene/heroes"
	"github.com/flatecs/flatecs/world"
)

const still = 240 // steps before the single picture, without a terminal

func main() {
	o := swarm.Scene.Defaults
	flag.IntVar(&o.Count, "count", o.Count, "heroes in the swarm")
	flag.IntVar(&o.Supers, "supers", o.Supers, "super heroes above it")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "Heroes swarm in the terminal. Hold ← to run time "+
			"backwards; press f for two futures, side by side.\n\n"+
			"Usage: go run ./cmd/heroes [flags]\n\n")
		flag.PrintDefaults()
	}
	if flag.Parse(); flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	switch err := play(o); {
	case errors.Is(err, errInterrupted):
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "heroes:", err)
		os.Exit(1)
	}
}

var errInterrupted = errors.New("interrupted")

// play opens the scene, and draws it until the user ends it.
func play(o scene.Options) error {
	p, err := swarm.Scene.Open(o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	options := term.Options{
		Out: os.Stdout, Depth: term.DepthOf(os.Getenv), Footer: console.Footer(swarm.Scene),
		Signal: func(os.Signal) { cancel(errInterrupted) },
	}
	if xterm.IsTerminal(int(os.Stdin.Fd())) {
		options.In = os.Stdin
	}
	canvas := term.New(swarm.Scene.Look(), options)
	s := show{Play: p, state: p.First, console: console.New(p.Scene, canvas), text: os.Stderr}
	defer func() { p.Close(s.state) }()
	canvas.Init()
	if options.Depth == term.Text || !xterm.IsTerminal(int(os.Stdout.Fd())) {
		s.text = os.Stdout
		err = s.still()
	} else {
		err = s.run(ctx)
	}
	err = errors.Join(err, canvas.Close())
	if err == nil {
		_, err = fmt.Fprintln(s.text, s.seen())
	}
	return err
}

// A show is the scene in the terminal.
type show struct {
	*scene.Play
	state   world.State
	console *console.Console
	text    io.Writer // receives the final text
}

// seen describes what was shown, and what to run next.
func (s *show) seen() string {
	text := console.Seen(s.state)
	if back, forks := s.console.Times.Rewound(); back+forks > 0 {
		text += fmt.Sprintf("; steps back in time: %d, forks: %d", back, forks)
	}
	return text + ". All scenes: go run ./cmd/flatecs. A game of your own: docs/START.md"
}

// still plays some steps, and draws once.
func (s *show) still() error {
	for range still {
		s.state = s.Step(s.state, 0)
	}
	return s.draw()
}

// run plays until the user ends it.
func (s *show) run(ctx context.Context) error {
	s.console.Times.Remember(s.Play, s.state)
	defer s.console.Times.Close()
	for {
		input, err := s.console.Wait(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, console.ErrPaused):
			continue
		case err != nil:
			return err
		}
		s.state = s.console.Times.Step(s.state, input)
		if s.console.Late() {
			continue
		}
		if err := s.draw(); err != nil {
			return err
		}
	}
}

// draw draws a frame.
func (s *show) draw() (err error) {
	s.state, _, err = s.console.Times.Draw(s.state)
	return err
}
