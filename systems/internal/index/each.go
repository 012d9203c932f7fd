package index

import "github.com/flatecs/flatecs/gameobject"

// First returns the first object of a key, and the number of its objects.
func (t *Table) First(key uint64) (id gameobject.ID, n int) {
	if !t.Has(t.Version(), validChains) { // an inlined copy of ready: hot path
		t.Make(validChains, t)
	}
	t.check()
	b, i := t.chains.find(key)
	if b.counts[i] == 0 {
		return gameobject.Nobody, 0
	}
	return t.M.Objects.At(b.firsts[i]), int(b.counts[i] &^ loose)
}

// Each yields the objects of the keys from low to high, by key, then ascending, until yield returns
// false. The loop may change the world; it continues behind the last object that it yielded.
func (t *Table) Each(low, high uint64, yield func(gameobject.ID) bool) {
	t.from(entry{key: low}, high, yield)
}

// OfKey yields the objects of a key, like Each.
func (t *Table) OfKey(key uint64, yield func(gameobject.ID) bool) {
	for after := uint32(0); ; {
		t.ready(validChains)
		version := t.Version()
		b, i := t.chains.find(key)
		switch n := b.counts[i]; {
		case n == 0:
			return
		case n >= loose:
			t.from(entry{key, after}, key, yield)
			return
		}
		row := b.rows[i]
		for row != 0 {
			if o := t.column.owners[row-1]; o >= after {
				if after = o + 1; !yield(t.M.Objects.At(o)) || t.memory == nil {
					return
				}
				if t.Version() != version {
					break
				}
			}
			row = t.chains.next[row-1]
		}
		if row == 0 {
			return
		}
	}
}

// from yields the objects of entries from e on, up to the key high.
func (t *Table) from(e entry, high uint64, yield func(gameobject.ID) bool) {
	t.ready(validTree)
	p, version := t.tree.seek(e), t.Version()
	for {
		e, ok := t.tree.get(&p)
		if !ok || e.key > high || !yield(t.M.Objects.At(e.object)) {
			return
		}
		p.i++
		if t.Version() != version {
			t.ready(validTree)
			p, version = t.tree.seek(entry{e.key, e.object + 1}), t.Version()
		}
	}
}

// Count returns the number of objects with keys from low to high.
func (t *Table) Count(low, high uint64) (n int) {
	t.ready(validTree)
	if low > high {
		return 0
	}
	p := t.tree.seek(entry{key: low})
	for ; p.leaf < t.tree.leaves; p.leaf, p.i = p.leaf+1, 0 {
		keys, _ := t.tree.leaf(p.leaf)
		if keys = keys[p.i:]; len(keys) > 0 && keys[len(keys)-1] > high {
			return n + before(keys, high+1)
		}
		n += len(keys)
	}
	return n
}

// Append appends all objects in order to dst.
func (t *Table) Append(dst []uint32) []uint32 {
	t.ready(validTree)
	if t.column.keys.text != nil {
		return t.appendTexts(dst)
	}
	for leaf := range t.tree.leaves {
		_, objects := t.tree.leaf(leaf)
		dst = append(dst, objects...)
	}
	return dst
}
