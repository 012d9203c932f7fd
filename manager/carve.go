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

// carve cuts a manager's region: truth first, then the derived parts.
func (m *Manager) carve(c *buffer.Carver, rows, objects int, keyed, byBlock bool) {
	blocks := (objects + 63) / 64
	m.count = buffer.CarveRecord[counters](c)
	m.owners.count = m.count
	m.Groups = buffer.CarveRecords[Group](c, (blocks+63)/64)
	if m.Kind.Mark {
		m.blocks = buffer.CarveRecords[blockRecord](c, blocks) // for a mark, the truth
	} else {
		if m.blocks = nil; byBlock {
			m.blocks = buffer.CarveRecords[blockRecord](c, blocks) // the truth
			m.rows = uint(rows)
		}
		m.changed = carveOwners(c, &m.owners, rows, blocks, m.blocks)
		m.carveColumns(c, rows)
		if !byBlock {
			m.blocks = buffer.CarveRecords[blockRecord](c, blocks)
			m.carvePages(c, min(rows, blocks))
		}
	}
	m.livesBase = buffer.BaseOf(buffer.Bytes(m.Objects.Words()))
	m.fillHot()
	if keyed {
		m.slots = buffer.Carve[uint32](c, int(keySlots(int64(rows))))
		m.keys = buffer.CarveRecord[keyCounters](c)
	}
}

// fillHot makes the hot fields.
func (m *Manager) fillHot() {
	s := &m.hot
	s.blockBase = buffer.BaseOf(buffer.Bytes(m.blocks))
	if m.Cap() == 0 {
		return
	}
	if !m.packed {
		s.rows = uint(m.Cap())
	}
	s.changedBase = buffer.BaseOf(buffer.Bytes(m.changed))
	if m.Kind.Values == nil && len(m.Columns) == 1 {
		switch n := m.Columns[0].Stride; n {
		case 4, 8, 12, 16:
			s.columnBase, s.only = m.Columns[0].Base, n
			copy(s.value[:], m.Kind.Fields[0].Default)
		}
	}
}

func (m *Manager) carveColumns(c *buffer.Carver, rows int) {
	start, end := c.Size, c.Size
	for i, f := range m.Kind.Fields {
		end = c.Size + rows*f.Stride
		m.Columns[i] = buffer.NewColumn(c, f, rows)
	}
	m.buffer = c.Bytes[start:end:end]
}

// makeValues makes the Go values, which lie beside the bytes.
func (m *Manager) makeValues() {
	if v := m.Kind.Values; v != nil {
		m.Values, m.apart = v.Make(m.Shown()), true
	}
}

// Fill sets the rows of a counted kind that were never used to the defaults, if they are zeroed.
func (m *Manager) Fill() {
	if m.lazy {
		return
	}
	for i := range m.Columns {
		m.Columns[i].Fill(int(m.count.High))
	}
}

// enlist makes the managers and watchers whose views carve cuts.
func (a *Arena) enlist() {
	fields, last := 0, uint32(0)
	for _, n := range a.sizes.Kinds {
		fields, last = fields+len(n.Kind.Spec().Fields), max(last, n.Kind.Spec().Number)
	}
	columns := make([]buffer.Column, fields)
	a.Managers, a.found = make([]Manager, len(a.sizes.Kinds)), make([]*Manager, last+1)
	for i, n := range a.sizes.Kinds {
		m := &a.Managers[i]
		m.Kind, m.packed, m.lazy = n.Kind.Spec(), n.Packed, n.Free
		m.kinds.word, m.kinds.bit, a.found[m.Kind.Number] = i>>6, 1<<(i&63), m
		m.changes.arena = a
		fields = len(m.Kind.Fields)
		m.Columns, columns = columns[:fields:fields], columns[fields:]
	}
	a.Watchers = make([]Watcher, len(a.sizes.Watchers))
	a.recipes.list = make([]recipe, a.sizes.Pools)
}

// carve cuts the world: tick, objects, kinds per block, one region per manager, one per watcher.
func (a *Arena) carve(c *buffer.Carver) {
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
	a.Words = a.words()
	a.recipes.spawned = buffer.Carve[uint64](c, blocks)
	a.kinds = buffer.Carve[uint64](c, blocks*a.Words)
	if a.hasEights() {
		a.eights = buffer.Carve[uint64](c, blocks*8*a.Words)
	}
	for i, n := range kinds {
		m := &a.Managers[i]
		m.Objects, m.tick = a.Objects, a.Tick
		m.kinds.words, m.kinds.eights, m.kinds.stride = a.kinds, a.eights, a.Words
		if a.hasEights() {
			m.heard = full
		}
		m.carve(c, n.Rows, objects, m.Kind == a.sizes.Keyed, n.ByBlock)
	}
	for i := range a.Watchers {
		a.Watchers[i] = carveWatcher(c, a.Objects, objects)
	}
}

func (a *Arena) view(memory *buffer.Range) {
	a.memory, a.Bytes = memory, memory.Bytes
	a.carve(&buffer.Carver{Bytes: a.Bytes})
	a.place()
	for i := range a.Managers {
		a.Managers[i].makeValues()
		a.openLists(&a.Managers[i])
	}
	a.openMemory()
}

// openMemory makes everything but the columns of free room writable.
func (a *Arena) openMemory() {
	for i := range a.Managers {
		m := &a.Managers[i]
		if m.memory = a.memory; !m.lazy || !a.memory.Mapped() {
			m.ready = math.MaxUint32
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
func (a *Arena) settleIn() {
	if a.memory.Mapped() {
		a.populate()
	}
	a.Fill()
}

// populate commits the memory of counted kinds, kind by kind.
func (a *Arena) populate() {
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
func (a *Arena) begin() {
	*a.Tick = 1 // so that all initial values count as written after tick 0
	if a.sizes.InOrder {
		a.Objects.Count.InOrder = 1
	}
}

// Fill is [Manager.Fill] of all kinds.
func (a *Arena) Fill() {
	for i := range a.Managers {
		a.Managers[i].Fill()
	}
}
