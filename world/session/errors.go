package session

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/world/history"
)

// ErrWaiting is the error of a step that was not taken because too many frames rest on predictions.
// Call Advance again in the next frame; the input was not used.
var ErrWaiting = errors.New("session: waiting for the inputs of another player")

// ErrDropped is the error of a player that more than half of the others dropped, after all
// remaining players agreed: they continue without it. To come back, begin a new session with them,
// from one of their worlds.
var ErrDropped = errors.New("session: the other players dropped this one; begin a new session")

// A DesyncError reports that worlds which should be equal differ.
type DesyncError struct {
	Frame   int       // the first frame before which the worlds differ
	Player  int       // player whose world differs from the local one; -1: a repeated step differs
	Digests [2]uint64 // of the local world, and of the other

	// Difference is the first difference, if it is known: it is in a sync test. For two sessions in
	// one process, compare their History.
	Difference *history.Difference
}

// Error returns a message with the frame and the fix.
func (d *DesyncError) Error() string {
	switch {
	case d == nil:
		return "session: no desync"
	case d.Difference != nil:
		return fmt.Sprintf("session: a repeated step had another result: %v; see that it "+
			"depends on the world's bytes and the input alone", d.Difference)
	case d.Frame == 0:
		return fmt.Sprintf("session: desync: player %d began with another world, digest %016x, "+
			"here %016x; make both the same way", d.Player, d.Digests[1], d.Digests[0])
	}
	return fmt.Sprintf("session: desync before frame %d: player %d has digest %016x, here %016x; "+
		"see that both run the same program, and try it in a SyncTest",
		d.Frame, d.Player, d.Digests[1], d.Digests[0])
}
