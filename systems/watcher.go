package systems

import (
	"iter"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// Look finds the objects that left and entered since w's last look: [Watcher.Left] and
// [Watcher.Entered] yield them until the next look. The first look reports all matching objects as
// entered.
//
// An object that matched neither at the last look nor now is in neither list. An object that
// matched both times is in neither list, unless it stopped matching in between: then it is in both.
// If another object took over an index, the old one left and the new one entered.
//
// It panics in a loop over the results of w's last look, and in a task.
func (w Watcher) Look(s State) State {
	x := s.use().watcherOutside(w)
	x.mustBeUnread()
	x.Look()
	return s.done()
}

// Left yields the objects that w's last look reported as left, ascending. They may be disposed, and
// their indexes reused. The loop may change the world, but must not call w's Look.
func (w Watcher) Left(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) {
		x, open := s.look().opened(w)
		defer open.Add(-1)
		x.Left(yield)
	}
}

// Entered yields the objects that w's last look reported as entered, ascending. It does not include
// later changes. The loop may change the world, but must not call w's Look.
func (w Watcher) Entered(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) {
		x, open := s.look().opened(w)
		defer open.Add(-1)
		x.Entered(yield)
	}
}

// Members yields the objects that matched at w's last look, ascending. For objects that match now,
// use w.Query().Objects(s). The world may be changed during the loop, but w may not look.
func (w Watcher) Members(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) {
		x, open := s.look().opened(w)
		defer open.Add(-1)
		x.Members(yield)
	}
}

// mustBeUnread panics during a loop over the results of the last look.
func (x *watch) mustBeUnread() {
	if x.open.Load() != 0 {
		panic("flatecs: this watcher cannot look in a loop over its results; " +
			"look again after the loop")
	}
}

// watches are the watchers of a world, by number.
type watches []watch

// A watch is a watcher in one world.
type watch struct {
	*manager.Watcher
	slot      int    // among Counts.Watchers
	called    string // its name, and its rules by the names of kinds
	listeners []*listener
	open      *atomic.Int32 // loops over the results of the last look, also by several goroutines
}

type listener struct {
	enter, leave func(State, GameObject) State
	off          bool
}

// opened counts an open loop over what w found, and returns the count.
func (j *job) opened(w Watcher) (x *watch, open *atomic.Int32) {
	x = j.watcher(w)
	x.open.Add(1)
	return x, x.open // a new counter, if the loop continues after Recovered
}

// watcher returns w in this world. It panics if the world does not have the watcher.
func (j *job) watcher(w Watcher) *watch { return j.root().watchers.of(w) }

func (all watches) of(w Watcher) *watch {
	if w.spec != nil && int(w.spec.number) < len(all) {
		if x := &all[w.spec.number]; x.Watcher != nil {
			return x
		}
	}
	name := "that was given"
	if w.Query(); statesChecked { // saves code in a release
		name = strings.TrimPrefix(w.text(), ": ")
	}
	panic("flatecs: this world has no watcher " + name + "; name it in Counts.Watchers")
}

// watcherOutside is watcher for calls that tasks may not make.
func (j *job) watcherOutside(w Watcher) *watch {
	if j.part.whole != nil {
		panic("flatecs: a task may neither look nor listen; look before the tasks run, " +
			"and read the results in them")
	}
	return j.watcher(w)
}

// add sets the rules of the watchers of a new world.
func (all *watches) add(w *world, list []Watcher) error {
	kinds := numbering(w.arena.Sizes().Kinds)
	keeps := w.fixtures.counts.keeps(kinds)
	for i, declared := range list {
		spec := declared.spec
		if name := spec.name; i > 0 && name != "" && name == list[i-1].spec.name && !spec.foreign {
			panic("flatecs: two of Counts.Watchers are called " + layout.Quoted(name) +
				"; give each a name of its own")
		}
		for _, mode := range []query.Mode{query.HasTarget, query.NoTarget} {
			if spec.query.spec.Asks(mode) {
				panic("flatecs: a watcher cannot watch " + mode.String() + "; watch With of the " +
					"relation, or walk the query")
			}
		}
		rules, err := query.RulesOf(w.arena, spec.query.spec)
		if err != nil {
			return err
		}
		*all = kind.Grow(*all, spec.number)
		x := &(*all)[spec.number]
		if x.Watcher != nil {
			panic("flatecs: a watcher is in Counts.Watchers twice; declare one for each system")
		}
		x.slot, x.open = i, new(atomic.Int32)
		x.called, _ = declared.called(kinds)
		key := rules.Key()
		if spec.foreign {
			key = manager.Unknown
		}
		x.Watcher = w.arena.Watch(i, key, query.MatchOf(&w.kinds, spec.query.spec))
		if keeps[i] != nil {
			x.Keep(w.arena, keeps[i])
		}
	}
	return nil
}

