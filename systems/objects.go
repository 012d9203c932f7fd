package systems

import (
	"encoding/binary"
	"iter"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// Create creates an object without components. Indexes start at 0; in a world without
// recipes they are consecutive. Disposed indexes are reused, the last disposed first, or the first
// disposed first with [Counts].InOrder. The error wraps [ErrTooMany] or [ErrWalking].
func Create(s State) (State, GameObject, error) {
	j := s.use()
	if j.fixed() {
		return s, gameobject.Nobody, whileWalking(j)
	}
	id, err := structure.Create(j.world.arena)
	if err != nil {
		return s, gameobject.Nobody, err
	}
	return s.reshaped(), id, nil
}

// Dispose disposes objects with all their components and marks. If one object is dead, it disposes
// none. An id that is given twice counts once. The [layout.Policy] of a relation says what happens
// to objects that refer to a disposed one. The error wraps [ErrDead], [ErrOutOfRange],
// [ErrReferred] or [ErrWalking].
func Dispose(s State, ids ...GameObject) (State, error) {
	if len(ids) != 1 {
		return disposeSeveral(s, ids)
	}
	j := s.use()
	if j.fixed() {
		return s, whileWalking(j)
	}
	id := ids[0]
	if !j.finding.isAlive(id) {
		return s, j.world.refuse(id)
	}
	if j.world.kin.Targeted(id.Index()) {
		return disposeSeveral(s, ids)
	}
	j.world.arena.Dispose(id.Index())
	return s.reshaped(), nil
}

// disposeSeveral is [Dispose] for several objects.
func disposeSeveral(s State, ids []GameObject) (State, error) {
	j := s.use()
	if j.fixed() {
		return s, whileWalking(j)
	}
	for _, id := range ids {
		if err := j.world.alive(id); err != nil {
			return s, err
		}
	}
	for _, id := range ids {
		if j.world.kin.Targeted(id.Index()) {
			j.world.kin.Begin()
			for _, id := range ids {
				j.world.kin.Add(id.Index(), 0)
			}
			return disposeReferred(s)
		}
	}
	t := structure.Streak{Leaving: j.world.recorded.Leaving}
	for _, id := range ids {
		if j.world.arena.Objects.Alive(id) { // it is no more if it was given twice
			t.Dispose(j.world.arena, id.Index())
		}
	}
	t.CarryOut(j.world.arena)
	j.world.recorded.Leaving = t.Leaving
	return s.reshaped(), nil
}

// disposeReferred disposes the added objects, all or none, and applies the policies of the
// relations by which other objects refer to them.
func disposeReferred(s State) (State, error) {
	if err := s.use().world.kin.Dispose(); err != nil {
		return s, err
	}
	return s.reshaped(), nil
}

// DisposeAll disposes every object that matches a query, or none if one is refused. The error wraps
// [ErrReferred] or [ErrWalking].
func (q Query) DisposeAll(s State) (State, error) {
	j := s.use()
	if j.fixed() {
		return s, whileWalking(j)
	}
	p := j.planOf(q)
	for k := range j.walks.Blocks() {
		if x := j.world.kin.TargetedIn(k); x != 0 && x&p.Match.Block(k) != 0 {
			j.world.kin.Begin()
			for k := range j.walks.Blocks() {
				j.world.kin.AddBlock(k, p.Match.Block(k))
			}
			return disposeReferred(s)
		}
	}
	for k := range j.walks.Blocks() {
		structure.DisposeBlock(j.world.arena, k, p.Match.Block(k))
	}
	return s.reshaped(), nil
}

// Copy creates an object with the kinds, marks and values of another one. The error wraps
// [ErrTooMany], [ErrFull], [ErrDead], [ErrOutOfRange] or [ErrWalking].
func Copy(s State, id GameObject) (State, GameObject, error) {
	j := s.use()
	if j.fixed() {
		return s, gameobject.Nobody, whileWalking(j)
	}
	twin, err := structure.Copy(j.world.arena, id)
	if err != nil {
		return s, gameobject.Nobody, err
	}
	return s.reshaped(), twin, nil
}

// Alive reports whether id names a live object of this world.
func Alive(s State, id GameObject) bool { return s.look().finding.isAlive(id) }

// Len returns the number of live objects.
func Len(s State) int { return s.look().world.arena.Objects.Live() }

// GameObjects yields every live object, ascending by index.
func GameObjects(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().world.arena.Objects.Each(yield) }
}

