package systems

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kin"
)

// A finding finds the values of objects by id, in one world.
//
//	id ──▶ generations: is it alive?         field ──▶ places ──▶ Place: is a walk writing it?
//	   └─▶ Place's block of the object: does it have the component, and in which row?
type finding struct {
	generations []uint32         // of the objects, by index
	alive       []uint64         // a bit per object, 64 to a word
	places      []*manager.Place // by FieldSpec.Number
	written     []*manager.Place // the same for fields that Set writes; empty in a task
}

// has reports whether index i exists and has the generation of id. The object may not be alive yet,
// but an object with a component is.
func (f *finding) has(i uint, id GameObject) bool {
	return i < uint(len(f.generations)) && f.generations[i] == id.Generation()
}

// isAlive reports whether id names a live object.
func (f *finding) isAlive(id GameObject) bool {
	i := uint(uint32(id)) // an inlined copy of has, so that Alive is inlined
	return i < uint(len(f.generations)) && uint64(f.generations[i]) == uint64(id)>>32 &&
		f.alive[i>>6]>>(i&63)&1 != 0
}

// placeOf returns the place of a field that may be read by id, or nil if locate must look.
func (j *job) placeOf(f *layout.FieldSpec) *manager.Place {
	if n := uint(f.Number); n < uint(len(j.finding.places)) {
		if p := j.finding.places[n]; p != nil && (j.walks.Writes|j.part.beside)&p.Mask == 0 {
			return p
		}
	}
	return nil
}

// placeToWrite is placeOf for a field that is written by id.
func (j *job) placeToWrite(f *layout.FieldSpec) *manager.Place {
	if n := uint(f.Number); n < uint(len(j.finding.written)) {
		if p := j.finding.written[n]; p != nil && j.walks.Writes&p.Mask == 0 {
			return p
		}
	}
	return nil
}

// Get returns a copy of one field of an object. To read many objects, use [ReaderOf]. The error
// wraps [ErrAbsent], [ErrNoKind], [ErrDead], [ErrOutOfRange] or, while a walk that writes the field
// is open, [ErrWalking]. It panics in a task if another task may write the field.
func Get[T any](s State, id GameObject, f layout.Field[T]) (value T, err error) {
	func() { // a literal, as in [Reader.Get]
		j := s.look()
		i, p := uint(id.Index()), j.placeOf(f.Spec())
		if p != nil && j.finding.has(i, id) {
			if row, ok := p.InLockstep(i); ok {
				value = *buffer.At[T](p.Column, int(row))
				return
			}
		}
		value, err = getSlow(j, id, f)
	}()
	return //nolint:nakedret // bare, and so cheap enough to be inlined
}

//go:noinline
func getSlow[T any](j *job, id GameObject, f layout.Field[T]) (value T, err error) {
	m, row, err := j.locate(id, f.Spec())
	if err != nil {
		return value, err
	}
	return *inRow(m, f, row), nil
}

// Set sets one field of an object. It returns the errors of [Edit]. It checks the reference of a
// relation: the error wraps [ErrDead], [ErrOutOfRange], or [ErrRing]. [Nobody] clears the
// reference.
func Set[T any](s State, id GameObject, f layout.Field[T], value T) (_ State, err error) {
	func() { // a literal, as in [Reader.Get]
		j := s.use()
		i, p := uint(id.Index()), j.placeToWrite(f.Spec())
		if p != nil && j.finding.has(i, id) {
			if row, ok := p.InLockstep(i); ok {
				p.Manager.Stamps.TouchRow(uint32(row))
				*buffer.At[T](p.Column, int(row)) = value
				s = s.done()
				return
			}
		}
		s, err = setSlow(s, id, f, value)
	}()
	return s, err
}

//go:noinline
func setSlow[T any](s State, id GameObject, f layout.Field[T], value T) (State, error) {
	if r := f.Spec().Relation; r != nil {
		target, _ := any(value).(GameObject)
		return setReference(s, id, r, target)
	}
	s, p, err := editSlow(s, id, f)
	if err == nil {
		*p = value
	}
	return s, err
}

