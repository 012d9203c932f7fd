package manager

import (
	"fmt"
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Rows record the use of the rows of a kind, and the rows of each block. Only this type selects
// among its lists: the rest of the package calls its methods.
type Rows struct {
	objectBase  buffer.Base // of objects; for a kind by block, of its blocks
	mountedBase buffer.Base // of mounted
	homeBase    buffer.Base // of homes
	fixed       uint        // rows that stay where they are; 0: a mark, or packed
	count       *counters   // of the manager

	objects []uint32 // per row: see free; empty for a kind by block
	links   []uint32 // per row on the free list: the row disposed after it, plus 1; 0: none
	mounted []uint64 // a bit per row: is on an object
	homes   []uint32 // for a kind by block, per 64 rows: object minus row, plus 1; 0: no object

	registry *gameobject.Registry
	kind     *layout.KindSpec
}

// The values of objects, per row: the object that the row is mounted on; unmounted; free plus the
// row disposed before it plus 1; suspended plus the object whose values it keeps. A row that was
// never used holds 0.
const (
	free      = uint32(1) << 31
	suspended = uint32(1) << 30
	unmounted = ^uint32(0)
)

// A RowUse is the use of a row.
type RowUse uint8

// Uses of a row.
const (
	RowUnused    RowUse = iota // disposed, or never used
	RowMounted                 // on an object
	RowLoose                   // created, and on no object yet
	RowSuspended               // keeps the values of an object that lost the component
)

// Cap returns the number of rows.
func (r *Rows) Cap() int {
	if ofBlocks(r) {
		return int(r.fixed)
	}
	return len(r.objects)
}

// Owner returns the object of a row that is mounted.
func (r *Rows) Owner(row uint32) uint32 {
	if ofBlocks(r) {
		return r.home(row)
	}
	return r.objects[row]
}

// Bits returns a bit for each of the 64 rows of a word that is on an object.
func (r *Rows) Bits(word uint32) uint64 {
	if !ofBlocks(r) {
		return r.mounted[word]
	} else if home := r.homes[word]; home != 0 {
		return blockOf(r, (word<<6+home-1)>>6).Present
	}
	return 0
}

// Use returns the use of a row, and the object of a mounted or suspended row. Unlike
// [Manager.ObjectOf] it accepts any row.
func (r *Rows) Use(row layout.Row) (use RowUse, object uint32) {
	if row >= layout.Row(r.count.High) {
		return RowUnused, 0
	}
	return r.use(uint32(row))
}

// Loose returns the number of rows in use that are not on an object yet.
func (r *Rows) Loose() int { return int(r.count.Loose) }

// Suspended returns the number of rows that keep the values of objects without the component.
func (r *Rows) Suspended() int { return int(r.count.Suspended) }

// High returns the number of rows that were ever used. Every row in use is below it.
func (r *Rows) High() int { return int(r.count.High) }

// IDs writes the ids of the objects that the listed rows are mounted on to dst. All of the rows
// must be mounted.
func (r *Rows) IDs(dst []gameobject.ID, rows []uint32) {
	for i, row := range rows[:len(dst)] {
		dst[i] = r.registry.At(r.Owner(row))
	}
}

// IDsFrom is [Rows.IDs] for the rows from row on.
func (r *Rows) IDsFrom(dst []gameobject.ID, row uint32) {
	if !ofBlocks(r) {
		r.registry.AtRows(dst, r.words(row, uint32(len(dst))), 0)
		return
	}
	for len(dst) > 0 {
		n := min(64-row&63, uint32(len(dst)))
		r.registry.AtEach(dst[:n], r.home(row))
		dst, row = dst[n:], row+n
	}
}

// NextRun returns the start and the length of the lowest run of set bits of x, and x without it.
func NextRun(x uint64) (start, n uint32, rest uint64) {
	start = uint32(bits.TrailingZeros64(x))
	n = uint32(bits.TrailingZeros64(^(x >> start)))
	return start, n, x &^ (full >> (64 - n) << start)
}

// Runs yields the runs of mounted rows, ascending: the first row and the length of each. No row may
// be mounted or disposed during the loop.
func (r *Rows) Runs(yield func(row, n int) bool) {
	checkRows(r)
	row, n := 0, 0
	var s, c uint32
	for w := range int(r.count.High+63) / 64 {
		for x := r.Bits(uint32(w)); x != 0; {
			s, c, x = NextRun(x)
			if begin := w<<6 + int(s); row+n != begin {
				if n > 0 && !yield(row, n) {
					return
				}
				row, n = begin, 0
			}
			n += int(c)
		}
	}
	if n > 0 {
		yield(row, n)
	}
}

// Each yields the mounted rows, ascending. No row may be mounted or disposed during the loop.
func (r *Rows) Each(yield func(layout.Row) bool) {
	checkRows(r)
	for w := range (r.count.High + 63) / 64 {
		for x := r.Bits(w); x != 0; x &= x - 1 {
			if !yield(layout.Row(w<<6 + uint32(bits.TrailingZeros64(x)))) {
				return
			}
		}
	}
}

// Owners writes the objects that the rows from row on are mounted on to dst. For a row that is not
// mounted it writes an unspecified value.
func (r *Rows) Owners(dst []uint32, row uint32) {
	if !ofBlocks(r) {
		copy(dst, r.words(row, uint32(r.Cap())-row))
		return
	}
	for len(dst) > 0 {
		n := min(64-row&63, uint32(len(dst)))
		kernel.Iota(dst[:n], r.Owner(row))
		dst, row = dst[n:], row+n
	}
}

// String returns the name of the use.
func (u RowUse) String() string {
	return [...]string{"unused", "mounted", "loose", "suspended"}[u]
}

// carveRows cuts the lists of rows, and the stamps between them. The blocks of a kind by block are
// cut before.
func carveRows(m *Manager, c *buffer.Carver, rows, blocks int, byBlock bool) {
	r, words := &m.Rows, (rows+63)/64
	if byBlock {
		r.objectBase, r.fixed = buffer.BaseOf(buffer.Bytes(m.Blocks.list)), uint(rows)
		m.Stamps.list = buffer.Carve[uint64](c, words)
		r.homes = buffer.Carve[uint32](c, words)
		r.homeBase = buffer.BaseOf(buffer.Bytes(r.homes))
		return
	}
	m.Blocks.bases = buffer.Carve[uint32](c, blocks)
	r.objects = buffer.Carve[uint32](c, rows)
	r.links = buffer.Carve[uint32](c, rows)
	m.Stamps.list = buffer.Carve[uint64](c, words)
	r.mounted = buffer.Carve[uint64](c, words)
	if rows > 0 {
		r.objectBase = buffer.BaseOf(buffer.Bytes(r.objects))
		r.mountedBase = buffer.BaseOf(buffer.Bytes(r.mounted))
	}
}

// word returns the word of a row in objects. The row must exist.
func (r *Rows) word(row uint32) uint32 { return *buffer.At[uint32](r.objectBase, int(row)) }

// setWord is the counterpart of word.
func (r *Rows) setWord(row, word uint32) { *buffer.At[uint32](r.objectBase, int(row)) = word }

// words returns the words of n rows, as a view.
func (r *Rows) words(row, n uint32) []uint32 { return r.objects[row : row+n] }

// isMounted reports whether a row is on an object.
func (r *Rows) isMounted(row uint32) bool {
	if ofBlocks(r) {
		return r.isGiven(row) && blockOf(r, r.home(row)>>6).Present>>(row&63)&1 != 0
	}
	return r.mounted[row>>6]>>(row&63)&1 != 0
}

// homeOf returns the word of homes for an existing row of a kind by block.
func (r *Rows) homeOf(row uint32) uint32 { return *buffer.At[uint32](r.homeBase, int(row>>6)) }

// home returns the object that a row of a kind by block belongs to.
func (r *Rows) home(row uint32) uint32 { return row + r.homes[row>>6] - 1 }

// isGiven reports whether a row of a kind by block belongs to a block.
func (r *Rows) isGiven(row uint32) bool { return r.homes[row>>6] != 0 }

// use returns the use of a row that was used before, and the object of a mounted or suspended row.
func (r *Rows) use(row uint32) (use RowUse, object uint32) {
	if ofBlocks(r) {
		return useByBlock(r, row)
	}
	switch word := r.objects[row]; {
	case r.isMounted(row):
		return RowMounted, r.Owner(row)
	case word == unmounted:
		return RowLoose, 0
	case word&(free|suspended) == suspended:
		return RowSuspended, word &^ suspended
	}
	return RowUnused, 0
}

// isFree reports whether a row is on the free list.
func (r *Rows) isFree(row uint32) bool {
	return (!ofBlocks(r)) && row < r.count.High &&
		r.objects[row]-free < unmounted-free
}

// mount mounts a row on an object.
func (r *Rows) mount(row, object uint32) {
	if r.objects[row] != object { // a page that was never written stays so
		r.objects[row] = object
	}
	r.mounted[row>>6] |= 1 << (row & 63)
}

// mountOnAll mounts n rows, at most 64, on consecutive objects.
func (r *Rows) mountOnAll(row, object, n uint32) {
	kernel.Iota(r.objects[row:row+n], object)
	r.mountRun(row, n, true)
}

// setMounted marks the rows x of an existing word as mounted.
func (r *Rows) setMounted(word uint32, x uint64) {
	*buffer.At[uint64](r.mountedBase, int(word)) |= x
}

// unmountBut marks the rows of an existing word as unmounted, except x.
func (r *Rows) unmountBut(word uint32, x uint64) {
	*buffer.At[uint64](r.mountedBase, int(word)) &= x
}

// unmount marks a row as unmounted. The caller sets its new use next.
func (r *Rows) unmount(row uint32) { r.unmountBut(row>>6, ^(1 << (row & 63))) }

// mountRun marks n rows, at most 64, as mounted or as unmounted.
func (r *Rows) mountRun(row, n uint32, on bool) {
	for at, end := row, row+n; at < end; {
		to := min(end, at|63+1)
		x := full >> (64 - (to - at)) << (at & 63)
		if w := &r.mounted[at>>6]; on {
			*w |= x
		} else {
			*w &^= x
		}
		at = to
	}
}

// loosen makes n rows loose.
func (r *Rows) loosen(row, n uint32) {
	objects := r.objects[row : row+n]
	for i := range objects {
		objects[i] = unmounted
	}
}

// suspend lets a row keep the values of an object.
func (r *Rows) suspend(row, object uint32) {
	r.unmount(row)
	r.objects[row] = suspended | object
}

// idle makes n unmounted rows look as if they were never used.
func (r *Rows) idle(row, n uint32) { clear(r.objects[row : row+n]) }

// reset makes the first n rows look as if they were never used.
func (r *Rows) reset(n uint32) {
	clear(r.objects[:n])
	clear(r.links[:n])
	clear(r.mounted[:(n+63)/64])
}

// list puts an unmounted row on the free list.
func (r *Rows) list(row uint32) {
	head := &r.count.Free
	r.objects[row], r.links[row] = free|*head, 0
	if *head != 0 {
		r.links[*head-1] = row + 1
	}
	*head = row + 1
}

// listAll is list for n rows, ascending.
func (r *Rows) listAll(row, n uint32) {
	head := &r.count.Free
	if *head != 0 {
		r.links[*head-1] = row + 1
	}
	objects, links := r.objects[row:row+n], r.links[row:row+n]
	kernel.Iota(objects, free|row) // each row links to the one before it
	kernel.Iota(links, row+2)
	objects[0], links[n-1] = free|*head, 0
	*head = row + n
}

// unlink takes a row off the free list.
func (r *Rows) unlink(row uint32) { r.cut(r.objects[row], r.links[row]) }

// cut removes the row between two rows from the free list.
func (r *Rows) cut(next, before uint32) {
	if next != free {
		r.links[next-free-1] = before
	}
	if before != 0 {
		r.objects[before-1] = next
	} else {
		r.count.Free = next - free
	}
}

// unlinkRun takes n chained rows off the free list. The links come out as if the rows had been
// taken one by one, ascending.
func (r *Rows) unlinkRun(row, n uint32) { r.cut(r.objects[row], r.links[row+n-1]) }

// chained reports whether the rows first+i for each bit i of x are free, and neighbouring rows were
// disposed one after the other.
func (r *Rows) chained(first uint32, x uint64) bool {
	var s, n uint32
	for x != 0 {
		s, n, x = NextRun(x)
		row := first + s
		if row >= r.count.High || r.count.High-row < n || !r.isFree(row) {
			return false
		}
		objects, next := r.objects[row : row+n][1:], free|(row+1)
		for len(objects) >= 4 { // four at a time: hot path
			if w := objects; w[0] != next || w[1] != next+1 || w[2] != next+2 || w[3] != next+3 {
				return false
			}
			objects, next = objects[4:], next+4
		}
		for i, w := range objects {
			if w != next+uint32(i) {
				return false
			}
		}
	}
	return true
}

// checkList checks that the free list holds every free row once.
func checkList(r *Rows, listed uint32) error {
	before := uint32(0)
	for next := r.count.Free; next != 0; next = r.objects[before-1] &^ free {
		if listed == 0 || next > r.count.High || !r.isFree(next-1) ||
			r.links[next-1] != before {
			return fmt.Errorf("the free list leads to row %d, which is not free", int64(next)-1)
		}
		listed--
		before = next
	}
	if listed != 0 {
		return fmt.Errorf("%d free rows are on no free list", listed)
	}
	return nil
}

// checkUnlinked checks that no row has a link.
func checkUnlinked(r *Rows) error {
	for row, link := range r.links[:r.count.High] {
		if link != 0 {
			return fmt.Errorf("row %d is packed, and linked with row %d", row, int64(link)-1)
		}
	}
	return nil
}

// inOrder reports whether 64 rows are on 64 neighbouring objects.
func inOrder(objects []uint32) bool {
	first, diff := objects[0], uint32(0)
	for i, o := range objects {
		diff |= o - first - uint32(i)
	}
	return diff == 0 && len(objects) == 64
}

// ofBlocks reports whether the rows are given to blocks.
func ofBlocks(r *Rows) bool { return len(r.homes) > 0 }

// blockOf returns a block of a kind by block.
func blockOf(r *Rows, block uint32) *blockRecord {
	return buffer.At[blockRecord](r.objectBase, int(block))
}

// useByBlock is Rows.use for a kind by block.
func useByBlock(r *Rows, row uint32) (use RowUse, object uint32) {
	if !r.isGiven(row) {
		return RowUnused, 0
	}
	object = r.home(row)
	switch b, i := blockOf(r, object>>6), object&63; {
	case b.Present>>i&1 != 0:
		return RowMounted, object
	case b.Kept>>i&1 != 0:
		return RowSuspended, object
	}
	return RowUnused, 0
}
