package systems

// Resimulating reports whether the step under way was taken before and is taken again, with what is
// known by now, as package systems/tool says. Effects that cannot be taken back, such as sound and
// particles, are to be left out then. It must not decide anything about the world itself. A task
// sees what its world does.
func Resimulating(s State) bool { return s.look().root().again }
