package stage

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// A Seen is the tick up to which a system has seen changes. It is part of the world's bytes:
// copies, saves and restores include it. Declare it once, as a package-level variable, and add its
// Kind to the Resources of [world.Counts]. Each such system needs a Seen of its own.
type Seen struct {
	tick layout.Field[uint64]
	kind world.ResourceKind
}

// NewSeen declares a Seen. Each Seen of a world needs a different name. It panics if the name is
// empty.
func NewSeen(name string) Seen {
	tick := layout.NewField[uint64]("tick")
	return Seen{tick, world.NewResource(name, tick)}
}

// Kind returns the resource of v, for [world.Counts].
func (v Seen) Kind() world.ResourceKind { return v.kind }

// Look calls f with batches of the objects of q that may have been written since the last look of
// v, according to the [world.Changed] terms, and then begins the next step by [world.Advance], so
// that later writes get another tick. The first look calls f with all matching objects. So each
// write is in exactly one look, the next one, also if systems write before and after it in a step,
// and if the world goes back by [world.Restore]. Writes by f itself, through its batches or
// otherwise, are not in the next look of v. It panics if q has no Changed terms or the world does
// not have v, in a walk, and in a task.
func (v Seen) Look(s world.State, q world.Query, f func(world.Batch)) world.State {
	if f == nil {
		panic("stage: Seen.Look with a nil function; pass one that takes each batch")
	}
	systems.Changing(s) // panics in a walk, and in a task
	for b := range q.Since(s, world.Resource(s, v.tick)) {
		f(b)
	}
	return world.Advance(world.SetResource(s, v.tick, world.Tick(s)))
}
