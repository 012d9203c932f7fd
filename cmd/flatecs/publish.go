package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/share"
)

// A publishing is a watcher that shows the world to other programs.
type publishing struct {
	*share.Publisher
	path string
	err  io.Writer
}

// publishIn adds one to a run.
func publishIn(path string, r *sceneRun, stderr io.Writer) error {
	p, err := share.Publish(path, r.state, share.Options{})
	if err != nil {
		return fmt.Errorf("--publish: %w", err)
	}
	r.watchers = append(r.watchers, &publishing{p, path, stderr})
	return p.Offer(r.state)
}

func (p *publishing) stepped(_ uint64, _ scene.Input, s world.State) (world.State, error) {
	if err := p.Offer(s); !errors.Is(err, share.ErrPinned) {
		return s, err
	}
	return s, nil // the next step may find a slot
}

func (p *publishing) ended(uint64, world.State, error) error {
	if _, skipped := p.Counts(); skipped > 0 {
		_, _ = fmt.Fprintf(p.err, "flatecs: %s: %d steps were not published: readers held "+
			"every slot\n", printable(p.path), skipped)
	}
	return p.Close()
}
