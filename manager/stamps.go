package manager

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
)

// reshape notes a change of structure: of who has the component, or of any row's use.
func (m *Manager) reshape() { m.count.Shape = uint32(*m.tick) }

// reshapedSince reports whether the structure was changed at a tick or later. Where that was more
// than 2³¹ ticks ago, it may say so though it was not.
func (m *Manager) reshapedSince(tick uint64) bool {
	return int32(m.count.Shape-uint32(tick)) >= 0
}

// Touch stamps n rows from row on with the world's tick. Stamps are kept per 64 rows.
func (m *Manager) Touch(row, n uint32) {
	if n == 0 {
		return
	}
	t := *m.tick
	m.count.Changed = t
	stamps := m.changed[row>>6 : (row+n-1)>>6+1]
	for i := range stamps {
		stamps[i] = t
	}
}

// TouchRows stamps rows with the world's tick, at least one.
func (m *Manager) TouchRows(rows []uint32) {
	t, changed := *m.tick, m.changed
	m.count.Changed = t
	for _, r := range rows {
		changed[r>>6] = t
	}
}

// Revise puts what resolve returns in the place of each recorded id that a field holds, in rows
// that were written at a tick or later, and stamps those where that differs. The field's references
// lie at offsets, in bytes, of a row.
func (m *Manager) Revise(
	field int, offsets []int, since uint64, resolve func(gameobject.ID) gameobject.ID,
) {
	if m.count.Changed < since {
		return
	}
	c := &m.Columns[field]
	words, stride := buffer.Span[gameobject.ID](c.Base, 0, len(c.Bytes)/8), c.Stride/8
	for w, t := range m.changed[:(m.count.High+63)/64] {
		if t < since {
			continue
		}
		end := min((w+1)<<6, int(m.count.High)) * stride
		if reviseRows(words[w<<6*stride:end], offsets, stride, resolve) {
			m.Touch(uint32(w<<6), 1)
		}
	}
}

// reviseRows is Revise for rows side by side. It reports whether one was changed.
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
