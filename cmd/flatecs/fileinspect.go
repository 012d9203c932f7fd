package main

import (
	"context"
	"errors"
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/stage"
)

// fileInspect is the command that opens the inspector on a save file.
type fileInspect struct {
	File       string  `arg:"" help:"${flatfile}"`
	Addr       address `help:"${serveaddr}" default:"127.0.0.1:8080"`
	AddrAnyone bool    `help:"${inspectanyone}"`
}

// Validate refuses addresses that others reach, unless that was asked for.
func (c *fileInspect) Validate() error {
	return c.Addr.refuseOthers("--addr", "see all of that world", c.AddrAnyone)
}

// Run serves the inspector of the world in the file, whatever its kinds, until it is interrupted.
func (c *fileInspect) Run(ctx context.Context, s streams) error {
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
		<-ctx.Done()
		return interrupted(ctx)
	})
}
