package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/record/page"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/why"
)

// fileInspect is the command that opens the inspector for a save file, or for a recording of a
// scene.
type fileInspect struct {
	File       string  `arg:"" help:"A save file, or a recording."`
	Addr       address `help:"${serveaddr}" default:"127.0.0.1:8080"`
	AddrAnyone bool    `help:"${inspectanyone}"`
	Most       uint32  `help:"${most}" default:"1048576" placeholder:"N"`

	use func(ctx context.Context, url string) error // nil: serve until ctx ends
}

// Validate refuses addresses that other machines reach, unless a flag allows them.
func (c *fileInspect) Validate() error {
	return c.Addr.refuseOthers("--addr", "see all of that world", c.AddrAnyone)
}

// Run serves the inspector of a file until it is interrupted.
func (c *fileInspect) Run(ctx context.Context, s streams) error {
	err := c.save(ctx, s)
	info, _ := os.Stat(c.File)
	if errors.Is(err, save.ErrNotFlat) || info != nil && info.IsDir() {
		return c.recording(ctx, s)
	}
	return err
}

// save serves the inspector of the world in a save file, with any kinds.
func (c *fileInspect) save(ctx context.Context, s streams) error {
	return withFile(c.File, func(f *save.File) (err error) {
		state, err := loaded(f, s.err, "loading")
		if err != nil {
			return err
		}
		defer world.Close(state)
		orderly(ctx)
		i, err := inspectState(c.Addr, state, inspect.Options{
			Title: c.File, Clock: stage.Clock(time.Now),
		}, nil, s.err)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, i.stop()) }()
		if err := i.Publish(state); err != nil {
			return err
		}
		return c.wait(ctx, i)
	})
}

// wait uses an inspector, or waits until ctx ends.
func (c *fileInspect) wait(ctx context.Context, i *inspected) error {
	if c.use != nil {
		return c.use(ctx, i.url)
	}
	<-ctx.Done()
	return interrupted(ctx)
}

// recording serves the inspector of a recording, at any frame.
func (c *fileInspect) recording(ctx context.Context, s streams) error {
	from, play, err := openRecording(c.File, c.Most)
	if err != nil {
		return err
	}
	defer func() { play.Close(play.First) }()
	if from.Torn != nil {
		_, _ = fmt.Fprintf(s.err, "flatecs: %s\n", printable(from.Torn.Error()))
	}
	step := scene.Repeated(play)
	past, err := from.Timeline(world.CountsOf(play.First), step,
		record.Options{Build: version(), AnyBuild: true})
	if err != nil {
		return err
	}
	defer past.Close()
	orderly(ctx)
	shown := inspect.Options{
		Title: c.File, Clock: stage.Clock(time.Now), Schedule: play.Schedule,
		Pipeline: scene.Pipeline, Why: why.Past{Timeline: past, Jobs: play.Schedule}.Wrote,
		Hosts: c.Addr.names(), Remote: !c.Addr.isOwn(), Hunt: huntBeside(play),
	}
	serve := func(ctx context.Context, at *inspect.Inspector) error {
		i, err := c.Addr.inspector(at, shown, nil, s.err)
		if err != nil {
			return err
		}
		return cmp.Or(c.wait(ctx, i), i.stop())
	}
	return page.Show(ctx, past, step, shown, serve)
}
