package systems

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

// CreateComponent returns the row of a new component that is not on an object yet. The error wraps
// [ErrFull], [ErrNoKind] or [ErrWalking]. It panics if k is a mark or packed.
func CreateComponent(s State, k layout.AnyKind) (State, Row, error) {
	j := s.use()
	m := j.world.arena.Find(specOf(k))
	switch {
	case j.fixed():
		return s, 0, whileWalking(j)
	case m == nil:
		return s, 0, kind.Missing(specOf(k), gameobject.Nobody)
	}
	row, err := m.Create()
	if err != nil {
		return s, 0, err
	}
	return s.reshaped(), row, nil
}

// Mount puts a created component on an object. The error wraps [ErrTwice], [ErrNoKind], [ErrDead],
// [ErrOutOfRange] or [ErrWalking]. It panics if row is not in use.
func Mount(s State, id GameObject, k layout.AnyKind, row Row) (State, error) {
	m, err := s.use().changeable(id, specOf(k))
	if err != nil {
		return s, err
	}
	if err := m.Mount(id.Index(), row); err != nil {
		return s, err
	}
	return s.reshaped(), nil
}

// Add adds a component of a kind to an object, or marks it if k is a mark; more kinds may follow. A
// field may be passed wherever a kind is expected. If one is refused, Add adds none. The error
// wraps [ErrTwice], also if a kind is given twice, [ErrFull], [ErrNoKind], [ErrDead],
// [ErrOutOfRange] or [ErrWalking]. For the row of the component see [Ensure] and [RowOf].
func Add(s State, id GameObject, k layout.AnyKind, more ...layout.AnyKind) (State, error) {
	if len(more) > 0 {
		return addKinds(s, id, k, more)
	}
	j := s.use()
	m := j.world.arena.Find(specOf(k))
	if m == nil || j.fixed() || !j.world.arena.Objects.Alive(id) {
		_, err := j.changeable(id, specOf(k))
		return s, err
	}
	if _, err := m.Add(id.Index()); err != nil {
		return s, err
	}
	j.world.kin.Follow(m, id.Index()>>6, 1<<(id.Index()&63), true)
	return s.reshaped(), nil
}

// Remove removes a component or mark from an object; more kinds may follow. If one is refused,
// Remove removes none. Freed rows are reset to the defaults. The error wraps [ErrAbsent], also if a
// kind is given twice, [ErrNoKind], [ErrDead], [ErrOutOfRange] or [ErrWalking].
func Remove(s State, id GameObject, k layout.AnyKind, more ...layout.AnyKind) (State, error) {
	if len(more) > 0 {
		return removeKinds(s, id, k, more)
	}
	j := s.use()
	m := j.world.arena.Find(specOf(k))
	if m == nil || j.fixed() || !j.world.arena.Objects.Alive(id) {
		_, err := j.changeable(id, specOf(k))
		return s, err
	}
	if err := m.Remove(id.Index()); err != nil {
		return s, err
	}
	j.world.kin.Follow(m, id.Index()>>6, 1<<(id.Index()&63), false)
	return s.reshaped(), nil
}

// Suspend removes a component from an object and keeps its row and values: [Add] brings them back,
// and disposing the object disposes them. A mark is just removed. The error wraps [ErrAbsent],
// [ErrNoKind], [ErrDead], [ErrOutOfRange] or [ErrWalking]. It panics if the kind is packed.
func Suspend(s State, id GameObject, k layout.AnyKind) (State, error) {
	j := s.use()
	m, err := j.changeable(id, specOf(k))
	if err != nil {
		return s, err
	}
	if err := m.Suspend(id.Index()); err != nil {
		return s, err
	}
	j.world.kin.Follow(m, id.Index()>>6, 1<<(id.Index()&63), false)
	return s.reshaped(), nil
}

// DisposeComponent is [Remove] by row; the component need not be on an object. It panics if row is
// not in use, if the world does not have the kind, and while a walk is open.
func DisposeComponent(s State, k layout.AnyKind, row Row) State {
	j := s.use()
	j.mustBeStill()
	j.world.kinds.Manager(specOf(k)).Dispose(row)
	return s.reshaped()
}

