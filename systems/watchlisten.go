package systems

import "slices"

// A Listener stands for functions that [Watcher.Notify] calls for a watcher in one world. It
// belongs to the program, not to the world's bytes: copies of the world have none.
type Listener struct {
	watcher Watcher
	calls   *listener
}

type listener struct {
	enter, leave func(State, GameObject) State
	off          bool
}

// Listen has [Watcher.Notify] call leave for each object that left w, and enter for each that
// entered it. One of the two may be nil. They are called after those that listen already, from the
// next Notify on.
func (w Watcher) Listen(s State, enter, leave func(State, GameObject) State) Listener {
	x := s.look().alone(w)
	l := &listener{enter: enter, leave: leave}
	x.listeners = append(x.listeners, l)
	return Listener{w, l}
}

// Stop takes a listener off: its functions are called no more, also by a Notify under way. It
// reports whether l was listening in this world.
func (l Listener) Stop(s State) bool {
	x := s.look().alone(l.watcher)
	i := slices.Index(x.listeners, l.calls)
	if i < 0 {
		return false
	}
	l.calls.off = true
	others := slices.Clone(x.listeners) // a Notify under way goes through the old ones
	x.listeners = slices.Delete(others, i, i+1)
	return true
}

// Notify is [Watcher.Look], and then a call of every listener for each object that left, and after
// those for each that entered, ascending. Listeners may change the world as any system does: the
// next Notify finds what they change, and an object that they hear of may be disposed already. They
// may not have w look.
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
