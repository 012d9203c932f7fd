package manager

import (
	"fmt"
	"math/bits"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

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
	blocks := int(a.Objects.Count.High+63) / 64
	clearRecords(a.kinds[:blocks*a.Words])
	if hasEights(a) {
		clearRecords(a.eights[:8*blocks*a.Words])
	}
	for i := range a.Managers {
		if err := a.Managers[i].Rebuild(); err != nil {
			return fmt.Errorf("flatecs: %s: %w", layout.Quoted(a.Managers[i].Kind.Name), err)
		}
	}
	for i := range a.recipes.list {
		*turnOf(a, i+1) = *a.Tick // or before
	}
	if err := rebuildRecipes(a); err != nil {
		return err
	}
	if err := verifyLists(a); err != nil {
		return err
	}
	for i := range a.Watchers {
		if err := a.Watchers[i].rebuild(); err != nil {
			return fmt.Errorf("flatecs: watcher %d: %w", i, err)
		}
	}
	return nil
}

// Rebuild is [Arena.Rebuild] for one kind. The objects must be rebuilt, and the kind's bits in
// kinds per block and per 8 objects cleared.
func (m *Manager) Rebuild() error {
	clearRecords(m.Blocks.Groups[:(m.Blocks.used()+63)/64])
	check := rebuildRows
	if m.Kind.Mark {
		check = checkMarks
	} else if ByBlock(m) {
		check = rebuildByBlock
	}
	if err := check(m); err != nil {
		return err
	}
	for k := range (m.Objects.Count.High + 63) / 64 {
		if x := m.Blocks.Holds(k); x != 0 || standsBy(m, k) {
			w := &m.Blocks.kinds
			w.words[int(k)*w.stride+w.word] |= w.bit
			w.gain(k, x)
			m.Blocks.Groups[k>>6].Any |= 1 << (k & 63)
			if m.Blocks.whole(k) {
				m.Blocks.Groups[k>>6].Whole |= 1 << (k & 63)
			}
		}
	}
	return nil
}

// rowCount counts the rows by use, for rebuildRows.
type rowCount struct{ mounted, loose, suspended, free uint32 }

func rebuildRows(m *Manager) error {
	c := m.count
	if c.High > uint32(m.Rows.Cap()) || c.Search|c.Unused != 0 || c.Changed > *m.Stamps.tick {
		return fmt.Errorf("counters %+v do not fit %d rows at tick %d", *c, m.Rows.Cap(),
			*m.Stamps.tick)
	}
	m.Blocks.pages.clear()
	for k := range m.Blocks.list[:(m.Objects.Count.High+63)/64] {
		if b := m.Blocks.blank(k); m.Blocks.list[k] != b {
			m.Blocks.list[k] = b
		}
	}
	m.Data.prepare(c.High)
	n, err := rebuildMounted(m)
	if err == nil {
		err = checkList(&m.Rows, n.free)
	}
	switch {
	case err != nil:
		return err
	case n.mounted != c.Mounted || n.loose != c.Loose || n.suspended != c.Suspended:
		return fmt.Errorf("%+v rows, counted %+v", n, *c)
	case m.Packed:
		if err := checkPacked(m); err != nil {
			return err
		}
	}
	if err := checkBools(m); err != nil {
		return err
	}
	if m.Keys == nil {
		return nil
	}
	return m.Keys.rebuild(true)
}

// rebuildMounted checks every row and mounts the rows on their objects.
func rebuildMounted(m *Manager) (n rowCount, err error) {
	high := m.count.High
	for w := range (high + 63) / 64 {
		mounted, first := m.Rows.Bits(w), w<<6
		left, t := high-first, m.Stamps.list[w]
		if left < 64 && mounted>>left != 0 || t > m.count.Changed {
			return n, fmt.Errorf("row %d and later ones: used %x, written at tick %d of %d", first,
				mounted, t, m.count.Changed)
		}
		objects := m.Rows.words(first, min(64, high-first))
		if mounted == full && objects[0]&63 == 0 && inOrder(objects) {
			if mountBlock(m, objects[0], first) == nil { // else one by one, to find the error
				n.mounted += 64
				continue
			}
		}
		for i := range objects {
			if err := rebuildRow(m, &n, first+uint32(i)); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// mountBlock mounts 64 consecutive rows from row on, on 64 consecutive objects from first on.
func mountBlock(m *Manager, first, row uint32) error {
	k := first >> 6
	if first >= m.Objects.Count.High || m.Objects.Words()[k] != full ||
		m.Blocks.Holds(k) != 0 || !m.Blocks.list[k].isAt(row-first) {
		return gameobject.ErrDead
	}
	m.Blocks.list[k].Present = full
	return nil
}

func rebuildRow(m *Manager, n *rowCount, row uint32) error {
	use, object, err := checkUse(m, row)
	switch {
	case err != nil:
		return err
	case use == RowMounted:
		n.mounted++
		return giveRow(m, object, row, true)
	case use == RowSuspended:
		n.suspended++
		return giveRow(m, object, row, false)
	case use == RowLoose:
		n.loose++
	case m.Rows.isFree(row):
		n.free++
	}
	return nil
}

// checkUse returns what a row below High is used for, or an error if it cannot be.
func checkUse(m *Manager, row uint32) (use RowUse, object uint32, err error) {
	switch use, object = m.Rows.use(row); {
	case use != RowUnused:
	case !ByBlock(m) && m.Rows.word(row)&free == 0:
		err = fmt.Errorf("row %d is neither in use nor free", row)
	case !isDefault(m, row):
		err = fmt.Errorf("row %d is free and does not hold the defaults", row)
	}
	return use, object, err
}

// giveRow mounts row on object, or suspends it.
func giveRow(m *Manager, object, row uint32, present bool) error {
	bit := uint64(1) << (object & 63)
	if object >= m.Objects.Count.High || m.Objects.Words()[object>>6]&bit == 0 {
		return fmt.Errorf("row %d is on object %d, which is dead", row, object)
	}
	b := &m.Blocks.list[object>>6]
	if m.Blocks.Holds(object>>6)&bit != 0 {
		return fmt.Errorf("row %d is on object %d, which has another", row, object)
	}
	if b.row(object) != row {
		m.Blocks.addOdd(b, object, row)
	}
	if present {
		b.Present |= bit
	} else {
		b.Kept |= bit
	}
	return nil
}

// rebuild rebuilds the derived data of a watcher, and checks the rest against the world.
func (r *Watcher) rebuild() error {
	clearRecords(r.touched[:len(r.groups())])
	clearRecords(r.groups())
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
