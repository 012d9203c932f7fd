package session

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/world/history"
)

// ErrWaiting is the error of a step that was not taken, because too many frames rest on predictions
// already. Call Advance again at the time of the next frame: the input was not used.
var ErrWaiting = errors.New("session: waiting for the inputs of another player")

// A DesyncError is the error of worlds that should be the same and are not.
type DesyncError struct {
	Frame   int       // the first whose worlds, before its step, differ
	Player  int       // whose world differs from the one here; -1: the one here, stepped twice
	Digests [2]uint64 // of the world here, and of the other

	// Difference is where they part, as far as it is known: of a sync test. Of two sessions in one
	// process, History has it.
	Difference *history.Difference
}

// Error tells the frame and the cure.
func (d *DesyncError) Error() string {
	switch {
	case d == nil:
		return "session: no desync"
	case d.Difference != nil:
		return fmt.Sprintf("session: a step taken again did something else: %v; see that it "+
			"depends on the world's bytes and the input alone", d.Difference)
	case d.Frame == 0:
		return fmt.Sprintf("session: desync: player %d began with another world, digest %016x, "+
			"here %016x; make both the same way", d.Player, d.Digests[1], d.Digests[0])
	}
	return fmt.Sprintf("session: desync before frame %d: player %d has digest %016x, here %016x; "+
		"see that both run the same program, and try it in a SyncTest",
		d.Frame, d.Player, d.Digests[1], d.Digests[0])
}
