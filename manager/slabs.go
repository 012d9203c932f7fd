package manager

import (
	"fmt"
	"math/bits"
	"runtime"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
)

// Objects of a recipe are usually spawned and disposed with all of its kinds. If these kinds are by
// block, and none is watched, one note covers them all: the recipe records the change, and a block
// records when an object was last spawned in it. So a kind costs one bit in its block.

// Describe notes the marks of a pool and its kinds by block. It reports whether they change
// together.
func (a *Arena) Describe(pool int, managers []*Manager) bool {
	if a.Words != 1 {
		return false
	}
	r := &a.recipes.list[pool-1]
	r.managers = managers
	r.agree()
	return true
}

// recipeOf returns the recipe of a block, or an empty one.
func (a *Arena) recipeOf(block uint32) *recipe {
	if pool := int(a.Objects.Owners[block]); uint(pool-1) < uint(len(a.recipes.list)) {
		return &a.recipes.list[pool-1]
	}
	return &noRecipe
}

var noRecipe recipe

// Ready prepares the blocks of n indexes from first on, which become a slab of a pool, for
// spawning.
func (a *Arena) Ready(first, n uint32) {
	for _, m := range a.recipeOf(first >> 6).managers {
		if !m.Kind.Mark {
			giveRows(m, first>>6, n>>6) // in one piece
		}
	}
	for k := first >> 6; k < (first+n)>>6; k++ {
		equip(a, k, *a.Tick)
	}
}

// equip gives a block of a slab the rows of its recipe that are missing.
func equip(a *Arena, block uint32, t uint64) {
	c := a.recipeOf(block)
	for _, m := range c.managers {
		if !m.Kind.Mark && !m.Blocks.isHome(&m.Blocks.list[block], block) {
			giveRows(m, block, 1)
		}
		m.Blocks.noteKind(block)
	}
	if len(c.managers) > 0 {
		a.recipes.spawned[block] = max(a.recipes.spawned[block], t)
	}
}

// turnOf returns a pointer to the tick at which an object of a pool was last spawned or disposed
// with the kinds of its recipe.
func turnOf(a *Arena, pool int) *uint64 { return buffer.At[uint64](a.recipes.turnBase, pool-1) }

// SpawnReady creates the next object of a pool in a slab, with the kinds given to Describe, if a
// bit per kind suffices: hot path.
func SpawnReady(a *Arena, pool int) (id gameobject.ID, ok bool) {
	r, recipe := a.Objects, &a.recipes.list[pool-1]
	at := int(r.Pools[pool-1].Lowest)*len(a.recipes.list) + pool - 1
	if at >= len(r.Room) || r.Room[at] == 0 || r.Count.Retired != 0 {
		return id, false
	}
	block := r.Pools[pool-1].Lowest<<6 + uint32(bits.TrailingZeros64(r.Room[at]))
	was := r.Views.Alive[block]
	object, now := block<<6+uint32(bits.TrailingZeros64(^was)), was|(was+1)
	if now == was || !recipe.together {
		return id, false
	}
	if was == 0 || r.Touched != nil {
		id, _ = r.Take(pool)
	} else {
		r.Views.Alive[block] = now
		g := &r.Generations[object]
		if *g == 0 {
			*g = 1
		}
		if r.Count.Used <= object {
			r.Count.Used = object + 1
		}
		r.Count.Live++
		if id = gameobject.MakeID(object, *g); now == full {
			gameobject.Filled(r, pool, block)
		}
	}
	t, first, bit := *a.Tick, int(block)*sizeOfBlock, now&^was
	*turnOf(a, pool) = t
	a.recipes.spawned[block] = t
	recipe.note(object)
	for _, m := range recipe.managers {
		b := buffer.AtByte[blockRecord](m.Blocks.base, first)
		checkFresh(m, b.row(object), 1)
		b.Present |= bit
	}
	if now == full {
		recipe.join(block)
	}
	return id, true
}

