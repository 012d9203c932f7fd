package manager

import "slices"

// Watch sets the rules of watcher i, once. Equal keys mean equal rules. It writes no bytes of the
// world.
func (a *Arena) Watch(i int, key string, rules Match) *Watcher {
	w, r := a.watchOf(key, rules), &a.Watchers[i]
	w.Watchers = append(w.Watchers, r)
	r.watch = w
	return r
}

// watchOf returns the shared watch of the rules, making it on first use.
func (a *Arena) watchOf(key string, rules Match) *Watch {
	for _, w := range a.Watches {
		if w.key == key {
			return w
		}
	}
	w := &Watch{Match: rules, key: key}
	a.Watches = append(a.Watches, w)
	for i := range a.Managers {
		if m := &a.Managers[i]; w.asks(m) {
			m.watches, m.heard = append(m.watches, w), full
		}
	}
	if w.Bare() {
		a.bare = append(a.bare, w)
		a.Objects.Touched = a.touchBare
	}
	return w
}

// asks reports whether the rules depend on a kind.
func (m *Match) asks(k *Manager) bool {
	in := func(kinds []*Manager) bool { return slices.Contains(kinds, k) }
	return m.only != nil || in(m.All) || in(m.None) || slices.ContainsFunc(m.Any, in)
}

// in returns the same rules for another arena with the same kinds.
func (m *Match) in(a *Arena) Match {
	there := func(kinds []*Manager) []*Manager {
		moved := make([]*Manager, len(kinds))
		for i, k := range kinds {
			moved[i] = a.Find(k.Kind)
		}
		return moved
	}
	moved := Match{arena: a, All: there(m.All), None: there(m.None), only: m.only, bare: m.bare}
	for _, kinds := range m.Any {
		moved.Any = append(moved.Any, there(kinds))
	}
	return moved
}