// Has reports whether an object is alive and has a kind or mark.
func Has(s State, id GameObject, k layout.AnyKind) bool {
	j, i := s.look(), uint(id.Index())
	m := j.world.arena.Find(specOf(k))
	return m != nil && j.finding.has(i, id) && manager.IsOn(m, i) // then it is alive
}

// RowOf returns the row of an object's component. The error wraps [ErrAbsent],
// [ErrNoKind], [ErrDead] or [ErrOutOfRange].
func RowOf(s State, id GameObject, k layout.AnyKind) (Row, error) {
	m, err := s.look().world.component(id, specOf(k))
	if err != nil {
		return 0, err
	}
	return m.Get(id.Index())
}

// ObjectOf returns the object that a component is on, if any. It panics if row is not in use, or if
// the world does not have the kind.
func ObjectOf(s State, k layout.AnyKind, row Row) (id GameObject, ok bool) {
	j := s.look()
	object, ok := j.world.kinds.Manager(specOf(k)).ObjectOf(row)
	if !ok {
		return gameobject.Nobody, false
	}
	return j.world.arena.Objects.At(object), true
}

// All yields the rows of every mounted component of a kind, ascending. A mark has no rows: see
// [Query.Objects]. It panics if the world does not have the kind. Do not mount or dispose
// components during the loop.
func All(s State, k layout.AnyKind) iter.Seq[Row] {
	return func(yield func(Row) bool) { s.look().world.kinds.Manager(specOf(k)).Rows.Each(yield) }
}

// changeable is component for changes of structure.
func (j *job) changeable(id GameObject, k *layout.KindSpec) (*manager.Manager, error) {
	if j.fixed() {
		return nil, whileWalking(j)
	}
	return j.world.component(id, k)
}

// Ensure returns the row of an object's component, and adds the component if the object lacks it.
// The row of a mark is 0. It returns the errors of [Add], except [ErrTwice].
func Ensure(s State, id GameObject, k layout.AnyKind) (State, Row, error) {
	m, err := s.use().changeable(id, specOf(k))
	if err != nil {
		return s, 0, err
	}
	if !m.Has(id.Index()) {
		return s.added(m, id)
	}
	row, err := m.Get(id.Index())
	return s, row, err
}

// Reset gives an object a component of a kind with default values. It first removes an existing
// component, or one that [Suspend] kept. It returns the errors of [Add], except [ErrTwice].
func Reset(s State, id GameObject, k layout.AnyKind) (State, Row, error) {
	m, err := s.use().changeable(id, specOf(k))
	if err != nil {
		return s, 0, err
	}
	m.Drop(id.Index())
	return s.added(m, id)
}

// added returns the State after a component of m was added to an object, and its row.
func (s State) added(m *manager.Manager, id GameObject) (State, Row, error) {
	row, err := m.Add(id.Index())
	if err != nil {
		return s, 0, err
	}
	s.job.world.kin.Follow(m, id.Index()>>6, 1<<(id.Index()&63), true)
	return s.reshaped(), row, nil
}

// fewKinds is the number of kinds that one call adds or removes without an allocation.
const fewKinds = 8

// addKinds is [Add] of several kinds.
//
//go:noinline
func addKinds(
	s State, id GameObject, k layout.AnyKind, more []layout.AnyKind,
) (State, error) {
	kinds := append(make([]Kind, 0, fewKinds), specOf(k).Handle())
	kinds = kind.Append(kinds, "Add", more)
	j := s.use()
	if j.fixed() || !j.world.arena.Objects.Alive(id) {
		_, err := j.changeable(id, kinds[0].Spec())
		return s, err
	}
	if err := j.world.addable(id, kinds); err != nil {
		return s, err
	}
	for _, k := range kinds {
		m := j.world.kinds.Manager(k.Spec())
		_, _ = m.Add(id.Index())
		j.world.kin.Follow(m, id.Index()>>6, 1<<(id.Index()&63), true)
	}
	return s.reshaped(), nil
}

