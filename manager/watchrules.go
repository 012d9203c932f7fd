package manager

import "slices"

// Watch gives watcher i of the arena its rules, once. It writes no bytes.
func (a *Arena) Watch(i int, rules Match) *Watcher {
	w, r := a.watchOf(rules), &a.Watchers[i]
	w.Watchers = append(w.Watchers, r)
	r.watch = w
	return r
}

// watchOf returns the watch of rules, which is made for the first watcher that has them.
func (a *Arena) watchOf(rules Match) *Watch {
	for _, w := range a.Watches {
		if w.equal(&rules) {
			return w
		}
	}
	w := &Watch{Match: rules}
	a.Watches = append(a.Watches, w)
	for i := range a.Managers {
		if m := &a.Managers[i]; w.asks(m) {
			m.watches = append(m.watches, w)
		}
	}
	if w.Bare() {
		a.bare = append(a.bare, w)
		a.Objects.Touched = a.touchBare
	}
	return w
}

// equal reports whether two sets of rules of one arena are the same, in whatever order.
func (m *Match) equal(o *Match) bool {
	return covers(m.All, o.All) && covers(o.All, m.All) && covers(m.None, o.None) &&
		covers(o.None, m.None) && slices.Equal(m.only, o.only) &&
		coversAny(m.Any, o.Any) && coversAny(o.Any, m.Any)
}

// covers reports whether every one of b is in a.
func covers(a, b []*Manager) bool {
	for _, m := range b {
		if !slices.Contains(a, m) {
			return false
		}
	}
	return true
}

// coversAny reports whether every set in b is in a.
func coversAny(a, b [][]*Manager) bool {
	for _, kinds := range b {
		same := func(k []*Manager) bool { return covers(k, kinds) && covers(kinds, k) }
		if !slices.ContainsFunc(a, same) {
			return false
		}
	}
	return true
}

// asks reports whether it matters to the rules who has a kind.
func (m *Match) asks(k *Manager) bool {
	in := func(kinds []*Manager) bool { return slices.Contains(kinds, k) }
	return m.only != nil || in(m.All) || in(m.None) || slices.ContainsFunc(m.Any, in)
}

// in returns the same rules for another arena of the same kinds.
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
