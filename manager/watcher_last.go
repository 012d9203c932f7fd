package manager

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// A Keep lists the last values that a watcher keeps of the objects that leave, and the kinds that
// store them. The watcher must require all kinds whose values it keeps.
//
// Gone holds a row for each object that left since the last look, in the order in which they left;
// Left a row for each that the look reported, ascending. Both are lists of kinds whose rows belong
// together: the first has the id of the object, and then Fields; the others have the values of one
// of Values each. No row is on an object.
type Keep struct {
	Fields     []*layout.FieldSpec
	Values     []*layout.KindSpec
	Gone, Left []*layout.KindSpec
}

// Kinds returns the kinds whose values are kept.
func (k *Keep) Kinds() []*layout.KindSpec {
	kinds := slices.Clone(k.Values)
	for _, f := range k.Fields {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

// Keep sets what the watcher keeps. It writes no bytes of the world.
func (r *Watcher) Keep(a *Arena, k *Keep) {
	r.keepIn(a, k)
	r.last.ready(len(r.blocks))
}

// keepIn is Keep for a world that does not look.
func (r *Watcher) keepIn(a *Arena, k *Keep) {
	r.last = &keeper{
		Keep: k, gone: allOf(a, k.Gone), left: allOf(a, k.Left), values: allOf(a, k.Values),
	}
	for _, f := range k.Fields {
		r.last.fields = append(r.last.fields, a.Find(f.Kind))
	}
}

// ready makes the scratch.
func (k *keeper) ready(blocks int) {
	k.found, k.first = make([]uint64, blocks), make([]uint32, blocks)
}

func allOf(a *Arena, kinds []*layout.KindSpec) []*Manager {
	managers := make([]*Manager, len(kinds))
	for i, k := range kinds {
		managers[i] = a.Find(k)
	}
	return managers
}

// Leaving keeps the last values of the objects x of a block, which are about to be disposed, in
// their order. Objects that are disposed one by one are in order already.
func (a *Arena) Leaving(block uint32, x uint64) {
	for i := range a.Watchers {
		r := &a.Watchers[i]
		if r.last == nil {
			continue
		}
		b := &r.blocks[block]
		if gone := b.Members &^ b.Gone & x; gone != 0 {
			r.last.keep(r, block, gone, nil, 0)
			b.Gone |= gone
			b.Touched |= gone
			r.touched[block>>6] |= 1 << (block & 63)
		}
	}
}

// keep copies the last values of the objects x of a block, which leave. If by is not nil, its rows
// are object + base, modulo 2³².
func (k *keeper) keep(r *Watcher, block uint32, x uint64, by *Manager, base uint32) {
	for ; x != 0; x &= x - 1 {
		object := block<<6 + uint32(bits.TrailingZeros64(x))
		to, ok := useNext(k.gone)
		if !ok {
			return
		}
		k.ids(k.gone)[to] = gameobject.MakeID(object, r.generations[object])
		for i, m := range k.fields {
			from := k.row(m, object, by, base)
			k.gone[0].Data.Columns[1+i].Take(to, &m.Data.Columns[k.Fields[i].Index], from)
		}
		for i, m := range k.values {
			k.gone[1+i].Data.Values.CopyFrom(to, m.Data.Values, k.row(m, object, by, base))
		}
	}
}

// row returns the row of an object that has m's component, or is about to lose it.
func (k *keeper) row(m *Manager, object uint32, by *Manager, base uint32) int {
	if m == by {
		return int(object + base)
	}
	row, _ := m.RowOf(object)
	return int(row)
}

// useNext takes the next row of all of list into use.
func useNext(list []*Manager) (row int, ok bool) {
	for _, m := range list {
		r, err := m.Create()
		if row = int(r); err != nil {
			return 0, false
		}
		m.Stamps.TouchRow(uint32(r))
	}
	return row, true
}

// ids returns the ids of a list's rows, including rows that were never used.
func (k *keeper) ids(list []*Manager) []gameobject.ID {
	return buffer.Rows[gameobject.ID](&list[0].Data.Columns[0], 0, list[0].Rows.High())
}

// report moves all rows of gone to left, in the order of the objects. The look must have reported
// the objects' blocks.
func (k *keeper) report(r *Watcher) {
	k.forget(k.left)
	if k.gone[0].Rows.High() == 0 {
		return
	}
	k.rank(r)
	for range k.ids(k.gone) {
		useNext(k.left)
	}
	for from, id := range k.ids(k.gone) {
		i := id.Index()
		before := k.found[i>>6] & (1<<(i&63) - 1)
		to := int(k.first[i>>6]) + bits.OnesCount64(before)
		for c := range k.left[0].Data.Columns {
			k.left[0].Data.Columns[c].Take(to, &k.gone[0].Data.Columns[c], from)
		}
		for n, m := range k.left[1:] {
			m.Data.Values.CopyFrom(to, k.gone[1+n].Data.Values, from)
		}
	}
	for _, id := range k.ids(k.gone) {
		k.found[id.Index()>>6] = 0
	}
	k.forget(k.gone)
}

// rank fills the scratch.
func (k *keeper) rank(r *Watcher) {
	for _, id := range k.ids(k.gone) {
		k.found[id.Index()>>6] |= 1 << (id.Index() & 63)
	}
	n := 0
	for g, x := range r.groups() {
		for ; x != 0; x &= x - 1 {
			block := g<<6 + bits.TrailingZeros64(x)
			k.first[block] = uint32(n)
			n += bits.OnesCount64(k.found[block])
		}
	}
}

// forget drops all rows of a list.
func (k *keeper) forget(list []*Manager) {
	for _, m := range list {
		vacate(m)
	}
}

// vacate resets a manager without mounted rows to its initial state.
func vacate(m *Manager) {
	n := m.count.High
	if n == 0 {
		return
	}
	m.Data.prepare(n)
	m.Data.unuseRows(0, n)
	m.Rows.reset(n)
	clear(m.Stamps.list[:(n+63)/64])
	*m.count = counters{Shape: m.count.Shape, Changed: m.count.Changed}
	m.Stamps.reshapeMany()
}

// Last returns the row of the values of an object that the last look reported as left, and whether
// they were kept.
func (r *Watcher) Last(id gameobject.ID) (row int, ok bool) {
	if r.last == nil {
		return 0, false
	}
	ids := r.last.ids(r.last.left)
	for lo, hi := 0, len(ids); lo < hi; {
		row = int(uint(lo+hi) >> 1)
		switch i := ids[row].Index(); {
		case i < id.Index():
			lo = row + 1
		case i > id.Index():
			hi = row
		default:
			return row, ids[row] == id
		}
	}
	return 0, false
}

// LastColumn returns the last values of a field, by the rows that [Watcher.Last] returns, or nil if
// the watcher does not keep it.
func (r *Watcher) LastColumn(f *layout.FieldSpec) *buffer.Column {
	if r.last != nil {
		if i := slices.Index(r.last.Fields, f); i >= 0 {
			return &r.last.left[0].Data.Columns[1+i]
		}
	}
	return nil
}

// LastValues returns the last values of a kind of Go values, by the rows that [Watcher.Last]
// returns, or nil if the watcher does not keep it.
func (r *Watcher) LastValues(kind *layout.KindSpec) layout.ValueColumn {
	if r.last != nil {
		if i := slices.Index(r.last.Values, kind); i >= 0 {
			return r.last.left[1+i].Data.Values
		}
	}
	return nil
}

// verify checks the rows of gone and left against the watcher, which has been checked.
func (k *keeper) verify(r *Watcher) error {
	for _, list := range [][]*Manager{k.gone, k.left} {
		for _, m := range list {
			if n := list[0].count.High; m.count.High != n || m.count.Loose != n {
				return fmt.Errorf("%s: %d of %d rows are in use, beside %d of the ids",
					layout.Quoted(m.Kind.Name), m.count.Loose, m.count.High, n)
			}
		}
	}
	if err := k.verifyGone(r); err != nil {
		return err
	}
	next := uint32(0)
	for row, id := range k.ids(k.left) {
		i := id.Index()
		if i < next || i >= r.Objects.Count.High || r.blocks[i>>6].Left>>(i&63)&1 == 0 ||
			id.Generation() != r.former[i] {
			return fmt.Errorf("reported values %d are of object %v, which did not leave", row, id)
		}
		next = i + 1
	}
	return nil
}

// verifyGone checks that each row of gone belongs to a different member that left.
func (k *keeper) verifyGone(r *Watcher) error {
	seen := make([]uint64, len(r.blocks))
	for row, id := range k.ids(k.gone) {
		i, bit := id.Index(), uint64(1)<<(id.Index()&63)
		if i >= r.Objects.Count.High || seen[i>>6]&bit != 0 ||
			r.blocks[i>>6].Members&r.blocks[i>>6].Gone&bit == 0 ||
			id.Generation() != r.generations[i] {
			return fmt.Errorf("last values %d are of object %v, which did not leave", row, id)
		}
		seen[i>>6] |= bit
	}
	return nil
}
