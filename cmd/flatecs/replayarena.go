package main

import (
	"fmt"
	"io"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/world/record"
)

// replayArena plays what serve arena has recorded, and compares the worlds. It reports whether the
// recording is of an arena.
func (c *replay) replayArena(from *record.File, out io.Writer) (is bool, err error) {
	var players int
	var seed uint64
	if n, _ := fmt.Sscanf(from.Head.Program, "arena players=%d seed=%d", &players, &seed); n < 2 {
		return false, nil
	}
	switch {
	case players < 1 || players > arena.MaxPlayers:
		return true, fmt.Errorf("%s: an arena of %d players: %w; record one of 1 to %d", c.File,
			players, record.ErrDamaged, arena.MaxPlayers)
	case c.Inspect != "" || c.To != nil:
		return true, fmt.Errorf("%s: an arena: omit --to and --inspect", c.File)
	}
	o := record.Options{AnyBuild: true}
	if err := from.Replay(arena.Counts(players, seed), arena.Replay(), o, nil); err != nil {
		return true, err
	}
	first, next := from.Frames()
	_, err = fmt.Fprintf(out, "%d steps, and all digests are equal\n", next-first)
	for _, n := range from.Notes {
		if err == nil {
			_, err = fmt.Fprintf(out, "%s at frame %d: %s\n", n.What, n.Frame, n.Text)
		}
	}
	if err == nil {
		err = from.Torn
	}
	return true, err
}