// Dangling returns the number of references in s to game objects that do not exist any more: ids in
// fields of mounted, loose and suspended components, and of resources. 0, nobody, does not count,
// and events are not searched, because they report the past. A recorded id counts once there are no
// commands left to apply. Dangling visits every row of each kind that has references.
func Dangling(s State) (n int) {
	w := &s.look().world
	rest := w.kinds.OnObjects + len(w.always())
	for i := range w.arena.Managers {
		m := &w.arena.Managers[i]
		ofEvents := func(r *ring) bool { return r != nil && r.rows == m }
		if i >= rest && m.Kind.Of == nil || slices.ContainsFunc(w.fixtures.rings, ofEvents) {
			continue // last values describe the past
		}
		for f, spec := range m.Kind.Fields {
			if len(spec.Refs) > 0 {
				n += w.dangling(m, f, spec.Refs)
			}
		}
	}
	return n
}

// dangling counts the dangling references in one field.
func (w *world) dangling(m *manager.Manager, field int, refs []int) (n int) {
	c := &m.Data.Columns[field]
	for row := range m.Rows.High() {
		if use, _ := m.Rows.Use(layout.Row(row)); use == manager.RowUnused {
			continue
		}
		value := c.Bytes[row*c.Stride:][:c.Stride]
		for _, at := range refs {
			if w.gone(GameObject(binary.LittleEndian.Uint64(value[at:]))) {
				n++
			}
		}
	}
	return n
}

// gone reports whether id names an object that was disposed, or was never created.
func (w *world) gone(id GameObject) bool {
	if id.Recorded() {
		return w.recorded.Recorded() == 0
	}
	return id != 0 && !w.arena.Objects.Alive(id)
}

// CreateWith creates an object with each of kinds. If one is refused, it creates nothing. The error
// wraps [ErrTooMany], [ErrTwice] if a kind is given twice, [ErrFull], [ErrNoKind] or [ErrWalking].
// To create many objects of the same kinds, see [Spawn].
func CreateWith(s State, kinds ...layout.AnyKind) (State, GameObject, error) {
	j := s.use()
	managers, again := j.sets.Again(kinds)
	if !again || j.fixed() || manager.CheckRoom(1, managers...) != nil {
		var err error
		if managers, err = j.roomIn(kinds); err != nil {
			return s, gameobject.Nobody, err
		}
	}
	id, err := structure.Create(j.world.arena)
	if err != nil {
		return s, gameobject.Nobody, err
	}
	manager.AddEach(managers, id.Index())
	return s.reshaped(), id, nil
}

// roomIn returns the managers of kinds, each of which has room for a new object.
//
//go:noinline
func (j *job) roomIn(list []layout.AnyKind) ([]*manager.Manager, error) {
	var few [kind.MaxSet]Kind
	kinds := kind.Append(few[:0], "CreateWith", list)
	if j.fixed() {
		return nil, whileWalking(j)
	}
	if managers, ok := j.sets.Find(kinds); ok {
		return managers, manager.CheckRoom(1, managers...)
	}
	managers, err := j.world.managersOf(j.sets.Room(kinds), kinds)
	if err == nil {
		j.sets.Keep(kinds)
	}
	return managers, err
}

// managersOf appends the managers of kinds, each of which has room for a new object, to dst.
func (w *world) managersOf(dst []*manager.Manager, kinds []Kind) ([]*manager.Manager, error) {
	var seen uint64 // a bit per earlier kind; kinds may share a bit
	for _, k := range kinds {
		slot := uint(w.arena.Slot(k.Spec()))
		if slot >= uint(len(w.arena.Managers)) {
			return nil, kind.Missing(k.Spec(), gameobject.Nobody)
		}
		switch m, bit := &w.arena.Managers[slot], uint64(1)<<(slot&63); {
		case seen&bit != 0 && slices.Contains(dst, m):
			return nil, givenTwice(ErrTwice, k, gameobject.Nobody, m.Rows.Cap())
		case m.Left() == 0:
			return nil, manager.CheckRoom(1, m)
		default:
			seen |= bit
			dst = append(dst, m)
		}
	}
	return dst, nil
}