// Give gives the kinds of a pool, as given to Describe, to new objects x of a block that
// [SpawnReady] did not create.
func (a *Arena) Give(pool int, block uint32, x uint64) {
	c, of := &a.recipes.list[pool-1], int(a.Objects.Owners[block])
	if !c.together || of != 0 && of != pool {
		for _, m := range c.managers {
			m.AddBlock(block, x) // there is room
		}
		return
	}
	if c.turned == 0 && runtime.GOOS != "js" { // where the host has pages
		meet(c)
	}
	turn(a, pool, block, x)
	ready := of == pool
	if ready {
		a.recipes.spawned[block] = *a.Tick
	}
	for _, m := range c.managers {
		b := &m.Blocks.list[block]
		switch first := b.row(block << 6); {
		case ready:
			b.Present |= x
		case isHomeOf(m, b, first):
			checkKept(m, first, x)
			b.Present |= x
			m.Stamps.list[first>>6] = *a.Tick
		default:
			m.AddBlock(block, x) // a mark, or the block has no rows yet
		}
	}
	if a.Objects.Words()[block] == full {
		c.join(block)
	}
}

// turn notes that objects x of a block were spawned or disposed with the kinds of a pool.
func turn(a *Arena, pool int, block uint32, x uint64) {
	*turnOf(a, pool) = *a.Tick
	c := &a.recipes.list[pool-1]
	if n := bits.OnesCount64(x); n > len(c.objects) {
		c.turned, x = c.turned+uint64(n), 0 // more than it remembers
	}
	for ; x != 0; x &= x - 1 {
		c.note(block<<6 + uint32(bits.TrailingZeros64(x)))
	}
}

// join updates groups after objects of a block were spawned or disposed: all were alive, or all
// are.
func (r *recipe) join(block uint32) {
	for _, m := range r.managers {
		m.Blocks.join(block)
	}
}

// Dispose disposes an object with its components and marks: hot path.
func (a *Arena) Dispose(object uint32) {
	block, bit := object>>6, uint64(1)<<(object&63)
	r, c := a.Objects, a.recipeOf(block)
	was, g := r.Views.Alive[block], r.Generations[object]+1
	if !c.together || a.kinds[block]&^c.mask != 0 || was == bit ||
		r.Count.Retired != 0 || g > gameobject.LastGeneration || r.Touched != nil {
		a.DropAll(object)
		r.Dispose(object)
		return
	}
	*turnOf(a, int(r.Owners[block])) = *a.Tick
	c.leave(object)
	r.Views.Alive[block] = was &^ bit // an inlined copy of Registry.Dispose
	r.Generations[object] = g
	r.Count.Live--
	if was == full {
		gameobject.Opened(r, int(r.Owners[block]), block)
		c.join(block)
	}
}

// LeavesNoOrder reports whether the objects of a block, when they are disposed in any order, leave
// the same bytes: indexes go back to a slab, and rows to the block.
//
//go:noinline
func LeavesNoOrder(a *Arena, block uint32) bool {
	c := a.recipeOf(block)
	return c.together && a.kinds[block]&^c.mask == 0 && a.Objects.Touched == nil
}

// DropAll disposes all rows that an object has or keeps suspended, and takes its marks.
func (a *Arena) DropAll(object uint32) {
	own := leaveOwn(a, object)
	if a.Words != 1 || a.kinds[object>>6]&^own != 0 {
		dropRest(a, object, ^own)
	}
}

// leaveOwn takes the kinds of its recipe from an object, if they change together, and returns these
// kinds.
func leaveOwn(a *Arena, object uint32) (kinds uint64) {
	pool := a.Objects.PoolOf(object)
	if uint(pool-1) >= uint(len(a.recipes.list)) || !a.recipes.list[pool-1].together {
		return 0
	}
	c := &a.recipes.list[pool-1]
	*turnOf(a, pool) = *a.Tick
	c.leave(object)
	if block := object >> 6; a.Objects.Words()[block] == full {
		c.join(block)
	}
	return c.mask
}

