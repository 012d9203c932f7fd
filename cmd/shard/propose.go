package main

import (
	"context"
	"fmt"
	"io"

	"github.com/flatecs/flatecs/world/shard"
)

type proposeFlags struct {
	client
	Name      string    `default:"crowd" help:"Name of the simulation (Options.Name)."`
	X         []float32 `placeholder:"X,…" help:"New borders along x: one less than columns."`
	Y         []float32 `placeholder:"Y,…" help:"New borders along y: one less than rows."`
	Behaviour uint32    `help:"Behaviour of the build that continues; shards of this one stop."`
	After     uint64    `help:"Earliest tick after which it happens."`
}

// run proposes a plan, and prints its tick.
func (f *proposeFlags) run(ctx context.Context, out io.Writer) error {
	at, err := f.server()
	if err != nil {
		return err
	}
	nc, err := shard.Connect(at)
	if err != nil {
		return err
	}
	defer nc.Close()
	tick, err := shard.Propose(ctx, nc, f.Name, f.After, shard.Plan{
		X: f.X, Y: f.Y, Behaviour: f.Behaviour,
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "tick", tick)
	return err
}