// pools are the world's recipes.
type pools struct {
	numbered []*structure.Pool // per number of a recipe
	counted  []*structure.Pool // in the order of the counts
	closed   bool              // the world is closed
}

// pool returns the pool of a recipe. It panics if the world does not know the recipe.
func (p *pools) of(r Recipe) *structure.Pool {
	if int(r.declared().number) < len(p.numbered) {
		if p := p.numbered[r.spec.number]; p != nil {
			return p
		}
	}
	if p.closed {
		panic(kind.Closed)
	}
	panic("flatecs: this world has no recipe " + r.spec.name + "; name it in Counts.Recipes")
}

// Spawn creates an object with the kinds and values of a recipe, and with values that replace the
// recipe's: of fields, and initial elements of lists. If a field is given twice, the last value
// applies. The error wraps [ErrTooMany], [ErrFull], [ErrWalking], or, if a relation refers to an
// object that is not alive, [ErrDead] or [ErrOutOfRange]; then nothing is created. It panics if the
// world does not know the recipe, or if a value belongs to a kind that the recipe lacks.
func Spawn(s State, r Recipe, values ...layout.FieldValue) (State, GameObject, error) {
	j := s.use()
	p := j.world.pools.of(r)
	if len(values) > 0 && p.CheckFirst(values) {
		return spawnWithLists(s, p, r, values)
	}
	if j.fixed() {
		return s, gameobject.Nobody, whileWalking(j)
	}
	if p.Relates {
		if err := j.world.checkReferred(values); err != nil {
			return s, gameobject.Nobody, err
		}
	}
	var id GameObject
	var ok bool
	if p.Plain {
		id, ok = manager.SpawnReady(j.world.arena, p.Number)
	} else {
		id, ok = p.SpawnHome(j.world.arena)
	}
	if !ok {
		if !p.HasRoom(j.world.arena) {
			return s, gameobject.Nobody, p.CheckRoom(j.world.arena, 1)
		}
		if id, ok = p.SpawnElse(j.world.arena); !ok {
			return s, gameobject.Nobody, manager.RefuseID(j.world.arena, ErrTooMany, id)
		}
	}
	if len(values) > 0 {
		p.SetFirst(id.Index(), values)
		if p.Relates {
			j.world.referFirst(id.Index(), values)
		}
	}
	return s.reshaped(), id, nil
}

// spawnWithLists is [Spawn] with first elements of lists among the values.
func spawnWithLists(
	s State, p *structure.Pool, r Recipe, values []layout.FieldValue,
) (State, GameObject, error) {
	err := p.CheckLists(values)
	if err == nil {
		err = s.job.world.checkReferred(values)
	}
	if err != nil {
		return s, gameobject.Nobody, err
	}
	s, id, err := Spawn(s, r)
	if err == nil {
		p.SetLists(id.Index(), values)
		s.job.world.referFirst(id.Index(), values)
	}
	return s, id, err
}

// SpawnN spawns n objects, or none if it returns an error. It calls fill, which may be nil, with
// each batch of new objects, to set fields of the recipe's kinds. fill may write the reference of a
// relation through its [Column], to an object of this batch or of an earlier one: SpawnN checks the
// reference when fill returns; until then it reads as [Nobody]. The error wraps [ErrTooMany],
// [ErrFull], [ErrWalking], [ErrCount] for a negative n, and [ErrDead], [ErrOutOfRange] or [ErrRing]
// for a refused reference: SpawnN then disposes the new objects, also if fill panics or ends its
// goroutine. With n ≥ 64 all objects get ids and rows in slabs; [Spawn] puts the first 16 of a
// recipe elsewhere.
func SpawnN(s State, r Recipe, n int, fill func(Batch)) (State, error) {
	j := s.use()
	p := j.world.pools.of(r)
	if j.fixed() {
		return s, whileWalking(j)
	}
	if err := p.CheckRoom(j.world.arena, n); err != nil {
		return s, err
	}
	if fill == nil {
		p.SpawnN(j.world.arena, n, true, func(uint32, uint64, bool) {})
		return s.reshaped(), nil
	}
	return spawnFilled(s, r, n, fill)
}
