package manager

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Describe notes the kinds of a pool, its marks apart, and reports whether objects can be ready for
// all of them.
func (a *Arena) Describe(pool int, managers []*Manager) bool {
	var mask uint64
	for _, m := range managers {
		if mask |= m.kinds.bit; m.packed || a.Words > 1 {
			return false
		}
	}
	r := &a.recipes[pool-1]
	r.managers, r.mask = managers, mask
	r.calls = slices.ContainsFunc(managers, func(m *Manager) bool { return m.only == 0 })
	return a.Words == 1
}

// recipeOf returns the recipe of a block, or an empty one.
func (a *Arena) recipeOf(block uint32) *recipe {
	if pool := int(a.Objects.Owners[block]); uint(pool-1) < uint(len(a.recipes)) {
		return &a.recipes[pool-1]
	}
	return &noRecipe
}

var noRecipe recipe

// Ready makes n indexes from first on, which become a slab of a pool, dormant, and settled if all
// of its kinds can be. Those of a pool of marks never are: another pool that is lent one could not
// tell.
func (a *Arena) Ready(pool int, first, n uint32) {
	managers := a.recipes[pool-1].managers
	if len(managers) == 0 {
		return
	}
	if RowsByBlock && Follows(a) {
		readyByBlock(a, managers, first, n)
		return
	}
	for k := first >> 6; k < (first+n)>>6; k++ {
		settled := full
		for _, m := range managers {
			if m.restful == 0 {
				settled = 0
				continue
			}
			m.sleep(k, full)
		}
		a.settled[k] = settled
	}
}

// SpawnHome creates the next object of a pool in a slab, with the kinds that it was described by,
// if it is settled: hot path.
func (a *Arena) SpawnHome(pool int) (id gameobject.ID, ok bool) {
	id, bit := a.Objects.TakeReady(pool, a.settled)
	if bit == 0 {
		return id, false
	}
	object, t, r := id.Index(), *a.Tick, &a.recipes[pool-1]
	at := int(object>>6) * sizeOfBlock
	r.note(object)
	for _, m := range r.managers {
		b := buffer.AtByte[blockRecord](m.blockBase, at)
		row := object + b.Base
		if uint(row) >= m.rows {
			continue // the bytes are damaged
		}
		m.checkFresh(row, 1)
		b.Present |= bit
		*buffer.At[uint64](m.owners.mountedBase, int(row>>6)) |= bit
		*buffer.At[uint64](m.changedBase, int(row>>6)) = t
		c := m.count
		c.Changed, c.Shape = t, uint32(t)
		c.Mounted++
	}
	return id, true
}

// Wake gives the kinds of their recipe to settled objects x of a block, which were just created.
func (a *Arena) Wake(block uint32, x uint64) {
	for _, m := range a.recipeOf(block).managers {
		b := &m.blocks[block]
		if ByBlock(m) {
			addAllByBlock(m, b, block, x)
			continue
		}
		b.Present |= x
		m.mountAll(b, block, x)
	}
}

// Settled returns the objects of a block that are settled.
func (a *Arena) Settled(block uint32) uint64 { return a.settled[block] }

// Join updates groups after indexes of a block got their kinds one by one, all of them alive.
func (a *Arena) Join(block uint32) {
	for _, m := range a.recipeOf(block).managers {
		m.join(block)
	}
}

// rest disposes the rows of kinds of a recipe that objects x of a block of a slab have or keep
// suspended, and leaves them dormant where that was in their home rows.
func (a *Arena) rest(managers []*Manager, block uint32, x uint64) {
	settled := x
	for _, m := range managers {
		m.rest(block, x)
		settled &= m.blocks[block].Kept
	}
	if RowsByBlock && Follows(a) {
		a.settled[block] |= settledByBlock(a, block, x) & x
	} else if len(managers) > 0 {
		a.settled[block] |= settled
	}
}

// rest is Arena.rest of one kind.
func (m *Manager) rest(block uint32, x uint64) {
	b, home := &m.blocks[block], uint64(0)
	m.checkBlock(block)
	m.checkCounts()
	if m.restful != 0 && !ByBlock(m) && m.isHome(b, block) {
		home = x & b.Present &^ b.Odd
	}
	if m.DisposeBlock(block, x&^home); home != 0 {
		b.Present &^= home
		b.Kept |= home
		m.reshapeMany()
		m.count.Mounted -= uint32(bits.OnesCount64(home))
		m.keepAll(block, home)
	}
}

