package manager

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Keyed reports whether the kind has keys: its first field is a uint64, and RowOfKey finds the row
// of a value. Each is on one row at most; 0 is none.
func (m *Manager) Keyed() bool { return m.slots != nil }

func (m *Manager) keyOf(row uint32) uint64 {
	return binary.LittleEndian.Uint64(m.Columns[0].Bytes[int(row)*m.Columns[0].Stride:])
}

// table returns the slots that are searched. Those behind were never used.
func (m *Manager) table() []uint32 {
	return m.slots[:min(uint(1)<<(m.keys.Log&31), uint(len(m.slots)))]
}

// keyHome returns the slot of a table where the search for a key begins.
func keyHome(table []uint32, key uint64) uint32 {
	key = (key ^ key>>30) * 0xbf58476d1ce4e5b9 // the finalizer of SplitMix64
	key = (key ^ key>>27) * 0x94d049bb133111eb
	return uint32(key^key>>31) & uint32(len(table)-1)
}

// holds reports whether a row is on an object or keeps the values of one.
func (m *Manager) holds(row uint32) bool {
	use, _ := m.owners.use(row)
	return use == RowMounted || use == RowSuspended
}

// findKey returns the slot of a key, and whether it is in one.
func (m *Manager) findKey(key uint64) (slot uint32, ok bool) {
	table := m.table()
	last := uint32(len(table) - 1)
	slot = keyHome(table, key)
	for range table {
		switch row := table[slot] - 1; {
		case table[slot] == 0:
			return 0, false
		case m.holds(row) && m.keyOf(row) == key:
			return slot, true
		}
		slot = (slot + 1) & last
	}
	return 0, false
}

// RowOfKey returns the row of a key, mounted or suspended, and whether there is one.
func (m *Manager) RowOfKey(key uint64) (row uint32, ok bool) {
	if key == 0 {
		return 0, false
	}
	slot, ok := m.findKey(key)
	if !ok {
		return 0, false
	}
	return m.slots[slot] - 1, true
}

// SetKey sets the key of a row on an object. The caller has checked that no other row has it.
func (m *Manager) SetKey(row uint32, key uint64) {
	binary.LittleEndian.PutUint64(m.Columns[0].Bytes[int(row)*m.Columns[0].Stride:], key)
	m.TouchRow(row)
	m.IndexKey(row)
}

// IndexKey finds a slot for the key of a row on an object, which was just written. Rows leave the
// slots as they are: a slot whose row has another key by now is used again when a search passes it,
// and if too few are left, all are made again, as many as the rows need by then.
func (m *Manager) IndexKey(row uint32) {
	m.reshape(row)
	if int(m.keys.Used) >= len(m.table())/4*3 {
		_ = m.makeSlots(false)
		return
	}
	m.giveSlot(row)
}

// giveSlot enters a row under its key.
func (m *Manager) giveSlot(row uint32) {
	key := m.keyOf(row)
	if key == 0 {
		return
	}
	table := m.table()
	last := uint32(len(table) - 1)
	slot := keyHome(table, key)
	for table[slot] != 0 && !m.stale(slot) {
		if table[slot] == row+1 {
			return
		}
		slot = (slot + 1) & last
	}
	if table[slot] == 0 {
		m.keys.Used++
	}
	table[slot] = row + 1
}

// stale reports whether no search ends at a slot that is not 0.
func (m *Manager) stale(slot uint32) bool {
	row := m.slots[slot] - 1
	if !m.holds(row) {
		return true
	}
	key := m.keyOf(row)
	found, ok := m.findKey(key)
	return key == 0 || !ok || found != slot
}

// rebuildKeys is makeSlots for a kind that may have no keys, or twice the same.
func (m *Manager) rebuildKeys() error {
	if !m.Keyed() {
		return nil
	}
	return m.makeSlots(true)
}

// makeSlots makes all slots again, for the rows that were ever used. If check, it returns an error
// if two rows have the same key.
func (m *Manager) makeSlots(check bool) error {
	clear(m.table())
	m.keys.Used, m.keys.Log = 0, uint32(bits.Len64(uint64(keySlots(int64(m.count.High))))-1)
	for row := range m.count.High {
		if !m.holds(row) {
			continue
		}
		if check {
			if other, twice := m.RowOfKey(m.keyOf(row)); twice {
				return fmt.Errorf("rows %d and %d both have %d", other, row, m.keyOf(row))
			}
		}
		m.giveSlot(row)
	}
	return nil
}

// verifyKeys checks that each row is found by its key.
func (m *Manager) verifyKeys() error {
	if !m.Keyed() {
		return nil
	}
	used := uint32(0)
	for _, s := range m.table() {
		if s != 0 {
			used++
		}
	}
	if n := len(m.table()); used != m.keys.Used || int(used) > n/4*3 {
		return fmt.Errorf("%d slots of %d are used, counted %d", used, n, m.keys.Used)
	}
	for row := range m.count.High {
		if !m.holds(row) || m.keyOf(row) == 0 {
			continue
		}
		if found, ok := m.RowOfKey(m.keyOf(row)); !ok || found != row {
			return fmt.Errorf("the key of row %d, %d, leads to row %d (%v)", row, m.keyOf(row),
				found, ok)
		}
	}
	return nil
}
