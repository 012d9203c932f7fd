package world

import "errors"

// Hooks is a system as functions that a [Root] calls at their time, or a named set of such systems.
// Functions that are nil are passed over, and nothing else is left out for it.
//
// What an object did is read from the watcher: Enter goes through [Entered], Leave through [Left].
// Both tell of the moment at which the system's turn began: what hooks change after it is told in
// the next step, and none of it is lost.
//
// Hooks are best written as functions, or as literals in a package-level variable. Where the
// compiler inlines a function that returns literals, it does not inline the walks in them, and
// these allocate.
type Hooks struct {
	Name string // unique in a root; "" for one that nobody needs to find

	// Watcher is the system's own memory of the objects that it is about. Without one the system
	// is about no objects in particular, and has no Enter, FirstUpdate or Leave.
	Watcher Watcher

	Init        func(s State) State             // once, by Root.Init
	Enter       func(s State) State             // objects have entered Watcher
	FirstUpdate func(s State) State             // once, before the first update that has objects
	Update      func(s State, dt float32) State // in every step; dt is in seconds
	Leave       func(s State) State             // objects have left Watcher
	DrawGizmos  func(s State, g *Gizmos) State  // by Root.DrawGizmos
	Destroy     func(s State) State             // once, by Root.Remove or Root.Clear

	// Parts are the systems and sets that belong to a set. They run one after the other, after the
	// set's own functions if it has any.
	Parts []Hooks
}

// A HookOrder says in which order the functions of one system are called in a step, and when they
// are left out.
type HookOrder uint8

// Orders of hooks.
const (
	// LeaveEnterUpdate calls Leave if any object left and then, if the system has objects, Enter if
	// any entered, FirstUpdate once, and Update. A system without objects still hears who left.
	LeaveEnterUpdate HookOrder = iota
	// EnterUpdateLeave calls Enter, Update and Leave in every step, also when nobody entered or
	// left and the system has no objects. FirstUpdate comes once, before the first Update that has.
	EnterUpdateLeave
)

// ErrNoHooks is the error of a name that no system and no set of a root has.
//
//nolint:revive,staticcheck // a sentence
var ErrNoHooks = errors.New("No system and no set has this name.")

// HasObjects reports whether the system had objects when its last turn began. One without a watcher
// always has. It panics when the world does not have the watcher.
func (h *Hooks) HasObjects(s State) bool {
	return there(h, noHooks).Watcher == Watcher{} || MemberCount(s, h.Watcher) > 0
}

// check panics when a function is never called, or two systems share a memory.
func (h *Hooks) check(watchers map[Watcher]string) {
	if h.Watcher == (Watcher{}) {
		if h.Enter != nil || h.Leave != nil || h.FirstUpdate != nil {
			panic("world: " + h.named() + ": Enter, Leave and FirstUpdate need a Watcher; set it")
		}
		return
	}
	if other, taken := watchers[h.Watcher]; taken {
		panic("world: " + other + " and " + h.named() + " share a Watcher, so that one would " +
			"miss what the other hears; declare one for each, of the same query")
	}
	watchers[h.Watcher] = h.named()
}

func (h *Hooks) named() string {
	if h.Name == "" {
		return "a system without a name"
	}
	return "system " + h.Name
}

// turn is a system's part of a step.
func (h *Hooks) turn(s State, dt float32, order HookOrder) State {
	s = Advance(s)
	if h.Watcher == (Watcher{}) {
		return h.update(s, dt)
	}
	s = Notify(s, h.Watcher)
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

func (h *Hooks) update(s State, dt float32) State {
	if h.Update == nil {
		return s
	}
	return h.kept(s, h.Update(s, dt), "Update")
}

// first calls FirstUpdate if the system has objects and it was not called in this world.
func (h *Hooks) first(s State) State {
	if h.FirstUpdate == nil || !h.HasObjects(s) {
		return s
	}
	s, now := Once(s, h.Watcher)
	if now {
		s = h.call(h.FirstUpdate, s, "FirstUpdate")
	}
	return s
}

// end tells the system of those who left since its last turn, destroys it, and makes its watcher
// new.
func (h *Hooks) end(s State) State {
	if h.Watcher == (Watcher{}) {
		return h.call(h.Destroy, s, "Destroy")
	}
	s = Notify(s, h.Watcher)
	if h.Leave != nil && anyLeft(s, h.Watcher) {
		s = h.call(h.Leave, s, "Leave")
	}
	return Forget(h.call(h.Destroy, s, "Destroy"), h.Watcher)
}

// call calls one of the functions, if there is one.
func (h *Hooks) call(f func(State) State, s State, hook string) State {
	if f == nil {
		return s
	}
	return h.kept(s, f(s), hook)
}

func (h *Hooks) kept(before, after State, hook string) State {
	if after == (State{}) {
		return kept(before, after, hook+" of ", h.named())
	}
	return after
}

func anyLeft(s State, w Watcher) bool {
	for range Left(s, w) {
		return true
	}
	return false
}

func anyEntered(s State, w Watcher) bool {
	for range Entered(s, w) {
		return true
	}
	return false
}
