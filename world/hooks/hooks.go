package hooks

import (
	"errors"

	"github.com/flatecs/flatecs/world/internal/program"
)
import "github.com/flatecs/flatecs/world"

// A System is functions that a [Root] calls at their time, or a named set of such systems.
// Functions that are nil are passed over, and nothing else is left out for it.
//
// What an object did is read from the watcher: Enter goes through [world.Entered], Leave through
// [world.Left]. Both tell of the moment at which the system's turn began: what hooks change after
// it is told in the next step, and none of it is lost.
//
// Systems are best written as functions, or as literals in a package-level variable. Where the
// compiler inlines a function that returns literals, it does not inline the walks in them, and
// these allocate.
type System struct {
	Name string // unique in a root; "" for one that nobody needs to find

	// Watcher is the system's own memory of the objects that it is about. Without one the system
	// is about no objects in particular, and has no Enter, FirstUpdate or Leave.
	Watcher world.Watcher

	Init        func(s world.State) world.State             // once, by Root.Init
	Enter       func(s world.State) world.State             // objects have entered Watcher
	FirstUpdate func(s world.State) world.State             // once, before an update has objects
	Update      func(s world.State, dt float32) world.State // in every step; dt is in seconds
	Leave       func(s world.State) world.State             // objects have left Watcher
	DrawGizmos  func(s world.State, g *Gizmos) world.State  // by Root.DrawGizmos
	Destroy     func(s world.State) world.State             // once, by Root.Remove or Root.Clear

	// Parts are the systems and sets that belong to a set. They run one after the other, after the
	// set's own functions if it has any.
	Parts []System
}

// An Order says in which order the functions of one system are called in a step, and when they
// are left out.
type Order uint8

// Orders of hooks.
const (
	// LeaveEnterUpdate calls Leave if any object left and then, if the system has objects, Enter if
	// any entered, FirstUpdate once, and Update. A system without objects still hears who left.
	LeaveEnterUpdate Order = iota
	// EnterUpdateLeave calls Enter, Update and Leave in every step, also when nobody entered or
	// left and the system has no objects. FirstUpdate comes once, before the first Update that has.
	EnterUpdateLeave
)

// Errors of names.
//
//nolint:revive,staticcheck // sentences
var (
	// ErrTwice is the error of a name that a system or a set of a root has already.
	ErrTwice = errors.New("Registering system more than once.")
	// ErrAbsent is the error of a name that no system and no set of a root has.
	ErrAbsent = errors.New("No system and no set has this name.")
)

// HasObjects reports whether the system had objects when its last turn began. One without a watcher
// always has. It panics when the world does not have the watcher.
func (h *System) HasObjects(s world.State) bool {
	return program.There(h, noHooks).Watcher == world.Watcher{} || h.Watcher.Count(s) > 0
}

// check panics when a function is never called, or two systems share a memory.
func (h *System) check(watchers map[world.Watcher]string) {
	if h.Watcher == (world.Watcher{}) {
		if h.Enter != nil || h.Leave != nil || h.FirstUpdate != nil {
			panic("hooks: " + h.named() + ": Enter, Leave and FirstUpdate need a Watcher; set it")
		}
		return
	}
	if other, taken := watchers[h.Watcher]; taken {
		panic("hooks: " + other + " and " + h.named() + " share a Watcher, so that one would " +
			"miss what the other hears; declare one for each, of the same query")
	}
	watchers[h.Watcher] = h.named()
}

func (h *System) named() string {
	if h.Name == "" {
		return "a system without a name"
	}
	return "system " + h.Name
}

// turn is a system's part of a step.
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
	if h.Leave != nil && anyLeft(s, h.Watcher) {
		s = h.call(h.Leave, s, "Leave")
	}
	if !h.HasObjects(s) {
		return s
	}
	if h.Enter != nil && anyEntered(s, h.Watcher) {
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

// first calls FirstUpdate if the system has objects and it was not called in this world.
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

// end tells the system of those who left since its last turn, destroys it, and makes its watcher
// new.
func (h *System) end(s world.State) world.State {
	if h.Watcher == (world.Watcher{}) {
		return h.call(h.Destroy, s, "Destroy")
	}
	s = h.Watcher.Notify(s)
	if h.Leave != nil && anyLeft(s, h.Watcher) {
		s = h.call(h.Leave, s, "Leave")
	}
	return h.Watcher.Forget(h.call(h.Destroy, s, "Destroy"))
}

// call calls one of the functions, if there is one.
func (h *System) call(f func(world.State) world.State, s world.State, hook string) world.State {
	if f == nil {
		return s
	}
	return h.kept(s, f(s), hook)
}

func (h *System) kept(before, after world.State, hook string) world.State {
	if after == (world.State{}) {
		return program.Kept(before, after, "hooks: "+hook+" of ", h.named())
	}
	return after
}

func anyLeft(s world.State, w world.Watcher) bool {
	for range w.Left(s) {
		return true
	}
	return false
}

func anyEntered(s world.State, w world.Watcher) bool {
	for range w.Entered(s) {
		return true
	}
	return false
}

const (
	noGizmos = "hooks: these Gizmos are nil; make some by NewGizmos"
	noHooks  = "hooks: this System is nil; hand in the address of one"
	noRoot   = "hooks: this Root is nil; hand in the address of one"
)
