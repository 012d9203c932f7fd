package index

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
)

// textOf returns the text of an object that has a text.
func (t *Table) textOf(object uint32) []byte {
	row, _ := t.M.RowOf(object)
	return t.column.keys.text(uint32(row))
}

// FirstOfText returns the first object with a text, if any. t must be by Hashes.
func (t *Table) FirstOfText(text string) (id gameobject.ID, ok bool) {
	id, n := t.First(maphash.String(t.column.keys.seed, text))
	if n == 0 || string(t.textOf(id.Index())) == text {
		return id, n != 0
	}
	t.OfText(text, func(of gameobject.ID) bool {
		id, ok = of, true
		return false
	})
	return id, ok
}

// OfText yields the objects with a text, ascending, until yield returns false. The loop may change
// the world, as in Each. t must be by Hashes.
func (t *Table) OfText(text string, yield func(gameobject.ID) bool) {
	t.OfKey(maphash.String(t.column.keys.seed, text), func(id gameobject.ID) bool {
		return string(t.textOf(id.Index())) != text || yield(id)
	})
}

// run appends the objects of the key at a place to dst, by text, then ascending, and moves the
// place behind them.
func (t *Table) run(dst []uint32, p *place) []uint32 {
	first, ok := t.tree.get(p)
	n := len(dst)
	for e := first; ok && e.key == first.key; e, ok = t.tree.get(p) {
		dst = append(dst, e.object)
		p.i++
	}
	if len(dst)-n > 1 {
		slices.SortStableFunc(dst[n:], func(a, b uint32) int {
			return bytes.Compare(t.textOf(a), t.textOf(b))
		})
	}
	return dst
}

// EachText yields the objects of the texts from low to high, like Each. t must be by Prefixes.
func (t *Table) EachText(low, high string, yield func(gameobject.ID) bool) {
	var run []uint32
	last, next := []byte(low), uint32(0) // the last text yielded, and the object behind the last
	for {
		t.ready(validTree)
		version := t.Version()
		for p := t.tree.seek(entry{key: t.column.keys.ofText(last)}); t.Version() == version; {
			if run = t.run(run[:0], &p); len(run) == 0 {
				return
			}
			for _, object := range run {
				text := t.textOf(object)
				if c := bytes.Compare(text, last); c < 0 || c == 0 && object < next {
					continue
				}
				if string(text) > high {
					return
				}
				last, next = append(last[:0], text...), object+1
				if !yield(t.M.Objects.At(object)) || t.memory == nil {
					return
				}
				if t.Version() != version {
					break
				}
			}
		}
	}
}

// appendTexts is Append for texts.
func (t *Table) appendTexts(dst []uint32) []uint32 {
	for p, n := (place{}), -1; n != len(dst); {
		n = len(dst)
		dst = t.run(dst, &p)
	}
	return dst
}
