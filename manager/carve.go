package manager

import (
	"math"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
)

// carveWatcher cuts a watcher's region: truth first, then the derived parts.
func carveWatcher(c *buffer.Carver, r *gameobject.Registry, objects int) Watcher {
	blocks := (objects + 63) / 64
	return Watcher{
		Objects:     r,
		record:      buffer.CarveRecord[watchRecord](c),
		generations: buffer.Carve[uint32](c, objects),
		former:      buffer.Carve[uint32](c, objects),
		blocks:      buffer.CarveRecords[watchBlock](c, blocks),
		touched:     buffer.Carve[uint64](c, (blocks+63)/64),
		reported:    buffer.Carve[uint64](c, (blocks+63)/64),
		count:       buffer.CarveRecord[watchCount](c),
	}
}

// carveManager cuts a manager's region: truth first, then the derived parts.
func carveManager(m *Manager, c *buffer.Carver, rows, objects int, keyed, byBlock bool) {
	blocks := (objects + 63) / 64
	m.count = buffer.CarveRecord[counters](c)
	m.Rows.count, m.Stamps.count = m.count, m.count
	m.Blocks.Groups = buffer.CarveRecords[Group](c, (blocks+63)/64)
	if m.Kind.Mark || byBlock {
		m.Blocks.list = buffer.CarveRecords[blockRecord](c, blocks) // the truth
	}
	if !m.Kind.Mark {
		carveRows(m, c, rows, blocks, byBlock)
		carveColumns(m, c, rows)
		if !byBlock {
			m.Blocks.list = buffer.CarveRecords[blockRecord](c, blocks)
			m.Blocks.pages = carvePages(c, min(rows, blocks))
		}
	}
	findBases(m)
	if keyed {
		m.Keys = &Keys{
			slots: buffer.Carve[uint32](c, int(keySlots(int64(rows)))),
			count: buffer.CarveRecord[keyCounters](c), column: &m.Data.Columns[0],
			rows: &m.Rows, stamps: &m.Stamps,
		}
	}
}

// findBases notes where the lists begin that a change of one component reads.
func findBases(m *Manager) {
	m.Rows.registry = m.Objects
	m.Blocks.livesBase = buffer.BaseOf(buffer.Bytes(m.Objects.Words()))
	m.Blocks.base = buffer.BaseOf(buffer.Bytes(m.Blocks.list))
	if m.Rows.Cap() == 0 {
		return
	}
	if !m.Packed {
		m.Rows.fixed = uint(m.Rows.Cap())
	}
	m.Stamps.base = buffer.BaseOf(buffer.Bytes(m.Stamps.list))
	if m.Kind.Values == nil && len(m.Data.Columns) == 1 {
		switch n := m.Data.Columns[0].Stride; n {
		case 4, 8, 12, 16:
			m.Data.base, m.Data.only = m.Data.Columns[0].Base, n
			copy(m.Data.value[:], m.Kind.Fields[0].Default)
		}
	}
}

func carveColumns(m *Manager, c *buffer.Carver, rows int) {
	start, end := c.Size, c.Size
	for i, f := range m.Kind.Fields {
		end = c.Size + rows*f.Stride
		m.Data.Columns[i] = buffer.NewColumn(c, f, rows)
	}
	m.Data.bytes = c.Bytes[start:end:end]
}

// makeValues creates the Go values, which are stored outside the bytes.
func makeValues(m *Manager) {
	if v := m.Kind.Values; v != nil {
		m.Data.Values, m.Data.apart = v.Make(m.Data.Shown()), true
	}
}

// enlist creates the managers and watchers whose views carve cuts.
func enlist(a *Arena) {
	fields, last := 0, uint32(0)
	for _, n := range a.sizes.Kinds {
		fields, last = fields+len(n.Kind.Spec().Fields), max(last, n.Kind.Spec().Number)
	}
	columns := make([]buffer.Column, fields)
	a.Managers, a.found = make([]Manager, len(a.sizes.Kinds)), make([]*Manager, last+1)
	for i, n := range a.sizes.Kinds {
		m := &a.Managers[i]
		m.Kind, m.Packed, m.Data.lazy = n.Kind.Spec(), n.Packed, n.Free
		m.Blocks.kinds.word, m.Blocks.kinds.bit, a.found[m.Kind.Number] = i>>6, 1<<(i&63), m
		m.Stamps.arena, m.Stamps.bit, m.Stamps.rows = a, m.Blocks.kinds.bit, &m.Rows
		m.Blocks.rows, m.Data.rows, m.Rows.kind = &m.Rows, &m.Rows, m.Kind
		fields = len(m.Kind.Fields)
		m.Data.Columns, columns = columns[:fields:fields], columns[fields:]
	}
	a.Watchers = make([]Watcher, len(a.sizes.Watchers))
	a.recipes.list = make([]recipe, a.sizes.Pools)
}

