package manager

import "fmt"

// Describe notes the kinds of a pool that are by block, and reports whether objects can be ready
// for them.
func (a *Arena) Describe(pool int, managers []*Manager) bool {
	if a.Words > 1 || len(managers) == 0 {
		return false
	}
	r := &a.recipes[pool-1]
	r.managers = managers
	for _, m := range managers {
		r.mask |= m.kinds.bit
		r.calls = r.calls || m.only == 0
	}
	return true
}

// recipeOf returns the recipe of a block, or an empty one.
func (a *Arena) recipeOf(block uint32) *recipe {
	if pool := int(a.Objects.Owners[block]); uint(pool-1) < uint(len(a.recipes)) {
		return &a.recipes[pool-1]
	}
	return &noRecipe
}

var noRecipe recipe

// Ready gives rows to n indexes from first on, which become a slab of a pool, in the kinds of its
// recipe that have them by block, and makes them settled.
func (a *Arena) Ready(pool int, first, n uint32) {
	for _, m := range a.recipes[pool-1].managers {
		giveRows(m, first>>6, n>>6)
		for k := first >> 6; k < (first+n)>>6; k++ {
			noteKind(m, k)
		}
	}
	for k := first >> 6; k < (first+n)>>6; k++ {
		settle(a, k, full, settledBut(a, k, 0))
	}
}

// Wake gives the kinds of their recipe to settled objects x of a block, which were just created.
func (a *Arena) Wake(block uint32, x uint64) {
	for _, m := range a.recipeOf(block).managers {
		m.AddBlock(block, x)
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

// DisposeBlock disposes all rows that the objects x of a block have or keep suspended, and takes
// their marks.
func (a *Arena) DisposeBlock(block uint32, x uint64) {
	for m := range a.Among(block) {
		m.DisposeBlock(block, x)
	}
	settle(a, block, 0, settledBut(a, block, x)&x)
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
			m.resetRows(int(first), int(first+n))
			m.noteFreed(first, n)
		}
	}
	for ; from < to; from++ {
		a.Join(from)
		a.Objects.DisposeBlock(from, full)
	}
}

// Bare is to be called of indexes x of a block that become objects in another way than by Wake or
// [SpawnReady].
func (a *Arena) Bare(block uint32, x uint64) { settle(a, block, x, 0) }

// settle notes that objects of a block, off, are not settled any more, and others, on, are. Copies
// have to know it even if no object got or lost a kind.
func settle(a *Arena, block uint32, off, on uint64) {
	if now := a.settled[block]&^off | on; now != a.settled[block] {
		a.settled[block] = now
		*turnOf(a, int(a.Objects.Owners[block])) = *a.Tick
	}
}

// Unsettle notes who is settled, and which kinds stand by, under the recipes of the arena, in bytes
// that a program with other recipes may have left.
func (a *Arena) Unsettle() {
	for k := range (a.Objects.Count.High + 63) / 64 {
		a.settled[k] = settledBut(a, k, 0)
		for i := range a.Managers {
			if m := &a.Managers[i]; standsBy(m, k) {
				noteKind(m, k)
			} else if ByBlock(m) {
				m.forgetKind(k)
			}
		}
	}
}

// verifySettled checks that objects that are settled have all kinds of their recipe, or are dead,
// unless the recipe is that of another program.
func (a *Arena) verifySettled(k uint32) error {
	x := a.settled[k] &^ settledBut(a, k, 0)
	if x != 0 && len(a.recipeOf(k).managers) > 0 {
		return fmt.Errorf("flatecs: block %d: %x are settled, and are not", k, x)
	}
	return nil
}
