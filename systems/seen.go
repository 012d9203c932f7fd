package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// A Seen is where a system that looks at changes has come to. It lies in the world's bytes, and so
// is copied, saved and restored with the changes. Declare it once, as a package-level variable, and
// add its Kind to the Resources of [Counts]. Two systems that look need one each.
type Seen struct {
	tick layout.Field[uint64]
	kind ResourceKind
}

// NewSeen declares a Seen. Names tell those of a world apart. It panics if the name is empty.
func NewSeen(name string) Seen {
	tick := layout.NewField[uint64]("tick")
	return Seen{tick, NewResource(name, tick)}
}

// Kind returns the resource of v, for [Counts].
func (v Seen) Kind() ResourceKind { return v.kind }

// Look calls f with batches of the objects of q that may have been written since the last look of
// v, as the [Changed] terms say, and then begins the next step by [Advance], so that no later write
// is stamped like one that was seen. The first look calls f with all objects that match. So each
// write is in one look: the next one, also where systems write before and after it in a step, and
// where the world goes back by [Restore]. What f itself writes, through its batches or otherwise,
// is not in the next look of v. It panics if q has no Changed terms or the world does not have v,
// in a walk, and in a task.
func (v Seen) Look(s State, q Query, f func(Batch)) State {
	s.use().checkStill()
	switch {
	case f == nil:
		panic("flatecs: Seen.Look without a function; give one that takes each batch")
	case !q.declared().Asks(query.Changed):
		panic("flatecs: Seen.Look needs a query with a Changed term; add one")
	}
	for b := range q.Since(s, Resource(s, v.tick)) {
		f(b)
	}
	return Advance(SetResource(s, v.tick, Tick(s)))
}