// in returns the watchers of a copy of a world, without listeners.
func (all watches) in(a *manager.Arena) watches {
	copied := make(watches, len(all))
	for n := range all {
		if w := &all[n]; w.Watcher != nil {
			copied[n] = watch{
				Watcher: &a.Watchers[w.slot], slot: w.slot, called: w.called,
				open: new(atomic.Int32),
			}
		}
	}
	return copied
}

// Count returns the number of objects that matched at w's last look, in constant time. For objects
// that match now, use w.Query().Count(s).
func (w Watcher) Count(s State) int { return s.look().watcher(w).Count() }

// Once returns true on its first call for w in the life of a world, or since [Watcher.Forget], and
// false afterwards. The world's bytes record it, so copies and restores include it. It panics in a
// task.
func (w Watcher) Once(s State) (State, bool) {
	first := s.use().watcherOutside(w).Once()
	return s.done(), first
}

// Forget resets w: its next look reports all matching objects as entered, [Watcher.Once] returns
// true again, and all listeners are removed. It panics in a loop over the results of w's last look,
// and in a task.
func (w Watcher) Forget(s State) State {
	x := s.use().watcherOutside(w)
	x.mustBeUnread()
	x.Forget()
	for _, l := range x.listeners {
		l.off = true // for a Notify that is running
	}
	x.listeners = nil
	return s.done()
}

// Listen registers functions: from the next [Watcher.Notify] on, leave is called for each object
// that left w, and enter for each that entered it, after the functions registered before. One of
// the two may be nil. They belong to the program, not to the world's bytes: register them again on
// a copy. After stop even a running Notify no longer calls them; stop reports whether they were
// registered in its world.
func (w Watcher) Listen(
	s State, enter, leave func(State, GameObject) State,
) (stop func(State) bool) {
	x := s.look().watcherOutside(w)
	l := &listener{enter: enter, leave: leave}
	x.listeners = append(x.listeners, l)
	return func(s State) bool { return s.look().watcherOutside(w).stop(l) }
}

// stop removes a listener, and reports whether it was there.
func (x *watch) stop(l *listener) bool {
	i := slices.Index(x.listeners, l)
	if i < 0 {
		return false
	}
	l.off = true
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

// LastOf returns the last value of an object that w's last look reported as left: of a field or a
// [layout.Values] kind that w keeps. The error wraps [ErrAbsent] if the look did not report it. It
// panics if w does not keep the field, or the world does not have w.
func LastOf[T any](s State, w Watcher, id GameObject, what layout.Typed[T]) (value T, err error) {
	x := s.look().watcher(w)
	row, ok := x.Last(id)
	switch f := what.(type) {
	case layout.Field[T]:
		if c := x.LastColumn(f.Spec()); c == nil {
			panic(notKept(f.Spec().String()))
		} else if ok {
			return *buffer.At[T](c.Base, row), nil
		}
	case layout.Values[T]:
		if c := x.LastValues(f.Kind().Spec()); c == nil {
			panic(notKept(f.Kind().String()))
		} else if ok {
			return c.(*layout.ValueSlice[T]).Rows[row], nil
		}
	default:
		panic(notKept("nothing"))
	}
	return value, &placedError{"flatecs: the last look did not report that game object " +
		id.String() + " left; take an id of Left", ErrAbsent}
}

func notKept(what string) string {
	return "flatecs: LastOf of " + what + ", which this watcher does not keep; " +
		"declare it by Watcher.Keep"
}
