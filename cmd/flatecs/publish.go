package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/share"
)

// publishIn publishes the world of a run for other programs.
func publishIn(path string, r *sceneRun, stderr io.Writer) error {
	p, err := share.Publish(path, r.state, share.Options{})
	if err != nil {
		return fmt.Errorf("--publish: %w", err)
	}
	stepped := func(_ uint64, s world.State) error {
		if err := p.Offer(s); !errors.Is(err, share.ErrPinned) {
			return err
		}
		return nil // the next step tries again
	}
	ended := func(uint64, world.State, error) error {
		if _, skipped := p.Counts(); skipped > 0 {
			_, _ = fmt.Fprintf(stderr, "flatecs: %s: %d steps were not published: readers held "+
				"every slot\n", printable(path), skipped)
		}
		return p.Close()
	}
	r.watchers = append(r.watchers, watcher{stepped, ended})
	return p.Offer(r.state)
}
