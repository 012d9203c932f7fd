package manager

import (
	"bytes"
	"fmt"
)

func isDefault(m *Manager, row uint32) bool {
	for i := range m.Data.Columns {
		if c := &m.Data.Columns[i]; !bytes.Equal(c.Bytes[int(row)*c.Stride:][:c.Stride],
			m.Kind.Fields[i].Default) {
			return false
		}
	}
	return true
}

// checkBools checks that every bool in the columns is 0 or 1.
func checkBools(m *Manager) error {
	for i, f := range m.Kind.Fields {
		if err := f.Check(m.Data.Columns[i].Bytes[:int(m.count.High)*f.Stride], 0); err != nil {
			return err
		}
	}
	return nil
}

// checkPacked checks that a packed kind has no free rows and no remains of them, which would
// survive when rows move.
func checkPacked(m *Manager) error {
	if c := m.count; c.Mounted != c.High {
		return fmt.Errorf("counters %+v are not those of %d packed rows", *c, c.High)
	}
	return checkUnlinked(&m.Rows)
}

func checkMarks(m *Manager) error {
	alive := m.Objects.Words()
	for k := range (m.Objects.Count.High + 63) / 64 {
		b := m.Blocks.list[k]
		if b != (blockRecord{Present: b.Present}) || b.Present&^alive[k] != 0 {
			return fmt.Errorf("block %d is %+v, of live objects %x", k, b, alive[k])
		}
	}
	c := m.count
	if want := (counters{Shape: c.Shape, Changed: c.Changed}); *c != want {
		return fmt.Errorf("a mark has no rows, counted %+v", *c)
	}
	return nil
}