// setReference is [Set] for the reference of a relation.
func setReference(
	s State, id GameObject, r *layout.RelationSpec, target GameObject,
) (State, error) {
	j := s.use()
	row, ok := uint(0), false
	if p := j.placeOf(r.Target); p != nil && j.finding.has(uint(id.Index()), id) {
		row, ok = p.InLockstep(uint(id.Index()))
	}
	if !ok {
		_, at, err := j.locate(id, r.Target)
		if err != nil {
			return s, err
		}
		row = uint(at)
	}
	if j.fixed() {
		return s, whileWalking(j)
	}
	if err := j.world.refer(j.world.kin.Of(r), id, Row(row), target); err != nil {
		return s, err
	}
	return s.done(), nil
}

// refer sets the reference of an object in a row to target, after checking target.
func (w *world) refer(l *kin.Lists, id GameObject, row Row, target GameObject) error {
	if target != gameobject.Nobody && !w.arena.Objects.Alive(target) {
		return placed(l.Target.String()+" of game object "+id.String(), w.refuse(target), "")
	}
	err := l.CheckRing(id.Index(), target, nil)
	if err == nil {
		l.Write(id.Index(), uint32(row), target)
	}
	return err
}

// Edit returns a pointer to one field of an object, and stamps it as written. The pointer is valid
// until the next change of structure or the next tick. To write many objects, use [WriterOf]. The
// error wraps [ErrAbsent], [ErrNoKind], [ErrDead], [ErrOutOfRange] or, in a task and while a walk
// that writes the field is open, [ErrWalking]. It panics for the reference of a relation.
func Edit[T any](s State, id GameObject, f layout.Field[T]) (_ State, pointer *T, err error) {
	func() { // a literal, as in [Reader.Get]
		j := s.use()
		i, p := uint(id.Index()), j.placeToWrite(f.Spec())
		if p != nil && j.finding.has(i, id) {
			if row, ok := p.InLockstep(i); ok {
				p.Manager.Stamps.TouchRow(uint32(row))
				s, pointer = s.done(), buffer.At[T](p.Column, int(row))
				return
			}
		}
		s, pointer, err = editSlow(s, id, f)
	}()
	return s, pointer, err
}

//go:noinline
func editSlow[T any](s State, id GameObject, f layout.Field[T]) (State, *T, error) {
	j := s.use()
	mustBeInPlace(f.Spec())
	m, row, err := j.locate(id, f.Spec())
	switch {
	case err != nil:
		return s, nil, err
	case j.part.whole != nil:
		return s, nil, whileWalking(j)
	}
	m.Stamps.TouchRow(uint32(row))
	return s.done(), inRow(m, f, row), nil
}

// locate returns the manager and the row of a field of an object.
func (j *job) locate(id GameObject, f *layout.FieldSpec) (*manager.Manager, Row, error) {
	m, err := j.world.component(id, f.Kind)
	if err != nil {
		return nil, 0, err
	}
	if j.walks.Depth != 0 && j.walks.Holds(f) {
		return nil, 0, whileWritten(f)
	}
	j.mustBeAlone(f)
	row, err := m.Get(id.Index())
	return m, row, err
}

// mustBeInPlace panics if a field must not be written in place.
func mustBeInPlace(f *layout.FieldSpec) {
	if f.Relation != nil {
		panicReference(f)
	}
}

//go:noinline
func panicReference(f *layout.FieldSpec) {
	panic("flatecs: " + f.String() + " is the reference of a relation and is checked; " +
		"write it by Set or Put, by Spawn, or in SpawnN by Column")
}

// GetRow returns a copy of one field in a row. It panics if row is not in use, if the world does
// not have the kind, while a walk that writes the field is open, and in a task if another task may
// write the field.
func GetRow[T any](s State, f layout.Field[T], row Row) T {
	j := s.look()
	m := j.world.kinds.Manager(f.Spec().Kind)
	j.mustBeUnheld(f.Spec())
	m.ObjectOf(row) // panics if the row is not in use
	return *inRow(m, f, row)
}

// SetRow sets one field in a row. It panics like [GetRow], in a task, and for the reference of a
// relation.
func SetRow[T any](s State, f layout.Field[T], row Row, value T) State {
	*EditRow(s, f, row) = value
	return s.done()
}

// EditRow stamps a row and returns a pointer to a field in it, for packages of this layer, which
// end the change by [Next]. It panics like [SetRow].
func EditRow[T any](s State, f layout.Field[T], row Row) *T {
	j := s.use()
	mustBeInPlace(f.Spec())
	m := j.world.kinds.Manager(f.Spec().Kind)
	j.mustBeWritable(f.Spec())
	m.ObjectOf(row) // panics if the row is not in use
	m.Stamps.TouchRow(uint32(row))
	return inRow(m, f, row)
}

