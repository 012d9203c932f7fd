package main

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/world"
)

// digests prints digests of the world: of every step, or of the last one.
type digests struct {
	run   *sceneRun
	every bool
}

func (d *digests) stepped(played uint64, state world.State) error {
	if !d.every {
		return nil
	}
	d.print(played, state)
	return d.run.lines.flushNowAndThen()
}

func (d *digests) ended(played uint64, state world.State, why error) error {
	if !d.every && (why == nil || errors.Is(why, errInterrupted)) {
		d.print(played, state)
	}
	return d.run.lines.Flush()
}

// print prints the digest of the world after a frame. A buffered out keeps write errors.
func (d *digests) print(frame uint64, state world.State) {
	if d.run.story != nil { // a story has a world of its own
		state = d.run.story.world.(*thirdAct).State
	}
	_, _ = fmt.Fprintf(d.run.lines, "digest frame=%d xxh3=%016x\n", frame, world.Digest(state))
}
