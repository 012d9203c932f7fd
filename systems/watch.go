package systems

import (
	"iter"
	"sync/atomic"

	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/dense"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// A Watcher is the memory of one system that watches a group of objects: which of them matched a
// query when it last looked, so that it hears which have left and which have entered since. It is
// declared once, as a package-level variable, and given to worlds by [Counts]. What it remembers is
// in the world's bytes, and is copied and restored with them. Two systems that watch the same
// objects declare a watcher each; the rules of equal queries are kept once.
type Watcher struct{ spec *watcherSpec }

type watcherSpec struct {
	number uint32 // process-wide, dense; never in a world's bytes
	query  Query
}

var watchers atomic.Uint32 // next watcherSpec.number

// A watch is a watcher in one world.
type watch struct {
	*manager.Watcher
	slot      int    // among Counts.Watchers
	rules     string // by the names of kinds
	open      int32  // loops over what the last look found; several goroutines may read at once
	listeners []*listener
}

// NewWatcher declares a watcher of the objects that match q. Which fields q asks for, beside their
// kinds, and its [Optional], [Changed] and [RowWise] terms make no difference.
func NewWatcher(q Query) Watcher {
	return Watcher{&watcherSpec{number: watchers.Add(1) - 1, query: q}}
}

// Query returns the query whose objects w watches. It tells of now, where w tells of the last look.
func (w Watcher) Query() Query {
	if w.spec == nil {
		panic("systems: the zero Watcher watches nothing; declare one by NewWatcher")
	}
	return w.spec.query
}

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
	s.use().look(w)
	return s.done()
}

// Left yields the objects that w's last look found to have left, ascending. They may be disposed,
// and their indexes in use again. The world may be changed meanwhile; w may not look.
func (w Watcher) Left(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().read(w, left, yield) }
}

// Entered yields the objects that w's last look found to have entered, ascending. What was changed
// since that look is not in it yet. The world may be changed meanwhile; w may not look.
func (w Watcher) Entered(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().read(w, entered, yield) }
}

// Members yields the objects that matched at w's last look, ascending. Those that match now are
// w.Query().Objects(s). The world may be changed meanwhile; w may not look.
func (w Watcher) Members(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().read(w, members, yield) }
}

func (j *job) look(w Watcher) {
	x := j.alone(w)
	x.still()
	x.Look()
}

// still panics while what the last look found is gone through.
func (w *watch) still() {
	if atomic.LoadInt32(&w.open) != 0 {
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

// read yields a list of w. Tasks, which may not look, read without saying so.
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

// watcher returns what w is in this world; it panics when the world has no such watcher.
func (j *job) watcher(w Watcher) *watch {
	if j.whole != nil {
		j = j.whole
	}
	if w.spec != nil && int(w.spec.number) < len(j.watchers) {
		if x := &j.watchers[w.spec.number]; x.Watcher != nil {
			return x
		}
	}
	panic("systems: this world has no such watcher; declare it by NewWatcher, " +
		"and add it to Counts.Watchers")
}

// alone is watcher for what tasks may not do.
func (j *job) alone(w Watcher) *watch {
	if j.whole != nil {
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
	for n, w := range from {
		if w.Watcher != nil {
			j.watchers[n] = watch{Watcher: &j.Watchers[w.slot], slot: w.slot, rules: w.rules}
		}
	}
}
