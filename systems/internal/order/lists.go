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
	lock  sync.Mutex // to derive

	settled           atomic.Uint64 // the version of which all else tells; 0: none
	valid             bool          // the tree was that of copied, owners and mounted then
	written, reshaped uint64        // of the manager then
	replaced          uint64        // of the arena
	tick              uint64        // of the world
	listed            atomic.Uint64 // the version of which the table tells

	memory *buffer.Range
	room   int // rows that the memory is for

	copied  []byte   // the column as the tree has it
	owners  []uint32 // per row: its object
	mounted []uint64 // a bit per row: is on its object
	high    int      // rows of which they tell

	tree  tree
	table table

	sorted  []uint64 // keys: scratch
	objects []uint32 // of each
	rows    [2 * manager.Recent]uint32
}

// Version becomes another one when the field's values, or the objects that have the kind, may be
// others.
func (l *Lists) Version() uint64 { return l.m.Written + l.m.Reshaped + 1 }

// Held returns the objects of a block that have the kind.
func (l *Lists) Held(block uint32) uint64 { return l.m.Present(block) }

// ready makes the tree valid.
func (l *Lists) ready() {
	if l.settled.Load() != l.Version() {
		l.settle()
	}
	l.check()
}

// settle makes the version the settled one.
//
//go:noinline
func (l *Lists) settle() {
	l.lock.Lock()
	defer l.lock.Unlock()
	version := l.Version()
	if l.settled.Load() == version { // another goroutine was faster
		return
	}
	if high := l.m.MaxIndex(); high > l.room || l.memory == nil {
		l.reserve(high)
	}
	if !l.valid || !l.follow() {
		l.derive()
	}
	l.written, l.reshaped, l.replaced = l.m.Written, l.m.Reshaped, l.arena.Replaced
	l.tick = *l.arena.Tick
	if l.table.valid {
		l.listed.Store(version)
	}
	l.settled.Store(version)
}

// list makes the tree and the table valid.
//
//go:noinline
func (l *Lists) list() {
	l.ready()
	l.lock.Lock()
	defer l.lock.Unlock()
	if !l.table.valid {
		l.table.derive(&l.tree)
	}
	l.listed.Store(l.settled.Load())
}

// least is for how many rows memory is reserved at least, where there are as many.
const least = 4096

// reserve makes memory for so many rows, and as many more.
func (l *Lists) reserve(rows int) {
	l.free()
	n := min(max(2*rows, least), l.m.Cap())
	words := (n + 63) / 64
	all := int64(words)*(64*int64(l.keys.size)+64*4+8) + 3*buffer.Align + treeSize(n) +
		tableSize(n) + int64(n)*12 + 2*buffer.Align
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
	l.sorted, l.objects = buffer.Carve[uint64](c, n), buffer.Carve[uint32](c, n)
	l.room = n
}

// free releases the memory. What loops over the lists are at is their end then.
func (l *Lists) free() {
	l.memory.Free()
	l.memory, l.room, l.valid = nil, 0, false
	l.tree, l.table = tree{}, table{}
	l.settled.Store(0)
	l.listed.Store(0)
}
