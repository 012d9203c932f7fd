package manager

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// verify checks the watcher's memory against the world: a change that it missed shows as a member
// that does not match, or as a matching object that is neither a member nor touched.
func (r *Watcher) verify() error {
	var members int
	for k := range (r.Objects.Count.High + 63) / 64 {
		b, now := &r.blocks[k], r.watch.Block(k)
		if members += bits.OnesCount64(b.Members); r.watch.key == Unknown {
			now = b.Members
		}
		still, missed := b.Members&^b.Gone, now&^b.Members&^b.Touched
		touched, reported := r.touched[k>>6]>>(k&63)&1 != 0, r.reported[k>>6]>>(k&63)&1 != 0
		switch {
		case b.Gone&^(b.Members&b.Touched) != 0:
			return fmt.Errorf("block %d: %x are gone that are no touched members", k, b.Gone)
		case still&^now != 0:
			return fmt.Errorf("block %d: members %x do not match", k, still&^now)
		case missed != 0:
			return fmt.Errorf("block %d: %x match, and are not touched", k, missed)
		case touched != (b.Touched != 0):
			return fmt.Errorf("block %d: its group says otherwise of touched objects", k)
		case reported != (b.Left|b.Entered != 0):
			return fmt.Errorf("block %d: its group says otherwise of the last look", k)
		}
		for x := still; x != 0; x &= x - 1 {
			i := k<<6 + uint32(bits.TrailingZeros64(x))
			if g := r.generations[i]; g != r.Objects.Generations[i] {
				return fmt.Errorf("object %d is remembered in generation %d", i, g)
			}
		}
	}
	if members != r.Count() {
		return fmt.Errorf("%d members are counted as %d", members, r.Count())
	}
	if r.last != nil {
		return r.last.verify(r)
	}
	return nil
}

// Verify rebuilds the redundant parts of the region, and returns an error that names the first
// place where the result differs. It is slow and allocates; it is for tests, tools and loaded
// bytes.
func (m *Manager) Verify() error {
	rows, err := verifyRows(m)
	if err == nil {
		_, err = verifyList(m)
	}
	if err == nil {
		err = verifyBlocks(m, rows)
	}
	if err == nil && m.Keys != nil {
		err = m.Keys.verify()
	}
	if err != nil {
		return fmt.Errorf("flatecs: %s: %w", layout.Quoted(m.Kind.Name), err)
	}
	return nil
}

// verifyRows checks the state of every row, and returns the row of each object that has one.
func verifyRows(m *Manager) (rows map[uint32]uint32, err error) {
	if ByBlock(m) {
		err = checkByBlock(m)
	} else if high := int64(m.count.High); high > int64(m.Rows.Cap()) {
		err = fmt.Errorf("%d rows were used of %d", high, m.Rows.Cap())
	}
	if err != nil {
		return nil, err
	}
	rows = make(map[uint32]uint32)
	var loose, kept uint32
	for r := range m.count.High {
		use, o, err := checkUse(m, r)
		switch _, twice := rows[o]; {
		case err != nil:
			return nil, err
		case use == RowUnused:
			continue
		case use == RowLoose:
			loose++
			continue
		case twice || o>>6 >= uint32(len(m.Blocks.list)) || m.Blocks.lives(o>>6)>>(o&63)&1 == 0:
			return nil, fmt.Errorf("row %d is of object %d, which is dead or has another", r, o)
		case use == RowSuspended && m.Blocks.list[o>>6].Kept>>(o&63)&1 == 0:
			return nil, fmt.Errorf("row %d is kept for object %d, which does not know it", r, o)
		case use == RowSuspended:
			kept++
		}
		rows[o] = r
	}
	if m.Kind.Mark {
		return nil, nil
	}
	if loose != m.count.Loose || kept != m.count.Suspended || len(rows) != m.Live()-int(loose) {
		return nil, fmt.Errorf("%d loose, %d suspended and %d rows of objects, counted %+v",
			loose, kept, len(rows), *m.count)
	}
	return rows, nil
}

// verifyList counts the free rows, and checks that the free list holds each of them once.
func verifyList(m *Manager) (listed uint32, err error) {
	for r := range m.count.High {
		if m.Rows.isFree(r) {
			listed++
		}
	}
	return listed, checkList(&m.Rows, listed)
}

