package structure

import (
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

const (
	maxLoose  = 16   // objects of a recipe, before it gets another slab
	maxSlab   = 1024 // objects of a slab
	slabShare = 16   // a slab of several blocks is at most 1/16 of the room left
)

// A Pool is a recipe with its kinds found in one world.
type Pool struct {
	Name     string
	Place    int  // among the world's recipes
	Relates  bool // it has a relation
	Plain    bool // SpawnHome is manager.SpawnReady
	home     bool // see SpawnHome
	Number   int  // index among the registry's pools
	managers []*manager.Manager
	places   []int              // of the managers, in the arena
	others   []*manager.Manager // kinds that are not described to the arena
	values   []poolValue
	lists    manager.FirstLists // nil: none
	rows     [64]uint32         // of the objects whose values are written; or sizes of a list
	given    [8]given           // by the place of a first value, in the last spawns
	elements []byte             // scratch: elements of a list
}

// A given is the destination of a first value. Calls from one place give values of the same fields.
type given struct {
	field *layout.FieldSpec
	place *manager.Place
}

type poolValue struct {
	manager *manager.Manager
	column  *buffer.Column
	bytes   []byte // of one component
}

// NewPool returns the pool of a recipe with kinds and first values; place is its place among the
// world's recipes. The error wraps manager.ErrNoKind.
func NewPool(
	a *manager.Arena, place int, name string, kinds []layout.Kind, values []layout.FieldValue,
) (*Pool, error) {
	p := &Pool{Name: name, Place: place, Number: place + 1}
	var described []*manager.Manager
	for _, k := range kinds {
		m := a.Find(k.Spec())
		if m == nil || m.Kind.Beside != "" {
			return nil, kind.Missing(k.Spec(), gameobject.Nobody)
		}
		p.managers, p.places = append(p.managers, m), append(p.places, a.Slot(k.Spec()))
		p.Relates = p.Relates || m.Kind.Relation != nil
		if manager.ByBlock(m) || m.Kind.Mark {
			described = append(described, m)
		} else {
			p.others = append(p.others, m)
		}
	}
	if p.home = a.Describe(p.Number, described); !p.home {
		p.others = p.managers
	}
	for i := range values {
		v := &values[i]
		m := a.Find(v.Field.Kind)
		if v.Field.List != nil {
			p.lists = manager.ListsOf(m, v.Field).GiveFirst(p.lists, m, v)
			continue
		}
		p.values = append(p.values, poolValue{m, &m.Data.Columns[v.Field.Index], v.Bytes()})
	}
	p.home = p.home && p.lists == nil
	p.Plain = p.home && len(p.others)+len(p.values) == 0
	return p, nil
}

// CheckFirst reports whether values include first elements of lists. It panics if the recipe does
// not have the kind of a value's field.
func (p *Pool) CheckFirst(values []layout.FieldValue) (lists bool) {
	for i := range values {
		v := &values[i]
		if g := &p.given[i&(len(p.given)-1)]; g.field != v.Field {
			lists = p.isList(g, v) || lists
			continue
		}
		_ = v.Bytes() // panics for the zero value
	}
	return lists
}

// isList reports whether a value is for a list. If not, it finds the destination.
func (p *Pool) isList(g *given, v *layout.FieldValue) bool {
	if v.Field != nil && v.Field.List != nil {
		p.placeOf(v.Field, "set the field after the spawn")
		_ = v.Elements()
		return true
	}
	_ = v.Bytes()
	p.find(g, v)
	return false
}

// CheckLists returns an error if there is no room for first elements of lists among values, which
// replace the recipe's. Call CheckFirst before.
func (p *Pool) CheckLists(values []layout.FieldValue) error {
	for i := range values {
		if v := &values[i]; v.Field.List != nil {
			l := manager.ListsOf(p.managers[p.placeOf(v.Field, "")], v.Field)
			n := uint32(p.First(l))
			sizes := p.rows[:3]
			sizes[0], sizes[1] = n, n|manager.Freed
			sizes[2] = uint32(len(v.Elements()) / v.Field.List.Element.Stride)
			if err := l.Fit(sizes); err != nil {
				return err
			}
		}
	}
	return nil
}

// SetLists writes values, including lists, of an object that was just spawned. Call CheckFirst and
// CheckLists before.
func (p *Pool) SetLists(object uint32, values []layout.FieldValue) {
	for i := range values {
		v := &values[i]
		if v.Field.List == nil {
			p.SetFirst(object, values[i:i+1])
			continue
		}
		m := p.managers[p.placeOf(v.Field, "")]
		row, _ := m.RowOf(object)
		l := manager.ListsOf(m, v.Field)
		l.Reset(&m.Data, row)
		p.elements = append(p.elements[:0], v.Elements()...) // they would escape
		_ = l.Add(m, row, object, p.elements)                // there is room
	}
}

// find finds the destination of a value.
func (p *Pool) find(g *given, v *layout.FieldValue) *given {
	m := p.managers[p.placeOf(v.Field, "add it and set the field after Spawn")]
	at := v.Field.Index
	*g = given{m.Kind.Fields[at], &m.Places[at]} // v.Field would escape
	return g
}

// SetFirst writes values, except references, to an object that was just spawned; the spawn has
// stamped its rows. Call CheckFirst before.
func (p *Pool) SetFirst(object uint32, values []layout.FieldValue) {
	for i := range values {
		v := &values[i]
		g := &p.given[i&(len(p.given)-1)]
		if g.field != v.Field { // more fields than given has room for
			g = p.find(g, v)
		}
		if p.Relates && v.Field.Relation != nil {
			continue
		}
		at, ok := g.place.InLockstep(uint(object))
		if !ok {
			odd, _ := g.place.Manager.RowOf(object)
			at = uint(odd)
		}
		row, column := int(at), g.place.Column
		switch value := v.Bytes(); len(value) { // as buffer.Put: hot path
		case 4:
			*buffer.At[[4]byte](column, row) = [4]byte(value)
		case 8:
			*buffer.At[[8]byte](column, row) = [8]byte(value)
		case 12:
			*buffer.At[[12]byte](column, row) = [12]byte(value)
		case 16:
			*buffer.At[[16]byte](column, row) = [16]byte(value)
		default:
			copy(buffer.Span[byte](column, row*len(value), len(value)), value)
		}
	}
}

// PlaceOf returns the place of the manager of a field, and the field. It panics if the recipe does
// not have its kind; otherwise is appended to the fix, which is to add the kind to the recipe.
func (p *Pool) PlaceOf(f *layout.FieldSpec, otherwise string) (place int, of *layout.FieldSpec) {
	i := p.placeOf(f, otherwise)
	return p.places[i], p.managers[i].Kind.Fields[f.Index]
}

// placeOf returns the place of a field's kind among the kinds of the recipe.
//
//go:noinline
func (p *Pool) placeOf(f *layout.FieldSpec, otherwise string) int {
	for i, m := range p.managers {
		if m.Kind == f.Kind {
			return i
		}
	}
	panic("flatecs: recipe " + p.Name + " has no kind with field " + f.Name +
		"; add the kind to the recipe, or " + otherwise)
}

// First returns the number of initial elements of a list of a new object.
func (p *Pool) First(l manager.Lists) int {
	if p.lists == nil {
		return 0
	}
	return p.lists.Length(l)
}

// Has reports whether the recipe has a kind.
func (p *Pool) Has(m *manager.Manager) bool { return slices.Contains(p.managers, m) }

// CheckKind panics if the recipe does not have a kind.
func (p *Pool) CheckKind(m *manager.Manager) {
	if !p.Has(m) {
		panic("flatecs: recipe " + p.Name + " has no kind " + m.Kind.Name +
			"; add it to the recipe")
	}
}

// RoomFor returns the number of objects of the pool for which there is room: at most 1 if their
// lists have first elements.
func (p *Pool) RoomFor(a *manager.Arena) int {
	if p.lists != nil {
		if p.HasRoom(a) {
			return 1
		}
		return 0
	}
	n := a.Objects.Left()
	for _, m := range p.others {
		n = min(n, m.Left())
	}
	return n
}

// HasRoom reports whether there is room for another object of the pool.
func (p *Pool) HasRoom(a *manager.Arena) bool {
	return a.Objects.Left() > 0 && manager.CheckRoom(1, p.others...) == nil &&
		(p.lists == nil || p.lists.Check(1) == nil)
}

// CheckRoom returns an error if there is no room for n objects of the pool, or if n is negative.
func (p *Pool) CheckRoom(a *manager.Arena, n int) error {
	switch {
	case n < 0:
		return &manager.Error{Err: manager.ErrCount, Kind: "objects to spawn", Count: n}
	case n > a.Objects.Left():
		return manager.RefuseID(a, gameobject.ErrTooMany, gameobject.Nobody)
	}
	if err := manager.CheckRoom(n, p.managers...); err != nil || p.lists == nil {
		return err
	}
	return p.lists.Check(n)
}

// SpawnHome is Spawn without a check of the room, if the next object is ready for its kinds.
func (p *Pool) SpawnHome(a *manager.Arena) (id gameobject.ID, ok bool) {
	if !p.home || len(p.others) > 0 && manager.CheckRoom(1, p.others...) != nil {
		return id, false
	}
	if id, ok = manager.SpawnReady(a, p.Number); !ok {
		return id, false
	}
	i := id.Index()
	if len(p.others) > 0 {
		manager.AddEach(p.others, i)
	}
	if len(p.values) > 0 {
		p.fill(i>>6, 1<<(i&63))
	}
	return id, true
}

// Spawn creates an object of the pool. The caller has checked the room in its kinds; ok is false if
// no object is left.
func (p *Pool) Spawn(a *manager.Arena) (id gameobject.ID, ok bool) {
	if id, ok = p.SpawnHome(a); ok {
		return id, true
	}
	return p.SpawnElse(a)
}

// SpawnElse is Spawn after SpawnHome has returned false: an object of a slab that is not ready, a
// loose object, an object of a new slab, or, if there is no room for a slab, a loose object again.
func (p *Pool) SpawnElse(a *manager.Arena) (id gameobject.ID, ok bool) {
	if p.hasSlabs(a) {
		if id, ok = a.Objects.Take(p.Number); ok {
			p.equip(a, id.Index())
			return id, true
		}
	}
	if p.looseLeft(a) == 0 && p.addSlab(a) {
		return p.Spawn(a)
	}
	id, err := a.Objects.Create(p.Number)
	if err != nil {
		return id, false
	}
	p.equip(a, id.Index())
	return id, true
}

// equip gives a new object the pool's kinds and first values.
func (p *Pool) equip(a *manager.Arena, object uint32) {
	block, bit := object>>6, uint64(1)<<(object&63)
	a.Give(p.Number, block, bit)
	manager.AddEach(p.others, object)
	if len(p.values) > 0 || p.lists != nil {
		p.fill(block, bit)
	}
}

// SpawnN creates n objects of the pool, as repeated calls of Spawn do. The caller has checked the
// room. With slabs, 64 or more objects get slabs at once. It reports the new objects block by
// block, ascending or, with down, descending.
func (p *Pool) SpawnN(
	a *manager.Arena, n int, slabs bool, made func(block uint32, x uint64, down bool),
) {
	many := slabs && n >= 64
	for n > 0 {
		block, x, down := uint32(0), uint64(0), false
		if p.hasSlabs(a) {
			block, x = a.Objects.TakeBlock(p.Number, n)
		}
		if x == 0 {
			most := min(n, p.looseLeft(a))
			if (many || most == 0) && p.addSlab(a) {
				continue
			}
			if many || most == 0 {
				most = n
			}
			block, x, down = a.Objects.CreateBlock(p.Number, most) // there is room
		}
		p.addAll(a, block, x, down)
		p.fill(block, x)
		n -= bits.OnesCount64(x)
		made(block, x, down)
	}
}

// addAll adds the pool's kinds to new objects x of a block.
func (p *Pool) addAll(a *manager.Arena, block uint32, x uint64, down bool) {
	a.Give(p.Number, block, x)
	for _, m := range p.others {
		if !down || m.Kind.Mark || manager.ByBlock(m) {
			m.AddBlock(block, x)
			continue
		}
		for y := x; y != 0; { // so that the rows are those of single calls
			i := uint32(bits.Len64(y) - 1)
			_, _ = m.Add(block<<6 + i) // there is room
			y &^= 1 << i
		}
	}
}

// hasSlabs reports whether the pool has slabs.
func (p *Pool) hasSlabs(a *manager.Arena) bool { return a.Objects.Pools[p.Number-1].Slabs != 0 }

// looseLeft returns the number of loose objects that remain before the pool gets another slab.
func (p *Pool) looseLeft(a *manager.Arena) int {
	return max(0, maxLoose-int(a.Objects.Pools[p.Number-1].Loose))
}

// addSlab gives the pool its next slab, and reports whether there is one.
func (p *Pool) addSlab(a *manager.Arena) bool {
	n := p.nextSlab(a)
	if n == 0 {
		return false
	}
	first := a.Objects.Reserve(p.Number, uint32(n))
	a.Ready(first, uint32(n))
	return true
}

// nextSlab returns the size of the pool's next slab, or 0. It is 64 more than the sum of its slabs:
// 64, 128, 256 and so on.
func (p *Pool) nextSlab(a *manager.Arena) int {
	n := min(int(a.Objects.Pools[p.Number-1].Slabs)+64, slab(a.Objects.Spare()))
	for _, m := range p.others {
		if !m.Kind.Mark && !m.Packed && !manager.ByBlock(m) {
			n = min(n, slab(max(0, m.Rows.Cap()-(m.Live()+63)&^63)))
		}
	}
	return n
}

// slab returns the size of a new slab if left indexes or rows are unused: whole blocks, at least
// one if one is left.
func slab(left int) int { return min(maxSlab, max(left/slabShare, 64), left) &^ 63 }

// fill writes the recipe's first values to the objects x of a block.
func (p *Pool) fill(block uint32, x uint64) {
	n := bits.OnesCount64(x)
	for i := range p.values {
		v := &p.values[i]
		if v.manager.Blocks.RowsOf(&p.rows, block, x) {
			v.column.SetRows(int(p.rows[0]), int(p.rows[0])+n, v.bytes)
			continue
		}
		for _, row := range p.rows[:n] {
			v.column.Set(int(row), v.bytes)
		}
	}
	if p.lists != nil {
		p.lists.Fill(block, x)
	}
}

// SetEach sets a field of the objects x of a block, each to its own value; values are step bytes
// apart. The objects ascend or, with down, descend.
func (p *Pool) SetEach(
	m *manager.Manager, field int, block uint32, x uint64, down bool, values []byte, step int,
) {
	m.Blocks.RowsOf(&p.rows, block, x)
	rows := p.rows[:bits.OnesCount64(x)]
	if down {
		slices.Reverse(rows)
	}
	m.Data.Columns[field].SetEach(rows, values, step)
}
