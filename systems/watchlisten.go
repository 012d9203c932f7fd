package systems

import "slices"

// A Listener stands for functions that [Notify] calls for a watcher in one world. It belongs to the
// program, not to the world's bytes: copies of the world have none.
type Listener struct {
	watcher Watcher
	calls   *listener
}

type listener struct {
	enter, leave func(State, GameObject) State
	off          bool
}

// Listen has [Notify] call leave for each object that left w, and enter for each that entered it.
// One of the two may be nil. They are called after those that listen already, from the next Notify
// on.
func Listen(s State, w Watcher, enter, leave func(State, GameObject) State) Listener {
	x := s.look().alone(w)
	l := &listener{enter: enter, leave: leave}
	x.listeners = append(x.listeners, l)
	return Listener{w, l}
}

// Unlisten takes a listener off: its functions are called no more, also by a Notify under way. It
// reports whether l was listening in this world.
func Unlisten(s State, l Listener) bool {
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

// Notify is [Look], and then a call of every listener for each object that left, and after those
// for each that entered, ascending. Listeners may change the world as any system does: the next
// Notify finds what they change, and an object that they hear of may be disposed already. They may
// not have w look.
func Notify(s State, w Watcher) State {
	s = Look(s, w)
	listeners := s.look().watcher(w).listeners
	if len(listeners) == 0 {
		return s
	}
	for id := range Left(s, w) {
		for _, l := range listeners {
			if l.leave != nil && !l.off {
				s = l.leave(s, id).kept()
			}
		}
	}
	for id := range Entered(s, w) {
		for _, l := range listeners {
			if l.enter != nil && !l.off {
				s = l.enter(s, id).kept()
			}
		}
	}
	return s
}
