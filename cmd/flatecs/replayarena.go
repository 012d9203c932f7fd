package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

// replayArena plays what serve arena or a duel has recorded, and compares the worlds. It reports
// whether the recording is of an arena.
func (c *replay) replayArena(from *record.File, out io.Writer) (is bool, err error) {
	var players int
	var seed uint64
	step := arena.Replay()
	if n, _ := fmt.Sscanf(from.Head.Program, "arena players=%d seed=%d", &players, &seed); n < 2 {
		var of recordedScene
		_ = json.Unmarshal([]byte(from.Head.Program), &of) // what else it may say names no duel
		switch {
		case of.Scene != arena.DuelName:
			return false, nil
		case from.Head.InputBytes != 1:
			return true, fmt.Errorf("%s: a duel with inputs of %d bytes, not 1: %w", c.File,
				from.Head.InputBytes, record.ErrDamaged)
		case of.Behaviour != arena.DuelBehaviour:
			return true, fmt.Errorf("%s: a duel: %w: version %d, not %d; replay with the "+
				"recording program: %s", c.File, errBehaviour, arena.DuelBehaviour, of.Behaviour,
				from.Head.Build)
		}
		players, seed, step = 2, of.Seed, duelStep()
	}
	switch {
	case players < 1 || players > arena.MaxPlayers:
		return true, fmt.Errorf("%s: an arena of %d players: %w; record one of 1 to %d", c.File,
			players, record.ErrDamaged, arena.MaxPlayers)
	case c.Inspect != "" || c.To != nil:
		return true, fmt.Errorf("%s: an arena: omit --to and --inspect", c.File)
	}
	o := record.Options{AnyBuild: true}
	if err := from.Replay(arena.Counts(players, seed), step, o, nil); err != nil {
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

// duelStep returns the step of duels.
func duelStep() record.Step {
	duel := arena.NewDuel()
	return func(s world.State, input []byte) world.State { return duel.Step(s, input[0]) }
}
