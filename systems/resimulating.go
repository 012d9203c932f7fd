package systems

// Resimulating reports whether the step under way was taken before and is taken again, with what is
// known by now, as [SetResimulating] says. Effects that cannot be taken back, such as sound and
// particles, are to be left out then. It must not decide anything about the world itself. A task
// sees what its world does.
func Resimulating(s State) bool { return s.look().root().again }

// SetResimulating says whether the steps to come were taken before. It lies beside the world's
// bytes: copies of the world are not resimulating, and no snapshot, digest or file knows of it.
// Package world's History calls it. It panics in a task.
func SetResimulating(s State, on bool) State {
	j := s.use()
	j.outside("whether the world resimulates is set in a task; set it outside")
	j.again = on
	return s.done()
}
