package stage

import (
	"errors"
	"iter"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A System is a set of functions that a [Root] calls, or a named set of such systems. Functions may
// be nil.
//
// Enter reads the objects that entered from the watcher ([systems.Watcher.Entered]), and Leave the
// objects that left ([systems.Watcher.Left]). Both lists are as of the start of the system's turn;
// changes by the hooks themselves are reported in the next step.
//
// Write systems as functions, or as literals in package-level variables. If the compiler inlines a
// function that returns literals, it does not inline the walks in them, and these allocate.
type System struct {
	Name string // unique in a root; may be empty

	// Watcher watches the objects of the system, and belongs to this system only. A system without
	// one has no Enter, FirstUpdate or Leave.
	Watcher world.Watcher

	Init        func(s world.State) world.State             // once, by Root.Init
	Enter       func(s world.State) world.State             // objects entered Watcher
	FirstUpdate func(s world.State) world.State             // once, before its first Update
	Update      func(s world.State, dt float32) world.State // in every step; dt is in seconds
	Leave       func(s world.State) world.State             // objects left Watcher
	DrawGizmos  func(s world.State, g *Gizmos) world.State  // by Root.DrawGizmos
	Destroy     func(s world.State) world.State             // once, by Root.Remove or Root.Clear

	// Parts are the systems and sets of a set. They run in order, after the set's own functions if
	// it has any.
	Parts []System
}

// An Order is the order in which the functions of one system are called in a step, and the rule for
// omitting calls.
type Order uint8

// Orders of hooks.
const (
	// LeaveEnterUpdate calls Leave if any object left and then, if the system has objects, Enter if
	// any entered, FirstUpdate once, and Update. Leave is called even if the system has no objects.
	LeaveEnterUpdate Order = iota
	// EnterUpdateLeave calls Enter, Update and Leave in every step, even if no object entered or
	// left and the system has no objects. FirstUpdate is called once, before the first Update with
	// objects.
	EnterUpdateLeave
)

// Errors of names.
//
//nolint:revive,staticcheck // the first is a sentence, as users of other libraries know it
var (
	// ErrTwice is the error of adding a name that the root has already.
	ErrTwice = errors.New("Registering system more than once.")
	// ErrAbsent is the error of a name that the root does not have.
	ErrAbsent = errors.New("no system and no set has this name; add it first")
)

// HasObjects reports whether the system had objects at the start of its last turn. It returns true
// for a system without a watcher. It panics if the world does not have the watcher.
func (h *System) HasObjects(s world.State) bool {
	return program.There(h, noSystem).Watcher == world.Watcher{} || h.Watcher.Count(s) > 0
}

// check panics if a function would never be called, or if two systems share a watcher.
func (h *System) check(watchers map[world.Watcher]string) {
	if h.Watcher == (world.Watcher{}) {
		if h.Enter != nil || h.Leave != nil || h.FirstUpdate != nil {
			panic("stage: " + h.named() + ": Enter, Leave and FirstUpdate need a Watcher; set it")
		}
		return
	}
	if other, taken := watchers[h.Watcher]; taken {
		panic("stage: " + other + " and " + h.named() + " share a Watcher, so each would " +
			"miss changes that the other saw; declare one for each, of the same query")
	}
	watchers[h.Watcher] = h.named()
}

func (h *System) named() string {
	if h.Name == "" {
		return "a system without a name"
	}
	return "system " + h.Name
}

// turn runs a system's part of a step.
func (h *System) turn(s world.State, dt float32, order Order) world.State {
	s = world.Advance(s)
	if h.Watcher == (world.Watcher{}) {
		return h.update(s, dt)
	}
	s = h.Watcher.Notify(s)
	if order == EnterUpdateLeave {
		s = h.update(h.first(h.call(h.Enter, s, "Enter")), dt)
		return h.call(h.Leave, s, "Leave")
	}
	s = h.leave(s)
	if !h.HasObjects(s) {
		return s
	}
	if h.Enter != nil && some(h.Watcher.Entered(s)) {
		s = h.call(h.Enter, s, "Enter")
	}
	return h.update(h.first(s), dt)
}

func (h *System) update(s world.State, dt float32) world.State {
	if h.Update == nil {
		return s
	}
	return h.kept(s, h.Update(s, dt), "Update")
}

// first calls FirstUpdate if the system has objects and FirstUpdate was not called in this world.
func (h *System) first(s world.State) world.State {
	if h.FirstUpdate == nil || !h.HasObjects(s) {
		return s
	}
	s, now := h.Watcher.Once(s)
	if now {
		s = h.call(h.FirstUpdate, s, "FirstUpdate")
	}
	return s
}

// leave calls Leave if any object left.
func (h *System) leave(s world.State) world.State {
	if h.Leave == nil || !some(h.Watcher.Left(s)) {
		return s
	}
	return h.call(h.Leave, s, "Leave")
}

// end reports the objects that left since the last turn, destroys the system, and resets its
// watcher.
func (h *System) end(s world.State) world.State {
	if h.Watcher == (world.Watcher{}) {
		return h.call(h.Destroy, s, "Destroy")
	}
	s = h.leave(h.Watcher.Notify(s))
	return h.Watcher.Forget(h.call(h.Destroy, s, "Destroy"))
}

// call calls f if it is not nil.
func (h *System) call(f func(world.State) world.State, s world.State, hook string) world.State {
	if f == nil {
		return s
	}
	return h.kept(s, f(s), hook)
}

func (h *System) kept(before, after world.State, hook string) world.State {
	if after == (world.State{}) {
		return program.Kept(before, after, "stage: "+hook+" of ", h.named())
	}
	return after
}

// some reports whether there are any objects.
func some(objects iter.Seq[world.GameObject]) bool {
	for range objects {
		return true
	}
	return false
}

const (
	noGizmos = "stage: these Gizmos are nil; make some by NewGizmos"
	noSystem = "stage: this System is nil; hand in the address of one"
	noRoot   = "stage: this Root is nil; hand in the address of one"
)
