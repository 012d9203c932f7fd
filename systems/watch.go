package systems

import (
	"iter"
	"sync/atomic"

	"github.com/flatecs/flatecs/manager"
)

// A Watcher reports which objects started and stopped matching a query since its last look. Declare
// it once, as a package-level variable, and give it to worlds in [Counts]. Its memory is in the
// world's bytes, and is copied and restored with them. Two systems that watch the same objects need
// a watcher each.
type Watcher struct{ spec *watcherSpec }

type watcherSpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	query  Query
}

var watchers atomic.Uint32 // next watcherSpec.number

// A watch is a watcher in one world.
type watch struct {
	*manager.Watcher
	slot      int    // index in Counts.Watchers
	rules     string // with the names of kinds
	open      int32  // open loops over results; several goroutines may read at once
	listeners []*listener
}

// NewWatcher declares a watcher of the objects that match q. Fields and the terms [Optional],
// [Changed] and [RowWise] make no difference.
func NewWatcher(q Query) Watcher {
	return Watcher{&watcherSpec{number: watchers.Add(1) - 1, query: q}}
}

// Query returns the query of w. It matches the current objects; w reports those of the last look.
func (w Watcher) Query() Query {
	if w.spec == nil {
		panic("flatecs: the zero Watcher watches nothing; declare one by NewWatcher")
	}
	return w.spec.query
}

// Look finds the objects that have left and entered since w's last look: [Watcher.Left] and
// [Watcher.Entered] yield them until the next one. The first look reports all matching objects as
// entered.
//
// An object that matched neither at the last look nor now is in neither list. An object that
// matched both times is in neither list, unless it stopped matching in between: then it is in both.
// If another object took over an index, the old one left and the new one entered.
//
// It panics in a loop over the results of w's last look, and in a task.
func (w Watcher) Look(s State) State {
	s.use().look(w)
	return s.done()
}

// Left yields the objects that w's last look reported as left, ascending. They may be disposed, and
// their indexes reused. The world may be changed during the loop, but w may not look.
func (w Watcher) Left(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().read(w, left, yield) }
}

// Entered yields the objects that w's last look reported as entered, ascending. It does not include
// later changes. The world may be changed during the loop, but w may not look.
func (w Watcher) Entered(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().read(w, entered, yield) }
}

// Members yields the objects that matched at w's last look, ascending. For those that match now,
// use w.Query().Objects(s). The world may be changed during the loop, but w may not look.
func (w Watcher) Members(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().read(w, members, yield) }
}

func (j *job) look(w Watcher) {
	x := j.alone(w)
	x.still()
	x.Look()
}

// still panics during a loop over the results of the last look.
func (w *watch) still() {
	if atomic.LoadInt32(&w.open) != 0 {
		panic("flatecs: this watcher cannot look in a loop over its results; " +
			"look again after the loop")
	}
}

type list uint8

const (
	left list = iota
	entered
	members
)

// read yields a list of w. It records the open loop, except in tasks, which cannot look.
func (j *job) read(w Watcher, l list, yield func(GameObject) bool) {
	x := j.watcher(w)
	if j.whole == nil {
		atomic.AddInt32(&x.open, 1)
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

func (w *watch) close() { atomic.AddInt32(&w.open, -1) }

// watcher returns w in this world. It panics if the world does not have the watcher.
func (j *job) watcher(w Watcher) *watch {
	if j.whole != nil {
		j = j.whole
	}
	if w.spec != nil && int(w.spec.number) < len(j.watchers) {
		if x := &j.watchers[w.spec.number]; x.Watcher != nil {
			return x
		}
	}
	panic("flatecs: this world has no such watcher; declare it by NewWatcher, " +
		"and add it to Counts.Watchers")
}

// alone is watcher for calls that tasks may not make.
func (j *job) alone(w Watcher) *watch {
	if j.whole != nil {
		panic("flatecs: a task may neither look nor listen; look before the tasks run, " +
			"and read in them what was found")
	}
	return j.watcher(w)
}

// addWatchers sets the rules of the watchers of a new world.
func (j *job) addWatchers(declared []Watcher) error {
	for i, w := range declared {
		if w.spec == nil || w.spec.query.spec == nil {
			panic("flatecs: the zero Watcher or Query watches nothing; declare one by NewWatcher")
		}
		m, err := j.matcher(w.spec.query.spec)
		if err != nil {
			return err
		}
		j.watchers = longer(j.watchers, w.spec.number)
		x := &j.watchers[w.spec.number]
		if x.Watcher != nil {
			panic("flatecs: a watcher is in Counts.Watchers twice; declare one for each system")
		}
		x.slot, x.rules = i, j.said(m)
		x.Watcher = j.Watch(i, m.key(), j.rules(w.spec.query.spec))
	}
	return nil
}

// copyWatchers is addWatchers for a copy of a world. Listeners are not copied.
func (j *job) copyWatchers(from []watch) {
	j.watchers = make([]watch, len(from))
	for n, w := range from {
		if w.Watcher != nil {
			j.watchers[n] = watch{Watcher: &j.Watchers[w.slot], slot: w.slot, rules: w.rules}
		}
	}
}

// rules returns the match of a query.
func (j *job) rules(q *querySpec) manager.Match {
	p := plan{Match: j.NewMatch(), spec: q}
	for _, t := range q.terms {
		if t.mode != optional && t.mode != changed {
			p.addTerm(j, t)
		}
	}
	return p.Match
}
