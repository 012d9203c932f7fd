package main

import (
	"fmt"
	"io"
	"time"

	"github.com/flatecs/flatecs/cmd/shard/model"
)

type modelFlags struct {
	Shards   []int         `default:"4,10,100,1000" help:"Numbers of shards."`
	Ticks    int           `default:"100" help:"Ticks to compute."`
	Step     time.Duration `default:"10ms" help:"Mean time of a shard's step."`
	Spread   float64       `default:"0.2" help:"Steps take from 1-SPREAD to 1+SPREAD of STEP."`
	Hot      float64       `default:"1" help:"Factor of the first shard's steps."`
	Store    time.Duration `default:"250us" help:"Time for a stream to store a message."`
	Transfer time.Duration `default:"200us" help:"Round trip of a message over the network."`
	Streams  int           `default:"1" help:"Streams that share the messages."`
	Bytes    int           `default:"2500" help:"Bytes of a message."`
	Seed     uint64        `default:"1" help:"Seed of the steps."`
}

// run writes a table for several numbers of shards, in strips and in grids.
func (f *modelFlags) run(out io.Writer) error {
	if _, err := fmt.Fprintf(out, "%6s  %-9s %13s %10s %10s %9s %8s %6s\n", "shards", "regions",
		"messages/tick", "MB/tick", "ms/tick", "ticks/s", "stream", "ahead"); err != nil {
		return err
	}
	for _, n := range f.Shards {
		if n < 1 {
			return fmt.Errorf("shard: %d shards; give 1 or more", n)
		}
		for _, rows := range []int{1, rowsOf(n)} {
			r := model.Run(model.Options{
				Columns: n / rows, Rows: rows, Ticks: f.Ticks, Streams: f.Streams, Step: f.Step,
				Spread: f.Spread, Hot: f.Hot, Store: f.Store, Transfer: f.Transfer, Seed: f.Seed,
			})
			_, err := fmt.Fprintf(out, "%6d  %-9s %13d %10.2f %10.2f %9.1f %7.0f%% %6d\n", n,
				fmt.Sprint(n/rows, "×", rows), r.Messages, float64(r.Messages*f.Bytes)/1e6,
				float64(r.Tick)/1e6, r.PerSecond, 100*r.Busy, r.Ahead)
			if err != nil {
				return err
			}
			if rowsOf(n) == 1 {
				break // the grid equals the strips
			}
		}
	}
	return nil
}

// rowsOf returns the number of rows of the most square grid of n regions.
func rowsOf(n int) (rows int) {
	for r := 1; r*r <= n; r++ {
		if n%r == 0 {
			rows = r
		}
	}
	return rows
}
