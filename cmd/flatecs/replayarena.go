package main

import (
	"fmt"
	"io"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/schedule"
)

// replayArena replays a recording of serve arena, and compares the worlds. It reports whether the
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

// duelOf returns a scene for a recorded duel. Its first world is the recorded one, because package
// gym records matches from any tick on.
func duelOf(from *record.File) *scene.Scene {
	sc := arena.NewDuel().Scene()
	sc.Make = func(o scene.Options) (world.State, []schedule.Job, error) {
		none := func(s world.State, _ []byte) world.State { return s } // for the first world only
		past, err := from.Timeline(arena.Counts(2, o.Seed), none, record.Options{AnyBuild: true})
		if err != nil {
			return world.State{}, nil, err
		}
		defer past.Close()
		first, _ := from.Frames()
		then, err := past.At(first)
		if err != nil {
			return world.State{}, nil, err
		}
		s, err := world.Clone(then)
		return s, nil, err
	}
	return sc
}
