//go:build ecsdebug

package systems

// turnOf returns the turn in which s was returned.
func (s State) turnOf() uint64 { return s.turn }

// changedSince reports whether the world was changed since a turn.
func (j *job) changedSince(turn uint64) bool { return j.turn != turn }