// removeKinds is [Remove] of several kinds.
//
//go:noinline
func removeKinds(
	s State, id GameObject, k layout.AnyKind, more []layout.AnyKind,
) (State, error) {
	kinds := append(make([]Kind, 0, fewKinds), specOf(k).Handle())
	kinds = kind.Append(kinds, "Remove", more)
	j := s.use()
	if j.fixed() || !j.world.arena.Objects.Alive(id) {
		_, err := j.changeable(id, kinds[0].Spec())
		return s, err
	}
	for i, k := range kinds {
		m := j.world.arena.Find(k.Spec())
		switch {
		case m == nil || m.Kind.Beside != "":
			return s, kind.Missing(k.Spec(), id)
		case slices.Contains(kinds[:i], k):
			return s, givenTwice(ErrRemove, k, id, m.Rows.Cap())
		case !m.Has(id.Index()):
			return s, &Error{Err: ErrRemove, Kind: k.String(), ID: id, Count: m.Rows.Cap()}
		}
	}
	for _, k := range kinds {
		m := j.world.kinds.Manager(k.Spec())
		m.Drop(id.Index())
		j.world.kin.Follow(m, id.Index()>>6, 1<<(id.Index()&63), false)
	}
	return s.reshaped(), nil
}

// addable returns nil if each of kinds can be added to an object.
func (w *world) addable(id GameObject, kinds []Kind) error {
	for i, k := range kinds {
		m := w.arena.Find(k.Spec())
		if m == nil {
			return kind.Missing(k.Spec(), id)
		}
		if slices.Contains(kinds[:i], k) {
			return givenTwice(ErrTwice, k, id, m.Rows.Cap())
		}
		switch block, bit := id.Index()>>6, uint64(1)<<(id.Index()&63); {
		case m.Blocks.Present(block)&bit != 0:
			return &Error{Err: ErrTwice, Kind: k.String(), ID: id, Count: m.Rows.Cap()}
		case !m.Kind.Mark && m.Live() == m.Rows.Cap() && m.Blocks.Holds(block)&bit == 0:
			return &Error{Err: ErrFull, Kind: k.String(), ID: id, Count: m.Rows.Cap()}
		}
	}
	return nil
}

//go:noinline
func givenTwice(err error, k Kind, id GameObject, rows int) error {
	return &placedError{
		prefix + k.String() + " is given twice in one call; give each kind once",
		&Error{Err: err, Kind: k.String(), ID: id, Count: rows},
	}
}

// AddAll adds a component of a kind, or a mark, to every object that matches a query. If one of the
// objects has the kind already, or there is not enough room, it adds none. The error wraps
// [ErrTwice], [ErrFull], [ErrNoKind] or [ErrWalking].
func (q Query) AddAll(s State, k layout.AnyKind) (State, error) {
	j := s.use()
	m, err := j.forMany(k)
	if err != nil {
		return s, err
	}
	p, n := j.planOf(q), 0
	for b := range j.walks.Blocks() {
		x := p.Match.Block(b)
		n += bits.OnesCount64(x &^ m.Blocks.Holds(b))
		if twice := x & m.Blocks.Present(b); twice != 0 {
			id := j.world.arena.Objects.At(b<<6 + uint32(bits.TrailingZeros64(twice)))
			return s, &Error{Err: ErrTwice, Kind: m.Kind.Name, ID: id, Count: m.Rows.Cap()}
		}
	}
	if err := manager.CheckRoom(n, m); err != nil {
		return s, err
	}
	for b := range j.walks.Blocks() {
		if x := p.Match.Block(b) &^ m.Blocks.Present(b); x != 0 {
			m.AddBlock(b, x)
			j.world.kin.Follow(m, b, x, true)
		}
	}
	return s.reshaped(), nil
}

// RemoveAll removes a kind or mark from every object that matches a query and has it. The error
// wraps [ErrNoKind] or [ErrWalking].
func (q Query) RemoveAll(s State, k layout.AnyKind) (State, error) {
	j := s.use()
	m, err := j.forMany(k)
	if err != nil {
		return s, err
	}
	p := j.planOf(q)
	for b := range j.walks.Blocks() {
		if x := p.Match.Block(b) & m.Blocks.Present(b); x != 0 {
			m.DropBlock(b, x)
			j.world.kin.Follow(m, b, x, false)
		}
	}
	return s.reshaped(), nil
}

// forMany returns the manager of a kind, for a change of many objects.
func (j *job) forMany(k layout.AnyKind) (*manager.Manager, error) {
	if j.fixed() {
		return nil, whileWalking(j)
	}
	m := j.world.arena.Find(specOf(k))
	if m == nil || m.Kind.Beside != "" {
		return nil, kind.Missing(specOf(k), gameobject.Nobody)
	}
	return m, nil
}
