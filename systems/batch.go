package systems

import (
	"iter"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

const noBatch = "systems: the zero Batch is of no walk; take one that a query yields"

// A Batch is a stretch of matching objects, their components side by side. It is valid until the
// walk goes on.
type Batch struct {
	walk *walk.Walk
	job  *job
}

// Len returns the number of objects in b: rows of each column.
func (b Batch) Len() int { return b.open().Len() }

// ID returns the object of row i of b. It panics when i is not inside, and in a batch of a row-wise
// query.
func (b Batch) ID(i int) GameObject { return b.open().ID(i) }

// Row returns the row of object i of b in the columns of a kind. It panics when i is not inside,
// and when the query does not ask for fields of the kind.
func (b Batch) Row(i int, k Kind) Row { return b.open().RowOf(i, k) }

// Column returns a field of b's objects: a T per row, in place or as copies that are put back when
// the walk goes on. An optional field that the objects of b do not have is nil. It panics when the
// query does not ask for the field.
func Column[T any](b Batch, f layout.Field[T]) []T { return walk.Column(b.open(), f) }

// Flat is [Column] as elements, for kernels: of a field of [3]float32 three float32 per row. It
// panics unless all of T is E.
func Flat[E layout.Element, T any](b Batch, f layout.Field[T]) []E {
	return layout.Flat[E](f, Column(b, f))
}

// open returns the walk that b is of. It panics when b is the zero Batch.
func (b Batch) open() *walk.Walk {
	if b.walk == nil {
		panic(noBatch)
	}
	return b.walk
}

// allows notes that a task walks a query. It panics when the task does not list it.
func (j *job) allows(q Query) {
	for i := range j.part.allowed {
		if j.part.allowed[i] == q {
			j.part.walked |= 1 << (i & 63)
			return
		}
	}
	panic("systems: this job walks a query that it does not list; add it to the job's Queries")
}

// planOf returns the plan of q in this world.
func (j *job) planOf(q Query) *walk.Plan {
	if j.part.whole != nil {
		j.allows(q)
	}
	spec := q.declared()
	if p := j.plans.Made(spec); p != nil {
		return p
	}
	return j.plans.Of(&j.Table, spec)
}

// checkWrites panics when a plan writes in the world of a snapshot.
func (j *job) checkWrites(p *walk.Plan) {
	if p.Writes() && j.guard.Frozen {
		panic(snapshotOnly)
	}
}

// open begins a walk of q.
func (j *job) open(q Query, since uint64) *walk.Walk {
	p := j.planOf(q)
	j.checkWrites(p)
	return j.walks.Open(p, since)
}

// walk yields the objects that match q, in batches.
func (j *job) walk(q Query, since uint64, yield func(Batch) bool) {
	p := j.planOf(q) // as open does, by hand: of small walks this is the time
	j.checkWrites(p)
	w := j.walks.Open(p, since)
	defer w.Close()
	w.Each(func(w *walk.Walk) bool { return yield(Batch{w, j}) })
}

// walkOne yields the object of one id, if it matches.
func (j *job) walkOne(q Query, id GameObject, yield func(Batch) bool) {
	w := j.open(q, 0)
	defer w.Close()
	w.One(id, func(w *walk.Walk) bool { return yield(Batch{w, j}) })
}

// objects yields the ids of the objects that match q.
func (j *job) objects(q Query, yield func(GameObject) bool) { j.walks.IDs(j.planOf(q), yield) }

// In walks the matching objects of s, ascending, in batches. While the walk is open, fields that it
// writes are reached through its batches only, and the world's structure stays as it is.
func (q Query) In(s State) iter.Seq[Batch] {
	return func(yield func(Batch) bool) { s.look().walk(q, 0, yield) }
}

// Since is In for objects that may have changed after a tick, as the query's [Changed] terms say.
// It panics when it has none.
func (q Query) Since(s State, tick uint64) iter.Seq[Batch] {
	return func(yield func(Batch) bool) { s.look().walk(q, tick, yield) }
}

// Of walks one object: a batch of one row when it is alive and matches, otherwise none.
func (q Query) Of(s State, id GameObject) iter.Seq[Batch] {
	return func(yield func(Batch) bool) { s.look().walkOne(q, id, yield) }
}

// Matches reports whether an object is alive and matches.
func (q Query) Matches(s State, id GameObject) bool {
	j := s.look()
	return j.Objects.Alive(id) && j.planOf(q).Object(id.Index())
}

// Objects yields the matching objects, ascending.
func (q Query) Objects(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().objects(q, yield) }
}

// Count returns how many objects match.
func (q Query) Count(s State) int {
	j := s.look()
	return j.walks.Count(j.planOf(q))
}

// First returns the matching object of the lowest index, if any object matches.
func (q Query) First(s State) (id GameObject, ok bool) {
	for id := range q.Objects(s) {
		return id, true
	}
	return 0, false
}

// Key returns q's rules in one form, by the numbers that kinds have in a world, such as
//
//	allOf:0-1 && anyOf:3-5 && onlyOf:0-1-3 && excludeOf:2-4
//
// allOf is what Read, Write and With ask for, excludeOf is Without. Numbers ascend and nothing is
// said twice, so that queries with the same rules have the same key, in whatever order and however
// often they give them; and queries with the same key match the same objects. A query without
// rules has the key "allOf:". Optional, Changed and RowWise are no part of it. The error wraps
// [ErrNoKind], when the world lacks a kind that objects have to have.
func (q Query) Key(s State) (string, error) {
	rules, err := query.RulesOf(s.look().Arena, q.declared())
	if err != nil {
		return "", err
	}
	return rules.Key(), nil
}

// Kinds returns the numbers of the kinds that q cares about: an object that gains or loses another
// matches as before. A query with [Only] cares about every kind of the world. The error wraps
// [ErrNoKind].
func (q Query) Kinds(s State) (layout.Mask, error) {
	j := s.look()
	rules, err := query.RulesOf(j.Arena, q.declared())
	if err != nil {
		return nil, err
	}
	return rules.Kinds(len(j.Managers)), nil
}
