package order

import "github.com/flatecs/flatecs/gameobject"

// First returns the first object of a key, and how many there are.
func (l *Lists) First(key uint64) (id gameobject.ID, n int) {
	if l.listed.Load() != l.Version() {
		l.makeTable()
	}
	l.check()
	b, i := l.table.find(key)
	if b.counts[i] == 0 {
		return gameobject.Nobody, 0
	}
	return l.m.Objects.At(b.firsts[i]), int(b.counts[i] &^ loose)
}

// Each yields the objects of the keys from low to high, by key, then ascending, until yield returns
// false. The loop may change the world: it goes on with what is behind the last one then.
func (l *Lists) Each(low, high uint64, yield func(gameobject.ID) bool) {
	l.from(entry{key: low}, high, yield)
}

// OfKey yields the objects of a key, like Each.
func (l *Lists) OfKey(key uint64, yield func(gameobject.ID) bool) {
	for after := uint32(0); ; {
		version := l.Version()
		if l.listed.Load() != version {
			l.makeTable()
		}
		l.check()
		b, i := l.table.find(key)
		switch n := b.counts[i]; {
		case n == 0:
			return
		case n >= loose:
			l.from(entry{key, after}, key, yield)
			return
		}
		row := b.rows[i]
		for row != 0 {
			if o := l.owners[row-1]; o >= after {
				if after = o + 1; !yield(l.m.Objects.At(o)) || l.memory == nil {
					return
				}
				if l.Version() != version {
					break
				}
			}
			row = l.table.next[row-1]
		}
		if row == 0 {
			return
		}
	}
}

// from yields the objects of entries that are not before e, up to those of a key.
func (l *Lists) from(e entry, high uint64, yield func(gameobject.ID) bool) {
	l.ready()
	p, version := l.tree.seek(e), l.Version()
	for {
		e, ok := l.tree.get(&p)
		if !ok || e.key > high || !yield(l.m.Objects.At(e.object)) {
			return
		}
		p.i++
		if l.Version() != version {
			l.ready()
			p, version = l.tree.seek(entry{e.key, e.object + 1}), l.Version()
		}
	}
}

// Count returns how many objects have the keys from low to high.
func (l *Lists) Count(low, high uint64) (n int) {
	l.ready()
	if low > high {
		return 0
	}
	p := l.tree.seek(entry{key: low})
	for ; p.leaf < l.tree.leaves; p.leaf, p.i = p.leaf+1, 0 {
		keys, _ := l.tree.leaf(p.leaf)
		keys = keys[p.i:]
		if len(keys) > 0 && keys[len(keys)-1] > high {
			for _, k := range keys {
				if k > high {
					return n
				}
				n++
			}
		}
		n += len(keys)
	}
	return n
}

// Append appends all objects in order to dst.
func (l *Lists) Append(dst []uint32) []uint32 {
	l.ready()
	if l.texts != nil {
		return l.appendTexts(dst)
	}
	for leaf := range l.tree.leaves {
		_, objects := l.tree.leaf(leaf)
		dst = append(dst, objects...)
	}
	return dst
}