// DisposeBlock disposes all rows that the objects x of a block have or keep suspended, and takes
// their marks.
func (a *Arena) DisposeBlock(block uint32, x uint64) {
	r := a.recipeOf(block)
	for m := range a.Among(block) {
		if m.kinds.bit&r.mask == 0 {
			m.DisposeBlock(block, x)
		}
	}
	a.rest(r.managers, block, x)
}

// Rests reports whether all indexes of a block are settled, and have no kinds but those of their
// recipe, which is that of block first.
//
//go:noinline
func Rests(a *Arena, first, block uint32) bool {
	owners := a.Objects.Owners
	return a.settled[block] == full && owners[block] == owners[first] &&
		a.kinds[block]&^a.recipeOf(block).mask == 0
}

// DisposeRested disposes all objects of the blocks in [from, to), which rest: with a clear per
// column where the rows follow each other.
func DisposeRested(a *Arena, from, to uint32) {
	if from == to {
		return
	}
	for _, m := range a.recipeOf(from).managers {
		m.checkCounts()
		m.reshapeMany()
		m.count.Mounted -= (to - from) << 6
		for k := from; k < to; {
			m.checkBlock(k)
			first, n := m.blocks[k].row(k<<6), uint32(0)
			for ; k < to && m.blocks[k].row(k<<6) == first+n; k, n = k+1, n+64 {
				m.blocks[k].Present = 0
			}
			if !ByBlock(m) {
				m.count.Search = min(m.count.Search, first)
				unmountWords(&m.owners, first, n)
			}
			m.resetRows(int(first), int(first+n))
			m.noteFreed(first, n)
		}
	}
	for ; from < to; from++ {
		if RowsByBlock && Follows(a) {
			a.Join(from)
		}
		a.Objects.DisposeBlock(from, full)
	}
}

// Bare is to be called of indexes x of a block that become objects in another way than by SpawnHome
// or Wake.
func (a *Arena) Bare(block uint32, x uint64) {
	if RowsByBlock && Follows(a) {
		a.settled[block] &^= x
		return
	}
	for _, m := range a.recipeOf(block).managers {
		if m.blocks[block].Kept&x != 0 {
			m.rouse(block, x)
		}
		m.reshapeMany() // dormant or not
	}
}

// Unsettle makes nobody dormant who could not be so under the recipes of the arena, in bytes that a
// program with other recipes may have left.
func (a *Arena) Unsettle() {
	for k := range (a.Objects.Count.High + 63) / 64 {
		r := a.recipeOf(k)
		if RowsByBlock && Follows(a) {
			settleByBlock(a, k)
			continue
		}
		for i := range a.Managers {
			m := &a.Managers[i]
			if x := m.blocks[k].Kept &^ m.suspended(k); x != 0 && m.kinds.bit&r.mask == 0 {
				m.rouse(k, x)
			}
		}
		if a.settled[k] != 0 && a.verifySettled(k) != nil {
			a.settled[k] = 0
		}
	}
}

// verifyDormant checks that the home rows of objects that are dormant are kept for them.
func (m *Manager) verifyDormant(k uint32) error {
	b, x := &m.blocks[k], m.blocks[k].Kept&^m.lives(k)
	if ByBlock(m) {
		return nil // none is
	}
	if home := x | b.Kept&b.Present; home&b.Odd != 0 || home != 0 && !m.isHome(b, k) {
		return fmt.Errorf("blocks[%d].Kept has %x, but not home rows: it is %+v", k, home, *b)
	}
	for ; x != 0; x &= x - 1 {
		if row := b.row(k<<6) + uint32(bits.TrailingZeros64(x)); !m.owners.isKept(row) {
			return fmt.Errorf("row %d is not kept, and object %d dormant", row, row-b.row(0))
		}
	}
	return nil
}

// verifySettled checks that objects that are settled have all kinds of their recipe in their home
// rows, or are dormant in all.
func (a *Arena) verifySettled(k uint32) error {
	if RowsByBlock && Follows(a) {
		if x := a.settled[k] &^ settledByBlock(a, k, 0); x != 0 {
			return fmt.Errorf("flatecs: block %d: %x are settled, and are not", k, x)
		}
		return nil
	}
	for _, m := range a.recipeOf(k).managers {
		b, x := &m.blocks[k], a.settled[k]
		if y := x & m.lives(k); y&^b.Present|y&b.Odd|x&^b.Kept != 0 || x != 0 && !m.isHome(b, k) {
			return fmt.Errorf("flatecs: block %d: %x are settled, of %s that is %+v", k, x,
				layout.Quoted(m.Kind.Name), *b)
		}
	}
	return nil
}
