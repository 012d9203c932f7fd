package index

import "github.com/flatecs/flatecs/buffer"

// A Table finds the objects of a kind by the values of one field, or by its texts.
type Table struct {
	Guard
	memory  *buffer.Range
	room    int // rows for which there is memory
	column  column
	chains  chains
	tree    tree
	waiting waiting // changes that the tree lacks
	spare   pairs   // scratch for sorting
}

// The derived parts of a Table, valid at the settled version.
const (
	validChains uint32 = 1 << iota
	validTree
)

// Held returns the objects of a block that have the kind.
func (t *Table) Held(block uint32) uint64 { return t.M.Blocks.Present(block) }

// ready updates chains or tree.
func (t *Table) ready(what uint32) {
	if !t.Has(t.Version(), what) {
		t.Make(what, t)
	}
	t.check()
}

// Settle updates the column, and passes the rows that differ to chains and tree, unless deriving
// them costs less.
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

// Derive derives chains or tree from the column, which is settled.
func (t *Table) Derive(valid, what uint32) uint32 {
	if what == validChains {
		t.makeChains()
	} else {
		t.makeTree()
	}
	return valid | what
}

// move replaces the old entry of a row by the new one in chains and tree.
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

// least is the minimum number of rows for which memory is reserved, if the kind has as many.
const least = 4096

// reserve allocates memory for rows rows, and as many more.
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

// free releases the memory. Open loops over the table then end.
func (t *Table) free() {
	t.memory.Free()
	t.memory, t.room = nil, 0
	t.tree, t.chains, t.waiting = tree{}, chains{}, waiting{}
	t.settled.Store(0)
}