// carve cuts the world: tick, objects, kinds per block, one region per manager, one per watcher.
func carve(a *Arena, c *buffer.Carver) {
	objects, kinds, pools := a.sizes.Objects, a.sizes.Kinds, a.sizes.Pools
	blocks := (objects + 63) / 64
	groups := (blocks + 63) / 64
	a.Tick = buffer.CarveRecord[uint64](c)
	views := gameobject.Views{
		Count:  buffer.CarveRecord[gameobject.Counters](c),
		Pools:  buffer.CarveRecords[gameobject.Pool](c, pools),
		Groups: buffer.CarveRecords[gameobject.Group](c, groups),
	}
	if pools > 0 {
		a.recipes.turnBase = buffer.BaseOf(buffer.Bytes(buffer.Carve[uint64](c, pools)))
		views.Room = buffer.Carve[uint64](c, pools*groups)
	}
	views.Generations = buffer.Carve[uint32](c, objects)
	views.Next = buffer.Carve[uint32](c, objects)
	views.Alive = buffer.Carve[uint64](c, blocks)
	views.Owners = buffer.Carve[uint16](c, blocks)
	a.registry = gameobject.New(views)
	a.Objects = &a.registry
	a.Words = wordsOf(a)
	a.recipes.spawned = buffer.Carve[uint64](c, blocks)
	a.kinds = buffer.Carve[uint64](c, blocks*a.Words)
	if hasEights(a) {
		a.eights = buffer.Carve[uint64](c, blocks*8*a.Words)
	}
	for i, n := range kinds {
		m := &a.Managers[i]
		m.Objects, m.Stamps.tick = a.Objects, a.Tick
		k := &m.Blocks.kinds
		k.words, k.eights, k.stride = a.kinds, a.eights, a.Words
		if hasEights(a) {
			m.heard = full
		}
		carveManager(m, c, n.Rows, objects, m.Kind == a.sizes.Keyed, n.ByBlock)
	}
	for i := range a.Watchers {
		a.Watchers[i] = carveWatcher(c, a.Objects, objects)
	}
}

// viewArena makes the views of a world's bytes.
func viewArena(a *Arena, memory *buffer.Range) {
	enlist(a)
	a.memory, a.Bytes = memory, memory.Bytes
	carve(a, &buffer.Carver{Bytes: a.Bytes})
	makePlaces(a)
	for i := range a.Managers {
		makeValues(&a.Managers[i])
		openLists(a, &a.Managers[i])
	}
	openMemory(a)
}

// openMemory makes all parts writable except the columns of kinds without counts.
func openMemory(a *Arena) {
	for i := range a.Managers {
		m := &a.Managers[i]
		if m.Data.memory = a.memory; !m.Data.lazy || !a.memory.Mapped() {
			m.Data.ready = math.MaxUint32
		}
	}
	if !a.memory.Mapped() {
		return
	}
	parts := a.layout()
	for i := range parts {
		if p := &parts[i]; !p.Free || p.Field == nil {
			a.memory.Open(p.at, p.at+p.size)
		}
	}
}

// settleIn commits the memory of counted kinds and writes their defaults.
func settleIn(a *Arena) {
	if a.memory.Mapped() {
		populate(a)
	}
	a.Fill()
}

// populate commits the memory of counted kinds, kind by kind.
func populate(a *Arena) {
	parts := a.layout()
	for i := 0; i < len(parts); {
		p, next := &parts[i], i+1
		if !p.counted() {
			i++
			continue
		}
		for next < len(parts) && parts[next].counted() && parts[next].Place == p.Place {
			next++
		}
		last := &parts[next-1]
		a.memory.Fill(p.at, last.at+last.size)
		i = next
	}
}

// begin sets the initial values that are not zero.
func begin(a *Arena) {
	*a.Tick = 1 // so all initial values count as written after tick 0
	if a.sizes.InOrder {
		a.Objects.Count.InOrder = 1
	}
}

// Fill calls [Data.Fill] of all kinds.
func (a *Arena) Fill() {
	for i := range a.Managers {
		a.Managers[i].Data.Fill()
	}
}
