package order

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// Lists are what is derived from one field. Several goroutines may ask at once while nobody writes
// to the world.
type Lists struct {
	field *layout.FieldSpec
	m     *manager.Manager
	arena *manager.Arena
	keys  keys
	texts *texts // nil: the values are keys

	lock              sync.Mutex    // to derive
	settled           uint64        // the version of which copied, owners and mounted tell; 0: none
	listed, sorted    atomic.Uint64 // the versions of which table and tree tell; 0: none
	written, reshaped uint64        // of the manager when settled
	replaced          uint64        // of the arena
	tick              uint64        // of the world

	memory *buffer.Range
	room   int // rows that the memory is for

	copied  []byte   // the column as table and tree have it
	owners  []uint32 // per row: its object
	mounted []uint64 // a bit per row: is on its object
	high    int      // rows of which they tell

	table   table
	tree    tree
	waiting waiting // what the tree does not have yet

	spare pairs // scratch to sort
	rows  [2 * manager.Recent]uint32
}

// Version becomes another one when the field's values, or the objects that have the kind, may be
// others.
func (l *Lists) Version() uint64 { return l.m.Written + l.m.Reshaped() + 1 }

// Held returns the objects of a block that have the kind.
func (l *Lists) Held(block uint32) uint64 { return l.m.Present(block) }

// ready makes the tree valid.
func (l *Lists) ready() {
	if l.sorted.Load() != l.Version() {
		l.makeTree()
	}
	l.check()
}

// makeTree makes the tree that of the column.
//
//go:noinline
func (l *Lists) makeTree() {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.settle()
	l.sort()
}

// makeTable makes the table that of the column.
//
//go:noinline
func (l *Lists) makeTable() {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.settle()
	if !l.table.valid {
		l.deriveTable()
	}
	for _, key := range l.table.headless {
		l.findFirst(key)
	}
	l.table.headless = l.table.headless[:0]
	l.listed.Store(l.settled)
}

// settle makes copied, owners and mounted those of the column, and tells table and tree, if they
// are valid, what was changed.
func (l *Lists) settle() {
	version := l.Version()
	if l.settled == version { // for another question
		return
	}
	if high := l.m.MaxIndex(); high > l.room || l.memory == nil {
		l.reserve(high)
	}
	if l.settled == 0 || !l.follow() {
		l.copyAll()
	}
	l.written, l.reshaped, l.replaced = l.m.Written, l.m.Reshaped(), l.arena.Replaced
	l.tick = *l.arena.Tick
	l.settled = version
}

// sort makes the tree that of the column, after settle.
func (l *Lists) sort() {
	if l.sorted.Load() == l.settled {
		return
	}
	if !l.tree.valid || !l.waiting.apply(&l.tree, l.spare) {
		l.deriveTree()
	}
	l.sorted.Store(l.settled)
}

// least is for how many rows memory is reserved at least, where there are as many.
const least = 4096

// reserve makes memory for so many rows, and as many more.
func (l *Lists) reserve(rows int) {
	l.free()
	n := min(max(2*rows, least), l.m.Cap())
	words, spare := (n+63)/64, max(n, changesFor(n))
	all := int64(words)*(64*int64(l.keys.size)+64*4+8) + 3*buffer.Align + treeSize(n) +
		tableSize(n) + waitingSize(n) + int64(spare)*12 + 2*buffer.Align
	ok := false
	if all <= math.MaxInt {
		l.memory, ok = buffer.Reserve(int(all), 0)
	}
	if !ok {
		panic(l.arena.TooLarge("an index of "+l.field.String(), all))
	}
	l.memory.Use(0, int(all), int(all))
	c := &buffer.Carver{Bytes: l.memory.Bytes}
	l.copied = buffer.Carve[byte](c, 64*words*l.keys.size)
	l.owners, l.mounted = buffer.Carve[uint32](c, 64*words), buffer.Carve[uint64](c, words)
	l.tree.carve(c, n)
	l.table.carve(c, n)
	l.waiting.carve(c, n)
	l.spare = carvePairs(c, spare)
	l.room = n
}

// free releases the memory. What loops over the lists are at is their end then.
func (l *Lists) free() {
	l.memory.Free()
	l.memory, l.room, l.settled = nil, 0, 0
	l.tree, l.table, l.waiting = tree{}, table{}, waiting{}
	l.listed.Store(0)
	l.sorted.Store(0)
}
