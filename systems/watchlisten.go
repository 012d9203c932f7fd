package systems

import "slices"

// A Listener is a pair of functions that [Watcher.Notify] calls for a watcher in one world. It
// belongs to the program, not to the world's bytes: re-register listeners on a copy.
type Listener struct {
	watcher Watcher
	calls   *listener
}

type listener struct {
	enter, leave func(State, GameObject) State
	off          bool
}

// Listen registers functions: from the next [Watcher.Notify] on, leave is called for each object
// that left w, and enter for each that entered it, after the functions registered before. One of
// the two may be nil.
func (w Watcher) Listen(s State, enter, leave func(State, GameObject) State) Listener {
	x := s.look().alone(w)
	l := &listener{enter: enter, leave: leave}
	x.listeners = append(x.listeners, l)
	return Listener{w, l}
}

// Stop removes a listener: its functions are not called any more, even by a running Notify. It
// reports whether l was registered in this world.
func (l Listener) Stop(s State) bool {
	x := s.look().alone(l.watcher)
	i := slices.Index(x.listeners, l.calls)
	if i < 0 {
		return false
	}
	l.calls.off = true
	others := slices.Clone(x.listeners) // a running Notify iterates over the old slice
	x.listeners = slices.Delete(others, i, i+1)
	return true
}

// Notify calls [Watcher.Look], then every listener for each object that left, and then for each
// that entered, ascending. Listeners may change the world like any system: the next Notify reports
// those changes, and a reported object may already be disposed. They must not call w's Look.
func (w Watcher) Notify(s State) State {
	s = w.Look(s)
	listeners := s.look().watcher(w).listeners
	if len(listeners) == 0 {
		return s
	}
	for id := range w.Left(s) {
		for _, l := range listeners {
			if l.leave != nil && !l.off {
				s = l.leave(s, id).kept()
			}
		}
	}
	for id := range w.Entered(s) {
		for _, l := range listeners {
			if l.enter != nil && !l.off {
				s = l.enter(s, id).kept()
			}
		}
	}
	return s
}
