package systems

// Resimulating reports whether the current step repeats an earlier one with corrected inputs; see
// package systems/tool. Leave out effects that cannot be undone, such as sounds and particles, but
// do not let it affect the world itself. A task sees the value of its world.
func Resimulating(s State) bool { return s.look().root().again }
