package manager

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
)

// reshape stamps a change of structure: an object got or lost the component in a row, or the row
// changed its use.
func (m *Manager) reshape(row uint32) {
	m.count.Shape = uint32(*m.tick)
	m.changes.reshape(row)
}

// reshapedSince reports whether the structure changed at tick or later. It may return true for an
// unchanged structure if the last change is more than 2³¹ ticks old.
func (m *Manager) reshapedSince(tick uint64) bool {
	if lastTurn(m) >= tick {
		return true
	}
	return int32(m.count.Shape-uint32(tick)) >= 0
}

// Touch stamps n rows from row on with the world's tick. Stamps are kept per 64 rows.
func (m *Manager) Touch(row, n uint32) {
	if n == 0 {
		return
	}
	m.wroteMany()
	m.stamp(row, n)
}

// stamp is Touch for rows that hold what they held, or the defaults.
func (m *Manager) stamp(row, n uint32) {
	t := *m.tick
	m.count.Changed = t
	m.changed[row>>6] = t
	for i, last := row>>6+1, (row+n-1)>>6; i <= last; i++ {
		m.changed[i] = t
	}
}

// TouchRow stamps a row with the world's tick.
func (m *Manager) TouchRow(row uint32) {
	t := *m.tick
	m.Written++
	m.changes.wrote[m.Written%Recent] = row
	m.count.Changed = t
	*buffer.At[uint64](m.changedBase, int(row>>6)) = t
}

// ToStamp returns the stamps of the rows, one per 64, as a view of the world, and the tick to write
// there. Whoever stamps a row calls Stamped afterwards.
func (m *Manager) ToStamp() (stamps []uint64, tick uint64) { return m.changed, *m.tick }

// StampOf returns the tick at which one of the 64 rows of a word was last written or mounted.
func (m *Manager) StampOf(word uint32) uint64 {
	t := m.changed[word]
	if ByBlock(m) && m.owners.isGiven(word<<6) {
		t = max(t, spawnedIn(m, m.owners.home(word<<6)>>6))
	}
	return t
}

// Stamped records that rows were stamped.
func (m *Manager) Stamped() {
	m.wroteMany()
	m.count.Changed = *m.tick
}

// TouchRows stamps rows with the world's tick. rows must not be empty.
func (m *Manager) TouchRows(rows []uint32) {
	t, changed := *m.tick, m.changed
	m.wroteMany()
	m.count.Changed = t
	for _, r := range rows {
		changed[r>>6] = t
	}
}

// TouchAscending is TouchRows for rows that ascend.
func (m *Manager) TouchAscending(rows []uint32) {
	const stretch = 8 // rows of one word are passed over by as many
	if rows[len(rows)-1]-rows[0] > uint32(2*len(rows)) {
		m.TouchRows(rows)
		return
	}
	t, changed := *m.tick, m.changed
	m.wroteMany()
	m.count.Changed = t
	for len(rows) > 0 {
		word, n := rows[0]>>6, 1
		changed[word] = t
		for n+stretch <= len(rows) && rows[n+stretch-1]>>6 == word {
			n += stretch
		}
		for n < len(rows) && rows[n]>>6 == word {
			n++
		}
		rows = rows[n:]
	}
}

// Revise replaces each recorded id in a field by what resolve returns, in rows that were written at
// tick since or later, and stamps the rows it changes. offsets are the byte offsets of the ids
// within a row.
func (m *Manager) Revise(
	field int, offsets []int, since uint64, resolve func(gameobject.ID) gameobject.ID,
) {
	m.checkChanged()
	if m.count.Changed < since && lastTurn(m) < since {
		return
	}
	c := &m.Columns[field]
	words, stride := buffer.Span[gameobject.ID](c.Base, 0, len(c.Bytes)/8), c.Stride/8
	for w := range int(m.count.High+63) / 64 {
		if m.StampOf(uint32(w)) < since {
			continue
		}
		end := min((w+1)<<6, int(m.count.High)) * stride
		if reviseRows(words[w<<6*stride:end], offsets, stride, resolve) {
			m.Touch(uint32(w<<6), uint32(end/stride-w<<6))
		}
	}
}

// reviseRows is Revise for consecutive rows. It reports whether it changed any.
func reviseRows(
	ids []gameobject.ID, offsets []int, stride int, resolve func(gameobject.ID) gameobject.ID,
) (changed bool) {
	for _, at := range offsets {
		for i := at / 8; i < len(ids); i += stride {
			if id := ids[i]; id.Recorded() {
				ids[i] = resolve(id)
				changed = changed || ids[i] != id
			}
		}
	}
	return changed
}

// Overwritten says that all bytes may have changed other than by the managers' methods: nothing
// that was derived of them before is valid.
func (a *Arena) Overwritten() {
	for i := range a.Managers {
		a.Managers[i].wroteMany()
		a.Managers[i].changes.reshape(many)
	}
	a.Replaced++
}