// verifyBlocks checks blocks, groups, pages and kinds against the rows.
func verifyBlocks(m *Manager, rows map[uint32]uint32) error {
	pages, present := map[uint32]bool{}, uint32(0)
	for k := range uint32(m.Blocks.used()) {
		want := derive(m, k, rows)
		b, stands := m.Blocks.list[k], standsBy(m, k)
		if m.Kind.Mark {
			want.Present = b.Present
		}
		held := b.held()
		if err := verifyKept(&m.Blocks, k); err != nil {
			return err
		}
		want.Kept = want.Present & b.Kept
		want.Present &^= b.Kept
		if b.Odd != 0 {
			if !m.Blocks.pages.has(b) || pages[b.Page] {
				return fmt.Errorf("block %d has %s, which is another's", k, pageName(b.Page))
			}
			pages[b.Page], want.Page = true, b.Page
		}
		if b != want {
			return fmt.Errorf("block %d is %+v, want %+v", k, b, want)
		}
		present += uint32(bits.OnesCount64(m.Blocks.Present(k)))
		g, bit := m.Blocks.Groups[k>>6], uint64(1)<<(k&63)
		if (g.Any&bit != 0) != (held != 0 || stands) || (g.Whole&bit != 0) != m.Blocks.whole(k) {
			return fmt.Errorf("group %d is %x, block %d is %+v", k>>6, g, k, b)
		}
		w := &m.Blocks.kinds
		if (w.words[int(k)*w.stride+w.word]&w.bit != 0) != (held != 0 || stands) {
			return fmt.Errorf("block %d: its kinds say otherwise", k)
		}
		near := w.near(k)
		if len(w.eights) > 0 && near != eighths(m.Blocks.Holds(k)) {
			return fmt.Errorf("block %d: its kinds per 8 objects say %x", k, near)
		}
	}
	if !inBlocks(m) && present != m.count.Mounted {
		return fmt.Errorf("%d objects have one, counted %d", present, m.count.Mounted)
	}
	return verifyPages(m, rows, pages)
}

// verifyKept checks that objects that keep the component are alive and do not have it.
func verifyKept(bs *Blocks, k uint32) error {
	if b := bs.list[k]; b.Kept&(b.Present|^bs.lives(k)) != 0 {
		return fmt.Errorf("blocks[%d] is %+v, of live objects %x", k, b, bs.lives(k))
	}
	return nil
}

// derive returns block k as derived from rows and bases.
func derive(m *Manager, k uint32, rows map[uint32]uint32) (b blockRecord) {
	if !m.Kind.Mark {
		b = m.Blocks.blank(int(k))
	}
	for o := k << 6; o < k<<6+64; o++ {
		if row, ok := rows[o]; ok {
			b.Present |= 1 << (o & 63)
			if b.row(o) != row {
				b.Odd |= 1 << (o & 63)
			}
		}
	}
	return b
}

// verifyPages checks that every object is found, and that every page is either in use or spare.
func verifyPages(m *Manager, rows map[uint32]uint32, pages map[uint32]bool) error {
	for o, row := range rows {
		if m.Blocks.list[o>>6].Kept>>(o&63)&1 != 0 {
			continue
		}
		if got, ok := m.RowOf(o); !ok || uint32(got) != row {
			return fmt.Errorf("object %d is found in row %d, and is in row %d", o, got, row)
		}
	}
	if m.Kind.Mark || ByBlock(m) {
		return nil
	}
	for size := range uint32(pageSizes) {
		used, s := 0, m.Blocks.pages.spare[size]
		for p := range pages {
			if p&sizeMask == size {
				used++
			}
		}
		next := s.Free
		for ; next != 0 && next <= s.High && used <= int(s.High); used++ {
			next = m.Blocks.pages.rows((next-1)<<sizeBits | size)[0]
		}
		if next != 0 || used != int(s.High) {
			return fmt.Errorf("%d pages of %d rows are in use or spare, counted %d", used,
				rowsOfPage[size], s.High)
		}
	}
	return nil
}

// Verify is [Manager.Verify] of every manager and watcher, and of the objects.
func (a *Arena) Verify() error {
	if err := a.Objects.Verify(); err != nil {
		return err
	}
	for i := range a.Managers {
		if err := a.Managers[i].Verify(); err != nil {
			return err
		}
	}
	if err := verifyLists(a); err != nil {
		return err
	}
	for i := range a.Watchers {
		if err := a.Watchers[i].verify(); err != nil {
			return fmt.Errorf("flatecs: watcher %d: %w", i, err)
		}
	}
	return nil
}

// CheckCounters returns an error if the world's tick is out of range, or a counter exceeds the
// room.
func (a *Arena) CheckCounters() error { return checkCounters(a, true) }

// checkCounters is CheckCounters, with or without the counters of pages, which are derived.
func checkCounters(a *Arena, derived bool) error {
	if t := *a.Tick; t == 0 || t > MaxTick {
		return fmt.Errorf("flatecs: no world is at tick %d; the first is 1", t)
	}
	c := a.Objects.Count
	if most := max(c.High, c.Used, c.Live); int64(most) > int64(a.Objects.Cap()) {
		return fmt.Errorf("flatecs: game objects: %d used of %d", most, a.Objects.Cap())
	}
	for i := range a.Managers {
		m := &a.Managers[i]
		c, room := m.count, int64(m.Rows.Cap())
		if m.Kind.Mark {
			room = int64(a.Objects.Cap())
		}
		most := int64(max(c.High, c.Mounted, c.Loose, c.Suspended))
		ps := m.Blocks.pages
		wrong := derived && ps != nil && slices.ContainsFunc(ps.spare, func(s pageCounters) bool {
			return int(s.High) > len(ps.of64) // as many of each size
		})
		if most > room || wrong || c.Changed > *a.Tick {
			return fmt.Errorf("flatecs: %s: %d rows used of %d, written at tick %d of %d",
				layout.Quoted(m.Kind.Name), most, room, c.Changed, *a.Tick)
		}
	}
	return nil
}
