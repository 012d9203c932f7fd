package systems

// Count returns how many objects matched at w's last look, without counting them. How many
// match now is w.Query().Count(s).
func (w Watcher) Count(s State) int { return s.look().watcher(w).Count() }

// Once reports true the first time that it is called for w in the life of a world, or since w was
// forgotten. That it was called is in the world's bytes: it is copied and restored with them. It
// panics in a task.
func (w Watcher) Once(s State) (State, bool) {
	first := s.use().alone(w).Once()
	return s.done(), first
}

// Forget makes w as it was in a new world: at its next look all that match have entered,
// [Watcher.Once] is true again, and nobody listens. It panics in a loop over what w's last look
// found, and in a task.
func (w Watcher) Forget(s State) State {
	x := s.use().alone(w)
	x.still()
	x.Forget()
	for _, l := range x.listeners {
		l.off = true // for a Notify under way
	}
	x.listeners = nil
	return s.done()
}
