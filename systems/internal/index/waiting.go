package index

import (
	"cmp"
)

// waiting are entries to remove from the tree and to add to it. An entry that was added and removed
// again is in both lists.
type waiting struct{ gone, come pairs }

// changesFor returns how many of n entries are moved in table and tree: beyond it, deriving them
// costs less.
func changesFor(n int) int { return n/32 + 64 }

// carve cuts lists for the changes among n entries.
func (w *waiting) carve(c *Cutter, n int) {
	n = changesFor(n)
	w.gone, w.come = carvePairs(c, n), carvePairs(c, n)
	w.clear()
}

// full reports whether there may be no room for another change.
func (w *waiting) full() bool {
	return len(w.gone.keys) == cap(w.gone.keys) || len(w.come.keys) == cap(w.come.keys)
}

// clear removes all entries.
func (w *waiting) clear() { w.gone, w.come = w.gone.first(0), w.come.first(0) }

// note adds the change of a row.
func (w *waiting) note(c change) {
	if c.was {
		w.gone.add(c.old)
	}
	if c.is {
		w.come.add(c.now)
	}
}

// apply makes the changes in a tree, in its order, because neighbours share cache lines. It returns
// false if the tree has no leaf left, which makes it invalid.
func (w *waiting) apply(t *tree, spare pairs) bool {
	gone, come := w.gone.inOrder(spare), w.come.inOrder(spare)
	w.clear()
	for i, j := 0, 0; i < len(gone.keys) || j < len(come.keys); {
		order := 1 // the order of the removed entry relative to the added one
		switch {
		case j == len(come.keys):
			order = -1
		case i < len(gone.keys):
			order = gone.at(i).compare(come.at(j))
		}
		if order < 0 && !t.remove(gone.at(i)) || order > 0 && !t.insert(come.at(j)) {
			return false
		}
		if order <= 0 {
			i++
		}
		if order >= 0 {
			j++
		}
	}
	return true
}

// inOrder sorts the entries by key, then by object.
func (p pairs) inOrder(spare pairs) pairs {
	var keys uint64
	var objects uint32
	for i, k := range p.keys {
		keys |= k ^ p.keys[0]
		objects |= p.objects[i] ^ p.objects[0]
	}
	if sorted, inSpare := p.sort(spare.first(len(p.keys)), keys, objects); inSpare {
		copy(p.keys, sorted.keys)
		copy(p.objects, sorted.objects)
	}
	return p
}

// compare orders entries by key, then by object.
func (e entry) compare(f entry) int {
	if e.key != f.key {
		return cmp.Compare(e.key, f.key)
	}
	return cmp.Compare(e.object, f.object)
}
