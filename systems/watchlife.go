package systems

// Count returns the number of objects that matched at w's last look, in constant time. For those
// that match now, use w.Query().Count(s).
func (w Watcher) Count(s State) int { return s.look().watcher(w).Count() }

// Once returns true on its first call for w in the life of a world, or since [Watcher.Forget], and
// false afterwards. That is recorded in the world's bytes, and is copied and restored with them. It
// panics in a task.
func (w Watcher) Once(s State) (State, bool) {
	first := s.use().alone(w).Once()
	return s.done(), first
}

// Forget resets w: its next look reports all matching objects as entered, [Watcher.Once] returns
// true again, and all listeners are removed. It panics in a loop over the results of w's last look,
// and in a task.
func (w Watcher) Forget(s State) State {
	x := s.use().alone(w)
	x.still()
	x.Forget()
	for _, l := range x.listeners {
		l.off = true // for a Notify that is running
	}
	x.listeners = nil
	return s.done()
}
