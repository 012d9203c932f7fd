package manager

import (
	"bytes"
	"fmt"
	"math/bits"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// MaxTick is the last tick of a world. The first is 1.
const MaxTick = 1<<63 - 1

// Rebuild checks the truth of a world, which may be arbitrary bytes, and derives everything else
// from it. The error names the first inconsistency; the world is then unusable. Rebuild allocates
// little and takes a few nanoseconds per object and row.
func (a *Arena) Rebuild() error {
	if t := *a.Tick; t == 0 || t > MaxTick {
		return fmt.Errorf("flatecs: no world is at tick %d; the first is 1", t)
	}
	if err := a.Objects.Rebuild(a.sizes.InOrder); err != nil {
		return err
	}
	clearRecords(a.kinds)
	for i := range a.Managers {
		if err := a.Managers[i].Rebuild(); err != nil {
			return fmt.Errorf("flatecs: %s: %w", layout.Quoted(a.Managers[i].Kind.Name),
				err)
		}
	}
	for i := range a.Watchers {
		if err := a.Watchers[i].rebuild(); err != nil {
			return fmt.Errorf("flatecs: watcher %d: %w", i, err)
		}
	}
	return nil
}

// Rebuild is [Arena.Rebuild] for one kind. The objects must be rebuilt, and the kind's bits in
// kinds per block cleared.
func (m *Manager) Rebuild() error {
	clearRecords(m.Groups)
	check := m.rebuildRows
	if m.Kind.Mark {
		check = m.checkMarks
	}
	if err := check(); err != nil {
		return err
	}
	for k := range (m.Objects.Count.High + 63) / 64 {
		b := &m.Blocks[k]
		if b.Present|b.Suspended != 0 {
			w := &m.kinds
			w.words[int(k)*w.stride+w.word] |= w.bit
		}
		if b.Present != 0 {
			m.Groups[k>>6].Any |= 1 << (k & 63)
			if m.whole(k) {
				m.Groups[k>>6].Whole |= 1 << (k & 63)
			}
		}
	}
	return nil
}

func (m *Manager) checkMarks() error {
	var marked uint32
	alive := m.Objects.Words()
	for k := range (m.Objects.Count.High + 63) / 64 {
		b := m.Blocks[k]
		if b != (Block{Present: b.Present}) || b.Present&^alive[k] != 0 {
			return fmt.Errorf("block %d is %+v, of live objects %x", k, b, alive[k])
		}
		marked += uint32(bits.OnesCount64(b.Present))
	}
	c := m.count
	if want := (counters{Mounted: marked, Shape: c.Shape, Changed: c.Changed}); *c != want {
		return fmt.Errorf("%d marked, counted %+v", marked, *c)
	}
	return nil
}

// rowCount counts the rows by use, as rebuildRows finds them.
type rowCount struct{ mounted, loose, suspended, free uint32 }

func (m *Manager) rebuildRows() error {
	c := m.count
	if c.High > uint32(m.Cap()) || c.Search > c.High || c.Changed > *m.tick {
		return fmt.Errorf("counters %+v do not fit %d rows at tick %d", *c, m.Cap(), *m.tick)
	}
	clear(m.pages[:min(int(m.spare.High), len(m.pages))])
	*m.spare = pageCounters{}
	for k := range m.Blocks[:(m.Objects.Count.High+63)/64] {
		if b := (Block{Base: m.bases[k]}); m.Blocks[k] != b {
			m.Blocks[k] = b
		}
	}
	m.prepare(c.High)
	n, err := m.rebuildMounted()
	if err == nil {
		err = m.checkSlabs()
	}
	if err == nil {
		err = m.checkList(n.free)
	}
	switch {
	case err != nil:
		return err
	case n.mounted != c.Mounted || n.loose != c.Loose || n.suspended != c.Suspended:
		return fmt.Errorf("%+v rows, counted %+v", n, *c)
	case m.packed:
		if err := m.checkPacked(); err != nil {
			return err
		}
	}
	return m.checkBools()
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

// rebuildMounted checks every row and mounts the rows on their objects.
func (m *Manager) rebuildMounted() (n rowCount, err error) {
	high := m.count.High
	for w := range (high + 63) / 64 {
		mounted, first := m.mounted[w], w<<6
		if left := high - first; left < 64 && mounted>>left != 0 || m.changed[w] > *m.tick {
			return n, fmt.Errorf("row %d and later ones: used %x, written at tick %d of %d", first,
				mounted, m.changed[w], *m.tick)
		}
		objects := m.objects[first:min(first+64, high)]
		if o := objects[0]; mounted == full && o&63 == 0 && inOrder(objects) {
			if err := m.giveBlock(o, first); err == nil { // else one by one, to find the error
				n.mounted += 64
				continue
			}
		}
		for i, o := range objects {
			if err := m.rebuildRow(&n, first+uint32(i), o, mounted>>i&1 != 0); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// inOrder reports whether 64 rows are on 64 neighbouring objects.
func inOrder(objects []uint32) bool {
	first, diff := objects[0], uint32(0)
	for i, o := range objects {
		diff |= o - first - uint32(i)
	}
	return diff == 0 && len(objects) == 64
}

// giveBlock mounts 64 consecutive rows from row on, on 64 consecutive objects from first on.
func (m *Manager) giveBlock(first, row uint32) error {
	k := first >> 6
	if first >= m.Objects.Count.High || m.Objects.Words()[k] != full ||
		m.Blocks[k].Present|m.Blocks[k].Suspended != 0 || row-first != m.bases[k] {
		return gameobject.ErrDead
	}
	m.Blocks[k].Present = full
	return nil
}

func (m *Manager) rebuildRow(n *rowCount, row, o uint32, mounted bool) error {
	switch {
	case mounted:
		n.mounted++
		return m.give(o, row, true)
	case o == unmounted:
		n.loose++
		return nil
	case o&^(suspended-1) == suspended:
		n.suspended++
		return m.give(o-suspended, row, false)
	case o&free != 0:
		n.free++
	case o != 0 || !m.inSlab(row) || row < m.count.Search:
		return fmt.Errorf("row %d is neither in use nor free", row)
	}
	if !m.isDefault(row) {
		return fmt.Errorf("row %d is free and does not hold the defaults", row)
	}
	return nil
}

// give mounts row on object, or suspends it.
func (m *Manager) give(object, row uint32, present bool) error {
	bit := uint64(1) << (object & 63)
	if object >= m.Objects.Count.High || m.Objects.Words()[object>>6]&bit == 0 {
		return fmt.Errorf("row %d is on object %d, which is dead", row, object)
	}
	b := &m.Blocks[object>>6]
	if (b.Present|b.Suspended)&bit != 0 {
		return fmt.Errorf("row %d is on object %d, which has another", row, object)
	}
	if row-object != b.Base {
		m.stray(b, object, row)
	}
	if present {
		b.Present |= bit
	} else {
		b.Suspended |= bit
	}
	return nil
}

// checkSlabs checks that the rows reserved for slabs are as many as counted, in whole slabs.
func (m *Manager) checkSlabs() error {
	var kept uint32
	for i := range (m.count.High + 4095) / 4096 {
		kept += 64 * uint32(bits.OnesCount64(m.slabs[i]))
		if end := m.count.High >> 6; end>>6 == i && m.slabs[i]>>(end&63) != 0 {
			return fmt.Errorf("rows after the last, %d, are kept for slabs", m.count.High)
		}
	}
	if kept != m.count.Reserved {
		return fmt.Errorf("%d rows are kept for slabs, counted %d", kept, m.count.Reserved)
	}
	return nil
}

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

// rebuild makes what is derived of a watcher anew, and checks the rest against the world.
func (r *Watcher) rebuild() error {
	clearRecords(r.touched)
	clearRecords(r.reported)
	r.count.Members = 0
	for k := range (r.Objects.Count.High + 63) / 64 {
		b := &r.blocks[k]
		r.count.Members += uint64(bits.OnesCount64(b.Members))
		if b.Touched != 0 {
			r.touched[k>>6] |= 1 << (k & 63)
		}
		if b.Left|b.Entered != 0 {
			r.reported[k>>6] |= 1 << (k & 63)
		}
	}
	return r.verify()
}

// ResetIdle sets every row that was used and is not in use to the defaults. It takes any bytes but
// in its own counters, which must not claim more rows than there are.
func (m *Manager) ResetIdle() {
	for row := range m.count.High {
		o := m.objects[row]
		if o == unmounted || o&^(suspended-1) == suspended || m.mounted[row>>6]>>(row&63)&1 != 0 {
			continue
		}
		for i := range m.Columns {
			m.Columns[i].Reset(int(row))
		}
		if m.Values != nil {
			m.Values.Reset(int(row))
		}
	}
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
