package manager

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
)

// reshape stamps a change of structure: an object got or lost the component in a row, or the row
// changed its use.
func (s *Stamps) reshape(row uint32) {
	s.count.Shape = uint32(*s.tick)
	s.remember(row)
}

// reshapedSince reports whether the structure changed at tick or later. It may return true for an
// unchanged structure if the last change is more than 2³¹ ticks old.
func (s *Stamps) reshapedSince(tick uint64) bool {
	if s.lastTurn() >= tick {
		return true
	}
	return int32(s.count.Shape-uint32(tick)) >= 0
}

// Touch stamps n rows from row on with the world's tick. Stamps are kept per 64 rows.
func (s *Stamps) Touch(row, n uint32) {
	if n == 0 {
		return
	}
	s.wroteMany()
	s.stamp(row, n)
}

// stamp is Touch for rows that hold what they held, or the defaults.
func (s *Stamps) stamp(row, n uint32) {
	t := *s.tick
	s.count.Changed = t
	s.list[row>>6] = t
	for i, last := row>>6+1, (row+n-1)>>6; i <= last; i++ {
		s.list[i] = t
	}
}

// TouchRow stamps a row with the world's tick.
func (s *Stamps) TouchRow(row uint32) {
	t := *s.tick
	s.Written++
	s.wrote[s.Written%Recent] = row
	s.count.Changed = t
	*buffer.At[uint64](s.base, int(row>>6)) = t
}

// ToStamp returns the stamps of the rows, one per 64, as a view of the world, and the tick to write
// there. Whoever stamps a row calls Stamped afterwards.
func (s *Stamps) ToStamp() (stamps []uint64, tick uint64) { return s.list, *s.tick }

// Of returns the tick at which one of the 64 rows of a word was last written or mounted.
func (s *Stamps) Of(word uint32) uint64 {
	t := s.list[word]
	if r := s.rows; ofBlocks(r) && r.isGiven(word<<6) {
		t = max(t, s.spawnedIn(r.home(word<<6)>>6))
	}
	return t
}

// Stamped records that rows were stamped.
func (s *Stamps) Stamped() {
	s.wroteMany()
	s.count.Changed = *s.tick
}

// TouchRows stamps rows with the world's tick. rows must not be empty.
func (s *Stamps) TouchRows(rows []uint32) {
	t, changed := *s.tick, s.list
	s.wroteMany()
	s.count.Changed = t
	for _, r := range rows {
		changed[r>>6] = t
	}
}

// TouchAscending is TouchRows for rows that ascend.
func (s *Stamps) TouchAscending(rows []uint32) {
	const stretch = 8 // rows of one word are passed over by as many
	if rows[len(rows)-1]-rows[0] > uint32(2*len(rows)) {
		s.TouchRows(rows)
		return
	}
	t, changed := *s.tick, s.list
	s.wroteMany()
	s.count.Changed = t
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
func Revise(m *Manager,
	field int, offsets []int, since uint64, resolve func(gameobject.ID) gameobject.ID,
) {
	checkChanged(m)
	if m.count.Changed < since && m.Stamps.lastTurn() < since {
		return
	}
	c := &m.Data.Columns[field]
	words, stride := buffer.Span[gameobject.ID](c.Base, 0, len(c.Bytes)/8), c.Stride/8
	for w := range int(m.count.High+63) / 64 {
		if m.Stamps.Of(uint32(w)) < since {
			continue
		}
		end := min((w+1)<<6, int(m.count.High)) * stride
		if reviseRows(words[w<<6*stride:end], offsets, stride, resolve) {
			m.Stamps.Touch(uint32(w<<6), uint32(end/stride-w<<6))
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
		a.Managers[i].Stamps.wroteMany()
		a.Managers[i].Stamps.remember(many)
	}
	a.Replaced++
}
