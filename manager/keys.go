package manager

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
)

// Keys find the rows of a keyed kind by the value of its first field, a uint64. At most one row has
// a given key; 0 is not a key.
type Keys struct {
	slots  []uint32 // rows by the hashes of their keys, plus 1
	count  *keyCounters
	column *buffer.Column
	rows   *Rows
	stamps *Stamps
}

// keyCounters are derived from the keys.
type keyCounters struct {
	Used uint32 // slots that are not 0
	Log  uint32 // log₂ of the number of slots in use
}

// of returns the key of a row.
func (k *Keys) of(row uint32) uint64 {
	return binary.LittleEndian.Uint64(k.column.Bytes[int(row)*k.column.Stride:])
}

// table returns the slots that are searched. The slots behind it were never used.
func (k *Keys) table() []uint32 {
	return k.slots[:min(uint(1)<<(k.count.Log&31), uint(len(k.slots)))]
}

// keyHome returns the slot of a table where the search for a key begins.
func keyHome(table []uint32, key uint64) uint32 {
	key = (key ^ key>>30) * 0xbf58476d1ce4e5b9 // the finalizer of SplitMix64
	key = (key ^ key>>27) * 0x94d049bb133111eb
	return uint32(key^key>>31) & uint32(len(table)-1)
}

// holds reports whether a row is on an object or keeps an object's values.
func (k *Keys) holds(row uint32) bool {
	use, _ := k.rows.use(row)
	return use == RowMounted || use == RowSuspended
}

// find returns the slot of a key, and whether a slot has it.
func (k *Keys) find(key uint64) (slot uint32, ok bool) {
	table := k.table()
	last := uint32(len(table) - 1)
	slot = keyHome(table, key)
	for range table {
		switch row := table[slot] - 1; {
		case table[slot] == 0:
			return 0, false
		case k.holds(row) && k.of(row) == key:
			return slot, true
		}
		slot = (slot + 1) & last
	}
	return 0, false
}

// Row returns the row of a key, mounted or suspended, and whether a row has the key.
func (k *Keys) Row(key uint64) (row uint32, ok bool) {
	if key == 0 {
		return 0, false
	}
	slot, ok := k.find(key)
	if !ok {
		return 0, false
	}
	return k.slots[slot] - 1, true
}

// Set sets the key of a row on an object. The caller has checked that no other row has it.
func (k *Keys) Set(row uint32, key uint64) {
	binary.LittleEndian.PutUint64(k.column.Bytes[int(row)*k.column.Stride:], key)
	k.stamps.TouchRow(row)
	k.Index(row)
}

// Index finds a slot for the key of a row on an object after the key was written. Removing a row
// does not change the slots: a slot whose row has another key is reused when a search passes it. If
// too few slots are left, Index rebuilds the table with as many slots as the rows need.
func (k *Keys) Index(row uint32) {
	k.stamps.reshape(row)
	if int(k.count.Used) >= len(k.table())/4*3 {
		_ = k.rebuild(false)
		return
	}
	k.give(row)
}

// give enters a row under its key.
func (k *Keys) give(row uint32) {
	key := k.of(row)
	if key == 0 {
		return
	}
	table := k.table()
	last := uint32(len(table) - 1)
	slot := keyHome(table, key)
	for table[slot] != 0 && !k.stale(slot) {
		if table[slot] == row+1 {
			return
		}
		slot = (slot + 1) & last
	}
	if table[slot] == 0 {
		k.count.Used++
	}
	table[slot] = row + 1
}

// stale reports whether no search ends at a slot that is not 0.
func (k *Keys) stale(slot uint32) bool {
	row := k.slots[slot] - 1
	if !k.holds(row) {
		return true
	}
	key := k.of(row)
	found, ok := k.find(key)
	return key == 0 || !ok || found != slot
}

// rebuild fills all slots again, for the rows that were ever used. With check, it returns an error
// if two rows have the same key.
func (k *Keys) rebuild(check bool) error {
	clear(k.table())
	k.count.Used, k.count.Log = 0, uint32(bits.Len64(uint64(keySlots(int64(k.rows.count.High))))-1)
	for row := range k.rows.count.High {
		if !k.holds(row) {
			continue
		}
		if check {
			if other, twice := k.Row(k.of(row)); twice {
				return fmt.Errorf("rows %d and %d both have %d", other, row, k.of(row))
			}
		}
		k.give(row)
	}
	return nil
}

// verify checks that each row is found by its key.
func (k *Keys) verify() error {
	used := uint32(0)
	for _, s := range k.table() {
		if s > k.rows.count.High {
			return fmt.Errorf("a slot leads to row %d of %d", s-1, k.rows.count.High)
		}
		used += min(s, 1)
	}
	if n := len(k.table()); used != k.count.Used || int(used) > n/4*3 {
		return fmt.Errorf("%d slots of %d are used, counted %d", used, n, k.count.Used)
	}
	for row := range k.rows.count.High {
		if !k.holds(row) || k.of(row) == 0 {
			continue
		}
		if found, ok := k.Row(k.of(row)); !ok || found != row {
			return fmt.Errorf("the key of row %d, %d, leads to row %d (%v)", row, k.of(row),
				found, ok)
		}
	}
	return nil
}
