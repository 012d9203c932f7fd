package manager

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
)

// owners says what the rows of a kind are used for, and where those of a block are. It is the only
// place that selects its lists and a block's base: the rest of the package asks its methods.
type owners struct {
	objectBase  buffer.Base // of objects; of a kind by block, of its blocks
	mountedBase buffer.Base // of mounted
	homeBase    buffer.Base // of homes
	count       *counters   // of the manager

	objects []uint32 // per row: see free; none of a kind by block
	links   []uint32 // per row on the free list: the row disposed after it, plus 1; 0: none
	mounted []uint64 // a bit per row: is on an object
	homes   []uint32 // of a kind by block, per 64 rows: object minus row, plus 1; 0: of none
	bases   []uint32 // per block: row minus object
}

// carveOwners cuts the lists, and the stamps that lie among them. byBlock are the blocks of a kind
// that has its rows by block, or nil.
func carveOwners(
	c *buffer.Carver, o *owners, rows, blocks int, byBlock []blockRecord,
) (changed []uint64) {
	if byBlock != nil {
		o.objectBase = buffer.BaseOf(buffer.Bytes(byBlock))
		changed = buffer.Carve[uint64](c, (rows+63)/64)
		o.homes = buffer.Carve[uint32](c, (rows+63)/64)
		o.homeBase = buffer.BaseOf(buffer.Bytes(o.homes))
		return changed
	}
	o.bases = buffer.Carve[uint32](c, blocks)
	o.objects = buffer.Carve[uint32](c, rows)
	o.links = buffer.Carve[uint32](c, rows)
	changed = buffer.Carve[uint64](c, (rows+63)/64)
	o.mounted = buffer.Carve[uint64](c, (rows+63)/64)
	if rows > 0 {
		o.objectBase = buffer.BaseOf(buffer.Bytes(o.objects))
		o.mountedBase = buffer.BaseOf(buffer.Bytes(o.mounted))
	}
	return changed
}

// Cap returns the number of rows.
func (m *Manager) Cap() int {
	if ByBlock(m) {
		return int(m.rows)
	}
	return len(m.owners.objects)
}

// Owner returns the object of a row that is mounted.
func (m *Manager) Owner(row uint32) uint32 { return m.owners.of(row) }

// RowBits returns a bit for each of the 64 rows of a word that is on an object.
func (m *Manager) RowBits(word uint32) uint64 {
	if o := &m.owners; !ofBlocks(o) {
		return o.mounted[word]
	} else if home := o.homes[word]; home != 0 {
		return blockOf(o, (word<<6+home-1)>>6).Present
	}
	return 0
}

// row returns the row of an object of the block that is in lockstep, or its home row.
func (b *blockRecord) row(object uint32) uint32 { return object + b.Base }

// isAt reports whether the block's base is base.
func (b *blockRecord) isAt(base uint32) bool { return b.Base == base }

// setBase moves the home rows of a block.
func (o *owners) setBase(b *blockRecord, block, base uint32) {
	b.Base, o.bases[block] = base, base
}

// blank returns the record of a block on whose objects no row is.
func (o *owners) blank(block int) blockRecord {
	if ofBlocks(o) {
		return blockRecord{Base: blockOf(o, uint32(block)).Base}
	}
	return blockRecord{Base: o.bases[block]}
}

// word returns what objects holds for a row that there is.
func (o *owners) word(row uint32) uint32 { return *buffer.At[uint32](o.objectBase, int(row)) }

// setWord is the counterpart of word.
func (o *owners) setWord(row, word uint32) { *buffer.At[uint32](o.objectBase, int(row)) = word }

// words returns word of n rows, as a view.
func (o *owners) words(row, n uint32) []uint32 { return o.objects[row : row+n] }

// isMounted reports whether a row is on an object.
func (o *owners) isMounted(row uint32) bool {
	if ofBlocks(o) {
		return o.isGiven(row) && blockOf(o, o.home(row)>>6).Present>>(row&63)&1 != 0
	}
	return o.mounted[row>>6]>>(row&63)&1 != 0
}

// homeOf returns the word of homes of a row that there is, of a kind by block.
func (o *owners) homeOf(row uint32) uint32 { return *buffer.At[uint32](o.homeBase, int(row>>6)) }

// home returns the object whose a row is, of a kind by block.
func (o *owners) home(row uint32) uint32 { return row + o.homes[row>>6] - 1 }

// isGiven reports whether a row belongs to a block, of a kind by block.
func (o *owners) isGiven(row uint32) bool { return o.homes[row>>6] != 0 }

// of returns the object of a row that is mounted.
func (o *owners) of(row uint32) uint32 {
	if ofBlocks(o) {
		return o.home(row)
	}
	return o.objects[row]
}

