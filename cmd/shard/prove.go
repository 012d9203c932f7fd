package main

import (
	"context"
	"fmt"
	"io"
	"os"
)

// prove runs all again in one process, and writes whether it has the same digest.
func (f *runFlags) prove(ctx context.Context, sum uint64, out, log io.Writer) error {
	one := runFlags{simulation: f.simulation}
	one.Shards = 1
	fmt.Fprintln(log, "The same in one process:")
	b := newBoard(&one.simulation)
	r, err := one.alone(ctx, b, newDisplay(log, b.table, os.Getenv))
	if err != nil {
		return err
	}
	if r[0].sum != sum {
		fmt.Fprintln(out, "equal to one process: no")
		return fmt.Errorf("shard: one process has sum=%016x", r[0].sum)
	}
	_, err = fmt.Fprintln(out, "equal to one process: yes")
	return err
}
