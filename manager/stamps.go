package manager

import (
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
)

// Stamps record when the rows of a kind were written, and the last rows written. Data derived from
// values, outside the bytes, stay valid until Written or Reshaped changes.
type Stamps struct {
	base     buffer.Base // of list
	tick     *uint64     // of the world
	count    *counters   // of the manager
	list     []uint64    // per 64 rows: tick of the last change of any value
	Written  uint64      // changes of values, except to the defaults
	reshaped uint64      // changes of which objects have the component, except by recipes
	arena    *Arena      // its recipes change them, too
	bit      uint64      // of the kind in their masks
	rows     *Rows
	wrote    [Recent]uint32 // per change of values, by Written: its row, or many
	moved    [Recent]uint32 // per change of which objects have the component, by reshaped
}

// many stands for several rows; the stamps and the mounted bits tell which.
const many = ^uint32(0)

// Recent is how many changes of values, and how many of structure, a manager remembers with their
// rows, for caches that are updated after every few changes. It is a power of two.
const Recent = 16

// Touch stamps n rows from row on with the world's tick. Stamps are kept per 64 rows.
func (s *Stamps) Touch(row, n uint32) {
	if n == 0 {
		return
	}
	s.wroteMany()
	s.stamp(row, n)
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
// there. After stamping a row, call Stamped.
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
	const stretch = 8 // this many rows of one word are skipped at once
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

// Revise replaces each recorded id in a field by the result of resolve, in rows that were written
// at tick since or later, and stamps the rows it changes. offsets are the byte offsets of the ids
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

// Overwritten notes that all bytes may have changed other than by the managers' methods, which
// invalidates everything derived from them.
func (a *Arena) Overwritten() {
	for i := range a.Managers {
		a.Managers[i].Stamps.wroteMany()
		a.Managers[i].Stamps.remember(many)
	}
	a.Replaced++
}

// Reshaped returns how often the set of objects with the component changed.
//
//go:noinline
func (s *Stamps) Reshaped() uint64 {
	n := s.reshaped
	for i := range s.arena.recipes.list {
		if r := &s.arena.recipes.list[i]; r.mask&s.bit != 0 {
			n += r.turned
		}
	}
	return n
}

// RecentRows appends to dst the rows that changed since Written and Reshaped returned written and
// shaped: rows whose values changed, and rows in which an object got or lost the component. It may
// list other rows too, and a row several times. It returns false if there were too many changes to
// remember or for dst, or a change of many rows.
func RecentRows(m *Manager, dst []uint32, written, shaped uint64) (rows []uint32, ok bool) {
	turned := m.Stamps.Reshaped() - shaped // by the kind itself or by any of its recipes
	if m.Stamps.Written-written > Recent || turned > Recent {
		return dst, false
	}
	c := &m.Stamps
	for ; written != m.Stamps.Written; written++ {
		dst = append(dst, c.wrote[(written+1)%Recent])
	}
	for i := range min(turned, c.reshaped) {
		dst = append(dst, c.moved[(c.reshaped-i)%Recent])
	}
	for i := range c.arena.recipes.list {
		r := &c.arena.recipes.list[i]
		if r.mask&m.Blocks.kinds.bit == 0 {
			continue
		}
		n, most := min(turned, r.turned), uint64(len(r.objects))
		if n > most || uint64(cap(dst)-len(dst)) < n {
			return dst, false
		}
		for i := range n {
			object := r.objects[(r.turned-i)%most]
			dst = append(dst, m.Blocks.list[object>>6].row(object))
		}
	}
	return dst, !slices.Contains(dst, many)
}

// Changed returns the objects among x of a block whose values may have been written after tick. All
// of x must have the component. It misses no write, but may include objects whose neighbours were
// written.
func (m *Manager) Changed(block uint32, x uint64, tick uint64) uint64 {
	checkChanged(m)
	if m.count.Changed <= tick && !ByBlock(m) {
		return 0
	}
	checkBlock(&m.Blocks, block)
	b := &m.Blocks.list[block]
	first := b.row(block << 6)  // row of the block's first object, if it is in lockstep
	low := full >> (first & 63) // objects whose rows share a stamp with it
	even, odd := x&^b.Odd, x&b.Odd
	if ByBlock(m) && m.Stamps.spawnedIn(block) > tick {
		return x
	}
	if even&low != 0 && m.Stamps.list[first>>6] <= tick {
		even &^= low
	}
	if even&^low != 0 && m.Stamps.list[(first+63)>>6] <= tick {
		even &= low
	}
	for o := odd; o != 0; o &= o - 1 {
		bit := o & -o
		if row, _ := m.Blocks.oddRow(b,
			block<<6+uint32(bits.TrailingZeros64(o))); m.Stamps.list[row>>6] <= tick {
			odd &^= bit
		}
	}
	return even | odd
}

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

// stamp is Touch for rows that keep their values, or get the defaults.
func (s *Stamps) stamp(row, n uint32) {
	t := *s.tick
	s.count.Changed = t
	s.list[row>>6] = t
	for i, last := row>>6+1, (row+n-1)>>6; i <= last; i++ {
		s.list[i] = t
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

// remember counts a change of structure in a row.
func (s *Stamps) remember(row uint32) {
	s.reshaped++
	s.moved[s.reshaped%Recent] = row
}

// wroteMany counts a change of the values of several rows.
func (s *Stamps) wroteMany() {
	s.Written++
	s.wrote[s.Written%Recent] = many
}

// reshapeMany is reshape for several rows.
func (s *Stamps) reshapeMany() {
	s.count.Shape = uint32(*s.tick)
	s.remember(many)
}

// lastTurn returns the tick at which an object was last spawned or disposed with a kind by its
// recipe, or a later tick.
func (s *Stamps) lastTurn() (t uint64) {
	a := s.arena
	for i := range a.recipes.list {
		if a.recipes.list[i].mask&s.bit != 0 {
			t = max(t, *turnOf(a, i+1))
		}
	}
	return t
}

// spawnedIn returns the tick at which an object of a slab was last spawned in a block, or 0. It
// counts for all kinds by block, also those that the recipe lacks: which kinds a recipe has is not
// in the bytes, and a world that was loaded goes on as the one that was saved.
func (s *Stamps) spawnedIn(block uint32) uint64 {
	if s.arena.recipeOf(block) == &noRecipe {
		return 0
	}
	return s.arena.recipes.spawned[block]
}
