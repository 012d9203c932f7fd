package stage

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A Root runs [System] values, and the systems of sets, in the order in which they were added (root
// system elsewhere, or world). Several roots may take turns on one State.
//
// Each turn of a system is one tick, and begins with [systems.Watcher.Notify] of its watcher, so
// that listeners are called before hooks. Apart from its list of systems, a Root holds nothing that
// decides the world's future, so it may run copies of a world too; another world needs a root of
// its own, because Init is called once. A Root belongs to one goroutine. Update and DrawGizmos do
// not allocate. A hook must not change or run its own root: that panics.
type Root struct {
	Order Order

	systems []member
	busy    bool
}

// A member is a system of a root.
type member struct {
	hooks System   // without Parts
	sets  []string // that contain it, the outermost first
	ready bool     // Init was called
}

// Add appends systems and sets. The error wraps [ErrTwice] if a name exists already; then nothing
// was added. Add panics if two systems share a watcher, and if a system has Enter, FirstUpdate or
// Leave without a watcher.
func (r *Root) Add(parts ...System) error {
	r.enter("Add")
	defer r.leave()
	added := slices.Clone(r.systems)
	names := r.names()
	for i := range parts {
		var err error
		if added, err = parts[i].flatten(added, nil, names); err != nil {
			return err
		}
	}
	watchers := map[world.Watcher]string{}
	for i := range added {
		added[i].hooks.check(watchers)
	}
	r.systems = added
	return nil
}

// flatten appends a system, or the systems of a set.
func (h *System) flatten(to []member, sets []string, names map[string]bool) ([]member, error) {
	if h.Name != "" && names[h.Name] {
		return nil, fmt.Errorf("stage: system or set %q: %w Give it another name", h.Name, ErrTwice)
	}
	names[h.Name] = true
	own := *h
	own.Parts = nil
	if len(h.Parts) == 0 || own.has() {
		to = append(to, member{hooks: own, sets: sets})
	}
	if len(h.Parts) > 0 && h.Name != "" {
		sets = append(slices.Clone(sets), h.Name)
	}
	var err error
	for i := range h.Parts {
		if to, err = h.Parts[i].flatten(to, sets, names); err != nil {
			return nil, err
		}
	}
	return to, nil
}

// has reports whether any function is set.
func (h *System) has() bool {
	return h.Watcher != world.Watcher{} || h.Init != nil || h.Enter != nil ||
		h.FirstUpdate != nil || h.Update != nil || h.Leave != nil || h.DrawGizmos != nil ||
		h.Destroy != nil
}

// names returns the names of the systems and sets.
func (r *Root) names() map[string]bool {
	names := map[string]bool{}
	for i := range r.systems {
		names[r.systems[i].hooks.Name] = true
		for _, set := range r.systems[i].sets {
			names[set] = true
		}
	}
	return names
}

// Names returns the names of the systems in running order.
func (r *Root) Names() (names []string) {
	for i := range program.There(r, noRoot).systems {
		names = append(names, r.systems[i].hooks.Name)
	}
	return names
}

// Watchers returns the watchers of the systems, for [world.Counts].
func (r *Root) Watchers() (watchers []world.Watcher) {
	for i := range program.There(r, noRoot).systems {
		if w := r.systems[i].hooks.Watcher; w != (world.Watcher{}) {
			watchers = append(watchers, w)
		}
	}
	return watchers
}

// Init calls Init of each system once: after an Add, of the new systems. Skip it to continue with a
// world that was loaded or copied.
func (r *Root) Init(s world.State) world.State {
	r.enter("Init")
	defer r.leave()
	for i := range r.systems {
		if m := &r.systems[i]; !m.ready {
			m.ready = true
			s = m.hooks.call(m.hooks.Init, s, "Init")
		}
	}
	return s
}

// Update runs each system's turn; dt is in seconds. It panics if the world does not have a system's
// watcher.
func (r *Root) Update(s world.State, dt float32) world.State {
	r.enter("Update")
	defer r.leave()
	for i := range r.systems {
		s = r.systems[i].hooks.turn(s, dt, r.Order)
	}
	return s
}

// DrawGizmos calls DrawGizmos of each system.
func (r *Root) DrawGizmos(s world.State, g *Gizmos) world.State {
	r.enter("DrawGizmos")
	defer r.leave()
	for i := range r.systems {
		if h := &r.systems[i].hooks; h.DrawGizmos != nil {
			s = h.kept(s, h.DrawGizmos(s, g), "DrawGizmos")
		}
	}
	return s
}

// Remove removes a system, or all systems of a set: it calls Leave for pending objects, then
// Destroy, and resets the watcher ([systems.Watcher.Forget]), so that all objects enter if the
// system is added again. The error wraps [ErrAbsent]. Remove panics if the world does not have the
// watcher.
func (r *Root) Remove(s world.State, name string) (world.State, error) {
	r.enter("Remove")
	defer r.leave()
	before := len(r.systems)
	s = r.end(s, func(m *member) bool {
		return name != "" && (m.hooks.Name == name || slices.Contains(m.sets, name))
	})
	if len(r.systems) == before {
		return s, fmt.Errorf("stage: system or set %q: %w", name, ErrAbsent)
	}
	return s, nil
}

// Clear is Remove of every system, in order.
func (r *Root) Clear(s world.State) world.State {
	r.enter("Clear")
	defer r.leave()
	return r.end(s, func(*member) bool { return true })
}

// end removes the chosen systems.
func (r *Root) end(s world.State, chosen func(*member) bool) world.State {
	rest := make([]member, 0, len(r.systems))
	for _, m := range r.systems {
		if chosen(&m) {
			s = m.hooks.end(s)
		} else {
			rest = append(rest, m)
		}
	}
	r.systems = rest
	return s
}

// enter marks the root as running, until leave.
func (r *Root) enter(method string) {
	if program.There(r, noRoot).busy {
		panic("stage: Root." + method + " within a hook of the same root; call it after the step")
	}
	r.busy = true
}

func (r *Root) leave() { r.busy = false }