// use returns the use of a row that was used before, and the object of a mounted or suspended row.
func (o *owners) use(row uint32) (use RowUse, object uint32) {
	if ofBlocks(o) {
		return useByBlock(o, row)
	}
	switch word := o.objects[row]; {
	case o.isMounted(row):
		return RowMounted, o.of(row)
	case word == unmounted:
		return RowLoose, 0
	case word&(free|suspended) == suspended:
		return RowSuspended, word &^ suspended
	}
	return RowUnused, 0
}

// isFree reports whether a row is on the free list.
func (o *owners) isFree(row uint32) bool {
	return (!ofBlocks(o)) && row < o.count.High &&
		o.objects[row]-free < unmounted-free
}

// mount mounts a row on an object.
func (o *owners) mount(row, object uint32) {
	if o.objects[row] != object { // a page that was never written stays so
		o.objects[row] = object
	}
	o.mounted[row>>6] |= 1 << (row & 63)
}

// mountOnAll mounts n rows, at most 64, on consecutive objects.
func (o *owners) mountOnAll(row, object, n uint32) {
	kernel.Iota(o.objects[row:row+n], object)
	o.mountRun(row, n, true)
}

// setMounted marks rows of a word, which there is, as mounted.
func (o *owners) setMounted(word uint32, x uint64) {
	*buffer.At[uint64](o.mountedBase, int(word)) |= x
}

// unmountBut marks the rows of a word, which there is, as unmounted, but for those of x.
func (o *owners) unmountBut(word uint32, x uint64) {
	*buffer.At[uint64](o.mountedBase, int(word)) &= x
}

// unmount notes that a row is on no object. What it is now, the caller says next.
func (o *owners) unmount(row uint32) { o.unmountBut(row>>6, ^(1 << (row & 63))) }

// mountRun marks n rows, at most 64, as mounted or as unmounted.
func (o *owners) mountRun(row, n uint32, on bool) {
	for at, end := row, row+n; at < end; {
		to := min(end, at|63+1)
		x := full >> (64 - (to - at)) << (at & 63)
		if w := &o.mounted[at>>6]; on {
			*w |= x
		} else {
			*w &^= x
		}
		at = to
	}
}

// loosen makes n rows loose.
func (o *owners) loosen(row, n uint32) {
	objects := o.objects[row : row+n]
	for i := range objects {
		objects[i] = unmounted
	}
}

// suspend lets a row keep the values of an object.
func (o *owners) suspend(row, object uint32) {
	o.unmount(row)
	o.objects[row] = suspended | object
}

// idle makes n unmounted rows as if they were never used.
func (o *owners) idle(row, n uint32) { clear(o.objects[row : row+n]) }

// reset forgets the first n rows.
func (o *owners) reset(n uint32) {
	clear(o.objects[:n])
	clear(o.links[:n])
	clear(o.mounted[:(n+63)/64])
}

// list puts an unmounted row on the free list.
func (o *owners) list(row uint32) {
	head := &o.count.Free
	o.objects[row], o.links[row] = free|*head, 0
	if *head != 0 {
		o.links[*head-1] = row + 1
	}
	*head = row + 1
}

// listAll is list for n rows, ascending.
func (o *owners) listAll(row, n uint32) {
	head := &o.count.Free
	if *head != 0 {
		o.links[*head-1] = row + 1
	}
	objects, links := o.objects[row:row+n], o.links[row:row+n]
	kernel.Iota(objects, free|row) // each row links to the one before it
	kernel.Iota(links, row+2)
	objects[0], links[n-1] = free|*head, 0
	*head = row + n
}

// unlink takes a row off the free list.
func (o *owners) unlink(row uint32) { o.cut(o.objects[row], o.links[row]) }

// cut removes the row between two rows from the free list.
func (o *owners) cut(next, before uint32) {
	if next != free {
		o.links[next-free-1] = before
	}
	if before != 0 {
		o.objects[before-1] = next
	} else {
		o.count.Free = next - free
	}
}

// unlinkRun takes n rows that are chained off the free list. Their links come out as if they had
// been taken one by one, ascending.
func (o *owners) unlinkRun(row, n uint32) { o.cut(o.objects[row], o.links[row+n-1]) }

// chained reports whether the rows first+i for each bit i of x are free, and neighbouring ones were
// disposed one after the other.
func (o *owners) chained(first uint32, x uint64) bool {
	var s, n uint32
	for x != 0 {
		s, n, x = NextRun(x)
		row := first + s
		if row >= o.count.High || o.count.High-row < n || !o.isFree(row) {
			return false
		}
		objects, next := o.objects[row : row+n][1:], free|(row+1)
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
func (o *owners) checkList(listed uint32) error {
	before := uint32(0)
	for next := o.count.Free; next != 0; next = o.objects[before-1] &^ free {
		if listed == 0 || next > o.count.High || !o.isFree(next-1) ||
			o.links[next-1] != before {
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
func (o *owners) checkUnlinked() error {
	for row, link := range o.links[:o.count.High] {
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
