package index

import "github.com/flatecs/flatecs/buffer"

// A Table finds the objects of a kind by the values of one field, or by its texts.
type Table struct {
	Guard
	memory  *buffer.Range
	room    int // rows that the memory is for
	column  column
	chains  chains
	tree    tree
	waiting waiting // what the tree does not have yet
	spare   pairs   // scratch to sort
}

// What of a Table is valid at the settled version.
const (
	validChains uint32 = 1 << iota
	validTree
)

// Held returns the objects of a block that have the kind.
func (t *Table) Held(block uint32) uint64 { return t.M.Blocks.Present(block) }

// ready makes chains or tree valid.
func (t *Table) ready(what uint32) {
	if !t.Has(t.Version(), what) {
		t.Make(what, t)
	}
	t.check()
}

// Settle makes the column as it is now, and tells chains and tree the rows that differ, unless that
// costs more than to derive them.
func (t *Table) Settle(uint32) uint32 {
	if high := t.M.Rows.High(); high > t.room || t.memory == nil {
		t.reserve(high)
	}
	most := changesFor(t.M.Rows.High())
	if t.settled.Load() == 0 || !t.column.changes(most, t.move) {
		t.column.copyAll()
		t.tree.valid, t.chains.valid = false, false
	}
	t.column.settle()
	return 0
}

// Derive makes chains or tree those of the column, which is settled.
func (t *Table) Derive(valid, what uint32) uint32 {
	if what == validChains {
		t.makeChains()
	} else {
		t.makeTree()
	}
	return valid | what
}

// move makes the entry of a row in chains and tree the one that it has now.
func (t *Table) move(c change) {
	if t.tree.valid = t.tree.valid && !t.waiting.full(); t.tree.valid {
		t.waiting.note(c)
	}
	if c.was && t.chains.valid {
		t.chains.leave(t.column.owners, c.row, c.old)
	}
	if c.is && t.chains.valid {
		t.chains.enter(t.column.owners, c.row, c.now)
	}
}

// least is for how many rows memory is reserved at least, where there are as many.
const least = 4096

// reserve makes memory for so many rows, and as many more.
func (t *Table) reserve(rows int) {
	t.free()
	n := min(max(2*rows, least), t.M.Rows.Cap())
	memory, bytes := Reserve(func(c *Cutter) {
		t.column.carve(c, n)
		t.tree.carve(c, n)
		t.chains.carve(c, n)
		t.waiting.carve(c, n)
		t.spare = carvePairs(c, max(n, changesFor(n)))
	})
	if memory == nil {
		panic(t.column.arena.TooLarge("an index of "+t.column.keys.field.String(), bytes))
	}
	memory.Use(0, int(bytes), int(bytes))
	t.memory, t.room = memory, n
}

// free releases the memory. What loops over the table are at is their end then.
func (t *Table) free() {
	t.memory.Free()
	t.memory, t.room = nil, 0
	t.tree, t.chains, t.waiting = tree{}, chains{}, waiting{}
	t.settled.Store(0)
}
