package manager

// touch records that the objects x of a block changed, and which members do not match now. If they
// lost the kind of by, their rows still hold their values: row = object + base, modulo 2³².
func (w *Watch) touch(block uint32, x uint64, by *Manager, base uint32) {
	var held uint64
	for _, r := range w.Watchers {
		b := &r.blocks[block]
		b.Touched |= x
		r.touched[block>>6] |= 1 << (block & 63)
		held |= b.Members &^ b.Gone & x
	}
	if held == 0 {
		return
	}
	if gone := held &^ w.Block(block); gone != 0 {
		for _, r := range w.Watchers {
			b := &r.blocks[block]
			if r.last != nil {
				r.last.keep(r, block, b.Members&gone&^b.Gone, by, base)
			}
			b.Gone |= b.Members & gone
		}
	}
}

// tell notifies the watchers of the kind that the objects x of a block got or lost it. If they lost
// it, their rows are object + base, modulo 2³², and still hold their values.
//
//go:noinline
func tell(m *Manager, block uint32, x uint64, base uint32) {
	for _, w := range m.watches {
		w.touch(block, x, m, base)
	}
}

// touchBare notifies the watchers whose rules name no kind that the objects x of a block were
// created or disposed.
func touchBare(a *Arena, block uint32, x uint64) {
	for _, w := range a.bare {
		w.touch(block, x, nil, 0)
	}
}

// Unknown is the key of another program's rules: the matching objects are not known.
const Unknown = "unknown"

// Watch sets the rules of watcher i, once. Equal keys mean equal rules. It writes no bytes of the
// world.
func (a *Arena) Watch(i int, key string, rules Match) *Watcher {
	w, r := watchOf(a, key, rules), &a.Watchers[i]
	w.Watchers = append(w.Watchers, r)
	r.watch = w
	return r
}

// watchOf returns the watch that watchers with these rules share, creating it on first use.
func watchOf(a *Arena, key string, rules Match) *Watch {
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
	for i := range a.recipes.list {
		a.recipes.list[i].agree()
	}
	if w.Bare() {
		a.bare = append(a.bare, w)
		a.Objects.Touched = func(block uint32, x uint64) { touchBare(a, block, x) }
	}
	return w
}
