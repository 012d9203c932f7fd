package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// digests is a watcher that prints digests of the world, of every step or of the last one.
type digests struct {
	out   lineWriter
	every bool
}

func newDigests(out io.Writer, every bool) *digests {
	return &digests{newLineWriter(out), every}
}

func (d *digests) stepped(
	played uint64, _ scene.Input, state world.State,
) (world.State, error) {
	if !d.every {
		return state, nil
	}
	printDigest(d.out, played, state)
	return state, d.out.flushNowAndThen()
}

func (d *digests) ended(played uint64, state world.State, why error) error {
	if !d.every && (why == nil || errors.Is(why, errInterrupted)) {
		printDigest(d.out, played, state)
	}
	return d.out.Flush()
}

// printDigest prints the digest of the world after a frame. A failed write is kept by a buffered
// out.
func printDigest(out io.Writer, frame uint64, state world.State) {
	_, _ = fmt.Fprintf(out, "digest frame=%d xxh3=%016x\n", frame, world.Digest(state))
}