// View returns a field of every row of its kind, used or not, in place, for reading; for a kind
// without a count, of every row that was ever used. Write by [Edit] or [SetRow], or call Touch of
// package systems/tool: incremental copies miss writes through a View, and ecsdebug builds detect
// them in the next call. It panics if the world does not have the kind, while a walk that writes
// the field is open, and in a task if another task may write the field.
func View[T any](s State, f layout.Field[T]) []T {
	j := s.look()
	m := j.world.kinds.Manager(f.Spec().Kind)
	j.mustBeUnheld(f.Spec())
	j.lent.Show(m, f.Spec())
	return manager.Column(m, f)
}

// ValueOf returns an object's value of a [layout.Values] kind. It returns the errors of [Get].
func ValueOf[T any](s State, id GameObject, v layout.Values[T]) (T, error) {
	m, err := s.look().world.component(id, v.Kind().Spec())
	if err != nil {
		var zero T
		return zero, err
	}
	p, err := manager.ValuesOf(m, v).At(id.Index())
	if err != nil {
		var zero T
		return zero, err
	}
	return *p, nil
}

// SetValue sets an object's value of a [layout.Values] kind; copies of the world are unchanged. It
// returns the errors of [Edit].
func SetValue[T any](s State, id GameObject, v layout.Values[T], value T) (State, error) {
	m, err := s.use().world.component(id, v.Kind().Spec())
	if err != nil {
		return s, err
	}
	if s.use().part.whole != nil {
		return s, whileWalking(s.job)
	}
	if err := manager.ValuesOf(m, v).Set(id.Index(), value); err != nil {
		return s, err
	}
	return s.done(), nil
}

// Resource returns a field of a resource. It panics if the world does not have the resource.
func Resource[T any](s State, f layout.Field[T]) T {
	return *inRow(s.look().world.resource(f.Spec().Kind), f, 0)
}

// SetResource sets a field of a resource. Walks may be open. It panics if the world does not have
// the resource, and in a task.
func SetResource[T any](s State, f layout.Field[T], value T) State {
	*inRow(s.resourceToSet(f.Spec().Kind), f, 0) = value
	return s.done()
}

// UpdateResource calls update with a pointer to a field of a resource, which is valid until update
// returns. update must not call functions that return a State of the world. It panics like
// [SetResource].
func UpdateResource[T any](s State, f layout.Field[T], update func(*T)) State {
	if update == nil {
		panic("flatecs: UpdateResource without an update; give a function that changes the value")
	}
	update(inRow(s.resourceToSet(f.Spec().Kind), f, 0))
	s.use() // panics if update invalidated s
	return s.done()
}

// resourceToSet returns the manager of a resource, stamped as written.
func (s State) resourceToSet(k *layout.KindSpec) *manager.Manager {
	s.use().mustBeOutside("a resource is set in a task; set it before the tasks or after them")
	m := s.job.world.resource(k)
	m.Stamps.TouchRow(0)
	return m
}

// Of returns the value of v in a world. It panics if the world does not have it.
func (v Shared[T]) Of(s State) T {
	return sharedColumn(s.look().world.resource(v.values.Kind().Spec()), v).Rows[0]
}

// Set sets the value of v in a world; copies of it are unchanged. It panics if the world does
// not have it, and in a task.
func (v Shared[T]) Set(s State, value T) State {
	sharedColumn(s.resourceToSet(v.values.Kind().Spec()), v).Rows[0] = value
	return s.done()
}

func sharedColumn[T any](m *manager.Manager, _ Shared[T]) *layout.ValueSlice[T] {
	return m.Data.Values.(*layout.ValueSlice[T])
}

// resource returns the manager of a resource. It panics if the world does not have it.
func (w *world) resource(k *layout.KindSpec) *manager.Manager {
	if k != nil {
		if slot := w.arena.Slot(k); uint(slot-w.kinds.OnObjects) < uint(w.fixtures.resources) {
			return &w.arena.Managers[slot]
		}
	}
	panic(noResource(k))
}

func noResource(k *layout.KindSpec) string {
	switch {
	case k == nil:
		return "flatecs: this field belongs to no kind; pass it to NewResource"
	case k.Beside == "events":
		return "flatecs: " + k.Name + " is a type of events; reach them by Send and Receive"
	}
	return "flatecs: this world has no resource " + k.Name + "; name it in Counts.Resources"
}
