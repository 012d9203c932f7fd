package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

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

// planOf returns the plan of q in this world.
func (j *job) planOf(q Query) *walk.Plan {
	if j.whole != nil {
		j.allows(q)
	}
	return j.plans.Of(&j.Table, q.declared())
}

// open begins a walk of q.
func (j *job) open(q Query, since uint64) *walk.Walk {
	p := j.planOf(q)
	if p.Writes() && j.guard.Frozen {
		panic(snapshotOnly)
	}
	return j.walks.Open(p, since)
}

// walk yields the objects that match q, in batches.
func (j *job) walk(q Query, since uint64, yield func(Batch) bool) {
	w := j.open(q, since)
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