// leave takes the kinds of a recipe, which change together, from an object that has some of them:
// hot path.
func (r *recipe) leave(object uint32) {
	r.note(object)
	at, bit := int(object>>6)*sizeOfBlock, uint64(1)<<(object&63)
	for _, m := range r.managers {
		b := buffer.AtByte[blockRecord](m.Blocks.base, at)
		row := b.row(object)
		if b.Present&bit == 0 || uint(row) >= m.Rows.fixed {
			leaveElse(m, b, object)
			continue
		}
		b.Present &^= bit
		noteFreed(m, row, 1)
		switch m.Data.only { // an inlined copy of resetRow
		case 4:
			*buffer.At[[4]byte](m.Data.base, int(row)) = [4]byte(m.Data.value[:4])
		case 8:
			*buffer.At[[8]byte](m.Data.base, int(row)) = [8]byte(m.Data.value[:8])
		case 12:
			*buffer.At[[12]byte](m.Data.base, int(row)) = [12]byte(m.Data.value[:12])
		case 16:
			*buffer.At[[16]byte](m.Data.base, int(row)) = m.Data.value
		default:
			m.Data.resetRow(row)
		}
	}
}

// leaveElse is leave for a mark, and for a kind that the object does not have or keeps suspended.
func leaveElse(m *Manager, b *blockRecord, object uint32) {
	if m.Kind.Mark {
		if b.Present &^= 1 << (object & 63); !standsBy(m, object>>6) {
			m.Blocks.forgetKind(object >> 6)
		}
		return
	}
	m.Drop(object)
}

// DisposeBlock disposes all rows that the objects x of a block have or keep suspended, and takes
// their marks.
func (a *Arena) DisposeBlock(block uint32, x uint64) {
	pool := int(a.Objects.Owners[block])
	if c := a.recipeOf(block); c.together {
		turn(a, pool, block, x)
		for _, m := range c.managers {
			leaveTogether(m, block, x)
		}
		if a.Objects.Words()[block] == full {
			c.join(block)
		}
	}
	for y := x; y != 0 && pool == 0 && len(a.recipes.list) > 0; y &= y - 1 { // each has a recipe
		leaveOwn(a, block<<6+uint32(bits.TrailingZeros64(y)))
	}
	for m := range a.Among(block) {
		m.DisposeBlock(block, x)
	}
}

// leaveTogether is DisposeBlock for one kind of a recipe whose kinds change together. It leaves
// suspended rows.
func leaveTogether(m *Manager, block uint32, x uint64) {
	checkBlock(&m.Blocks, block)
	b := &m.Blocks.list[block]
	x &= b.Present
	if b.Present &^= x; !m.Kind.Mark {
		resetEach(m, b.row(block<<6), x)
	}
}

// Equip gives slabs the rows that the arena's recipes need, and notes the kinds of their blocks.
// The bytes may come from a program with other recipes; then Equip writes truth.
func (a *Arena) Equip() {
	for k := range (a.Objects.Count.High + 63) / 64 {
		equip(a, k, 1)
		for i := range a.Managers {
			if m := &a.Managers[i]; standsBy(m, k) {
				m.Blocks.noteKind(k)
			} else if inBlocks(m) {
				m.Blocks.forgetKind(k)
			}
		}
	}
	_ = rebuildRecipes(a)
}

// rebuildRecipes checks the ticks at which objects were spawned in slabs, and finds out whether the
// recipes' slabs are ready for spawning.
func rebuildRecipes(a *Arena) error {
	for i := range a.recipes.list {
		a.recipes.list[i].lacks = false
	}
	for k := range (a.Objects.Count.High + 63) / 64 {
		if t := a.recipes.spawned[k]; t > *a.Tick {
			return fmt.Errorf("flatecs: objects of block %d were spawned at tick %d of %d", k, t,
				*a.Tick)
		}
		for _, m := range a.recipeOf(k).managers {
			if !m.Kind.Mark && !m.Blocks.isHome(&m.Blocks.list[k], k) {
				a.recipeOf(k).lacks = true
			}
		}
	}
	for i := range a.recipes.list {
		a.recipes.list[i].agree()
	}
	return nil
}

// agree finds the kinds of a recipe, and whether they change together.
func (r *recipe) agree() {
	r.together = len(r.managers) > 0 && !r.lacks
	for _, m := range r.managers {
		r.mask |= m.Blocks.kinds.bit
		r.together = r.together && m.heard == 0
	}
}

// note counts a settled object that was spawned or disposed.
func (r *recipe) note(object uint32) {
	r.turned++
	r.objects[r.turned%uint64(len(r.objects))] = object
}
