package manager

import (
	"bytes"
	"fmt"
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
)

// checkList checks that the free list holds every free row once.
func (m *Manager) checkList(listed uint32) error {
	before := uint32(0)
	for next := m.count.Free; next != 0; next = m.objects[before-1] &^ free {
		if listed == 0 || next > m.count.High || !m.isFree(next-1) || m.inSlab(next-1) ||
			m.links[next-1] != before {
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

func (m *Manager) isDefault(row uint32) bool {
	for i := range m.Columns {
		if c := &m.Columns[i]; !bytes.Equal(c.Bytes[int(row)*c.Stride:][:c.Stride],
			m.Kind.Fields[i].Default) {
			return false
		}
	}
	return true
}

// checkBools checks that every bool in the columns is 0 or 1.
func (m *Manager) checkBools() error {
	for i, f := range m.Kind.Fields {
		if err := f.Check(m.Columns[i].Bytes[:int(m.count.High)*f.Stride], 0); err != nil {
			return err
		}
	}
	return nil
}

// checkPacked checks that a packed kind has no free rows and no leftovers of them: they would
// survive when rows move.
func (m *Manager) checkPacked() error {
	c := m.count
	if c.Mounted != c.High || c.Search|c.Reserved != 0 {
		return fmt.Errorf("counters %+v are not those of %d packed rows", *c, c.High)
	}
	for row, link := range m.links[:c.High] {
		if link != 0 {
			return fmt.Errorf("row %d is packed, and linked with row %d", row, int64(link)-1)
		}
	}
	return nil
}

// checkSlabs checks that the rows reserved for slabs are as many as counted, in whole slabs.
func (m *Manager) checkSlabs() error {
	var kept uint32
	high := m.count.High
	for w, home := range m.homes[:(high+63)/64] {
		switch {
		case home == 0:
		case (home-1)&63 != 0 || m.home(uint32(w<<6))>>6 >= uint32(m.blocksUsed()):
			return fmt.Errorf("rows from %d on are kept for objects from %d on, which is no block",
				w<<6, m.home(uint32(w<<6)))
		case uint32(w) == high>>6:
			return fmt.Errorf("rows after the last, %d, are kept for slabs", high)
		default:
			kept += 64
		}
	}
	if kept != m.count.Reserved {
		return fmt.Errorf("%d rows are kept for slabs, counted %d", kept, m.count.Reserved)
	}
	return nil
}

func (m *Manager) checkMarks() error {
	var marked uint32
	alive := m.Objects.Words()
	for k := range (m.Objects.Count.High + 63) / 64 {
		b := m.Blocks[k]
		if b != (Block{present: b.present}) || b.present&^alive[k] != 0 {
			return fmt.Errorf("block %d is %+v, of live objects %x", k, b, alive[k])
		}
		marked += uint32(bits.OnesCount64(b.present))
	}
	c := m.count
	if want := (counters{Mounted: marked, Shape: c.Shape, Changed: c.Changed}); *c != want {
		return fmt.Errorf("%d marked, counted %+v", marked, *c)
	}
	return nil
}

var zeroWords [64 * 4]byte

// allZero reports whether objects holds 0 for each of up to 64 rows.
//
//go:noinline
func allZero(objects []uint32) bool {
	return bytes.Equal(buffer.Bytes(objects), zeroWords[:4*len(objects)])
}

// inOrder reports whether 64 rows are on 64 neighbouring objects.
func inOrder(objects []uint32) bool {
	first, diff := objects[0], uint32(0)
	for i, o := range objects {
		diff |= o - first - uint32(i)
	}
	return diff == 0 && len(objects) == 64
}
