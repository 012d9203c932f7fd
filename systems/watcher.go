package systems

import (
	"iter"
	"slices"

	"github.com/flatecs/flatecs/systems/internal/dense"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// Look notes which objects have left w and which have entered it since w's last look:
// [Watcher.Left] and [Watcher.Entered] yield them until the next. At the first look all that match
// have entered.
//
// An object that matched neither then nor now has done neither, whatever happened in between. One
// that matched then and now has done neither, unless at some time in between it did not match: then
// it has done both. Where another object took over the index, one left and the other entered.
//
// It panics in a loop over what w's last look found, and in a task.
func (w Watcher) Look(s State) State {
	x := s.use().watcherOutside(w)
	x.checkUnread()
	x.Look()
	return s.done()
}

// Left yields the objects that w's last look found to have left, ascending. They may be disposed,
// and their indexes in use again. The world may be changed meanwhile; w may not look.
func (w Watcher) Left(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().eachOf(w, left, yield) }
}

// Entered yields the objects that w's last look found to have entered, ascending. What was changed
// since that look is not in it yet. The world may be changed meanwhile; w may not look.
func (w Watcher) Entered(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().eachOf(w, entered, yield) }
}

// Members yields the objects that matched at w's last look, ascending. Those that match now are
// w.Query().Objects(s). The world may be changed meanwhile; w may not look.
func (w Watcher) Members(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().eachOf(w, members, yield) }
}

// checkUnread panics while what the last look found is gone through.
func (w *watch) checkUnread() {
	if w.open.Load() != 0 {
		panic("systems: what this watcher's last look found is being gone through; " +
			"look again after the loop")
	}
}

type list uint8

const (
	left list = iota
	entered
	members
)

// eachOf yields a list of w. Tasks, which may not look, read without saying so.
func (j *job) eachOf(w Watcher, l list, yield func(GameObject) bool) {
	x := j.watcher(w)
	if j.part.whole == nil {
		x.open.Add(1)
		defer x.close()
	}
	switch l {
	case left:
		x.Left(yield)
	case entered:
		x.Entered(yield)
	case members:
		x.Members(yield)
	}
}

func (w *watch) close() { w.open.Add(-1) }

// watcher returns what w is in this world; it panics when the world has no such watcher.
func (j *job) watcher(w Watcher) *watch {
	if j.part.whole != nil {
		j = j.part.whole
	}
	if w.spec != nil && int(w.spec.number) < len(j.watchers) {
		if x := &j.watchers[w.spec.number]; x.Watcher != nil {
			return x
		}
	}
	panic("systems: this world has no such watcher; declare it by NewWatcher, " +
		"and add it to Counts.Watchers")
}

// watcherOutside is watcher for what tasks may not do.
func (j *job) watcherOutside(w Watcher) *watch {
	if j.part.whole != nil {
		panic("systems: a task may neither look nor listen; look before the tasks run, " +
			"and read in them what was found")
	}
	return j.watcher(w)
}

// addWatchers gives the watchers of a new world their rules.
func (j *job) addWatchers(declared []Watcher) error {
	for i, w := range declared {
		if w.spec == nil || w.spec.query.spec == nil {
			panic("systems: the zero Watcher or Query watches nothing; declare one by NewWatcher")
		}
		rules, err := query.RulesOf(j.Arena, w.spec.query.spec)
		if err != nil {
			return err
		}
		j.watchers = dense.Grow(j.watchers, w.spec.number)
		x := &j.watchers[w.spec.number]
		if x.Watcher != nil {
			panic("systems: a watcher is in Counts.Watchers twice; declare one for each system")
		}
		x.slot, x.rules = i, rules.Text(j.Arena)
		x.Watcher = j.Watch(i, rules.Key(), walk.MatchOf(&j.Table, w.spec.query.spec))
	}
	return nil
}

// copyWatchers is addWatchers for a copy of a world. Who listens there does not listen here.
func (j *job) copyWatchers(from []watch) {
	j.watchers = make([]watch, len(from))
	for n := range from {
		if w := &from[n]; w.Watcher != nil {
			x := &j.watchers[n]
			x.Watcher, x.slot, x.rules = &j.Watchers[w.slot], w.slot, w.rules
		}
	}
}

// Count returns how many objects matched at w's last look, without counting them. How many
// match now is w.Query().Count(s).
func (w Watcher) Count(s State) int { return s.look().watcher(w).Count() }

// Once reports true the first time that it is called for w in the life of a world, or since w was
// forgotten. That it was called is in the world's bytes: it is copied and restored with them. It
// panics in a task.
func (w Watcher) Once(s State) (State, bool) {
	first := s.use().watcherOutside(w).Once()
	return s.done(), first
}

// Forget makes w as it was in a new world: at its next look all that match have entered,
// [Watcher.Once] is true again, and nobody listens. It panics in a loop over what w's last look
// found, and in a task.
func (w Watcher) Forget(s State) State {
	x := s.use().watcherOutside(w)
	x.checkUnread()
	x.Forget()
	for _, l := range x.listeners {
		l.off = true // for a Notify under way
	}
	x.listeners = nil
	return s.done()
}

// A Listener stands for functions that [Watcher.Notify] calls for a watcher in one world. It
// belongs to the program, not to the world's bytes: copies of the world have none.
type Listener struct {
	watcher Watcher
	calls   *listener
}

// Listen has [Watcher.Notify] call leave for each object that left w, and enter for each that
// entered it. One of the two may be nil. They are called after those that listen already, from the
// next Notify on.
func (w Watcher) Listen(s State, enter, leave func(State, GameObject) State) Listener {
	x := s.look().watcherOutside(w)
	l := &listener{enter: enter, leave: leave}
	x.listeners = append(x.listeners, l)
	return Listener{w, l}
}

// Stop takes a listener off: its functions are called no more, also by a Notify under way. It
// reports whether l was listening in this world.
func (l Listener) Stop(s State) bool {
	x := s.look().watcherOutside(l.watcher)
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
				s = l.leave(s, id).returned()
			}
		}
	}
	for id := range w.Entered(s) {
		for _, l := range listeners {
			if l.enter != nil && !l.off {
				s = l.enter(s, id).returned()
			}
		}
	}
	return s
}
