package systems

import (
	"iter"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// A Batch is a range of matching objects, with their components side by side. It is valid until the
// loop continues, and panics afterwards.
type Batch struct {
	batch *walk.Batch
	job   *job
	turn  uint64 // of batch
}

// batchOf returns the current batch of a walk.
func batchOf(b *walk.Batch, j *job) Batch { return Batch{b, j, b.Turn} }

// Len returns the number of objects in b, which is the number of rows of each column.
func (b Batch) Len() int { return b.open().Len() }

// ID returns the object of row i of b. It panics if i is out of range, and for row-wise queries.
func (b Batch) ID(i int) GameObject { return b.open().ID(i) }

// AppendIDs appends the objects of b, in the order of its rows, to dst, and returns it. It is
// faster than [Batch.ID] for every row. A slice that is reused for each batch soon stops growing:
//
//	ids = b.AppendIDs(ids[:0])
//
// It panics in a batch of a row-wise query.
func (b Batch) AppendIDs(dst []GameObject) []GameObject { return b.open().AppendIDs(dst) }

// Row returns the row of object i of b in the columns of a kind. It panics if i is out of range,
// and if the query does not ask for fields of the kind.
func (b Batch) Row(i int, k layout.AnyKind) Row { return b.open().RowOf(i, specOf(k).Handle()) }

// Column returns a field of b's objects, one T per row: in place, or as copies that are written
// back when the loop continues. A walk may yield several batches; to copy a field of all objects,
// use [Gather]. Column returns nil for an optional field that the objects of b lack. It panics if
// the query does not ask for the field.
func Column[T any](b Batch, f layout.Field[T]) []T { return walk.Column(b.batch, b.turn, f) }

// open returns the contents of b. It panics if b is the zero Batch, or was used after its turn.
func (b Batch) open() *walk.Batch {
	if b.batch == nil || b.batch.Turn != b.turn {
		panic(walk.Over)
	}
	return b.batch
}

// allows records that a task walks a query. It panics if the task does not list the query.
func (p *part) allows(q Query) {
	for i := range p.allowed {
		if p.allowed[i] == q {
			p.walked |= 1 << (i & 63)
			return
		}
	}
	panic("flatecs: this job walks " + q.String() + ", which it does not list; " +
		"add it to the job's Queries")
}

// planOf returns the plan of q in this world.
func (j *job) planOf(q Query) *query.Plan {
	if j.part.whole != nil {
		j.part.allows(q)
	}
	spec := q.declared()
	p := j.world.plans.Made(spec)
	if p == nil {
		p = j.world.plans.Of(&j.world.kinds, spec)
	}
	if p.Match.Held != nil {
		hold(p)
	}
	return p
}

// hold updates the sets of a plan that are derived from values.
//
//go:noinline
func hold(p *query.Plan) {
	for _, h := range p.Match.Held {
		h.Hold()
	}
}

// mustMayWrite panics if a plan writes in the world of a snapshot.
func (j *job) mustMayWrite(p *query.Plan) {
	if p.Writes() && j.guard.readOnly != nil {
		panic(j.guard.readOnly)
	}
}

// open begins a walk of q.
func (j *job) open(q Query) *walk.Walk {
	p := j.planOf(q)
	j.mustMayWrite(p)
	return j.walks.Open(p, 0)
}

// walk yields the objects that match q, in batches.
func (j *job) walk(q Query, since uint64, yield func(Batch) bool) {
	p := j.planOf(q) // an inlined copy of open: it dominates small walks
	j.mustMayWrite(p)
	w := j.walks.Open(p, since)
	defer w.Close()
	w.Each(func(b *walk.Batch) bool { return yield(batchOf(b, j)) })
}

// In walks the matching objects of s, ascending, in batches. During the walk, the fields that it
// writes are accessible through its batches only, and the structure of the world must not change.
func (q Query) In(s State) iter.Seq[Batch] {
	return func(yield func(Batch) bool) { s.look().walk(q, 0, yield) }
}

// Since is [Query.In] for objects that may have changed after tick according to the [Changed]
// terms. It includes writes of open walks. It panics if the query has no Changed term.
func (q Query) Since(s State, tick uint64) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		j := s.look()
		if manager.LendsWatched {
			compare(j)
		}
		j.walks.StampOpen()
		j.walk(q, tick, yield)
	}
}

// Of walks one object: it yields a batch of one row if the object is alive and matches.
func (q Query) Of(s State, id GameObject) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		j := s.look()
		w := j.open(q)
		defer w.Close()
		w.One(id, func(b *walk.Batch) bool { return yield(batchOf(b, j)) })
	}
}

// Matches reports whether an object is alive and matches.
func (q Query) Matches(s State, id GameObject) bool {
	j := s.look()
	return j.world.arena.Objects.Alive(id) && j.planOf(q).Match.Object(id.Index())
}

// Objects yields the matching objects, ascending.
func (q Query) Objects(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) {
		j := s.look()
		j.walks.IDs(j.planOf(q), yield)
	}
}

// Count returns the number of matching objects.
func (q Query) Count(s State) int {
	j := s.look()
	return j.walks.Count(j.planOf(q))
}

// First returns the matching object with the lowest index, if any.
func (q Query) First(s State) (id GameObject, ok bool) {
	for id := range q.Objects(s) {
		return id, true
	}
	return 0, false
}

// Key returns the rules of q in a canonical form, with the numbers that kinds have in s, such as
//
//	allOf:0-1 && anyOf:3-5 && onlyOf:0-1-3 && excludeOf:2-4
//
// allOf stands for Read, Write and With, excludeOf for Without. Numbers ascend, without duplicates.
// Queries with the same rules, in any order, have the same key, and queries with the same key match
// the same objects. A query without rules has the key "allOf:". Optional, Changed and RowWise are
// not part of the key. The error wraps [ErrNoKind] if the world does not have a kind that the query
// requires.
func (q Query) Key(s State) (string, error) {
	rules, err := query.RulesOf(s.look().world.arena, q.declared())
	if err != nil {
		return "", err
	}
	return rules.Key(), nil
}

// Kinds returns the numbers of the kinds that decide whether an object matches q. A query with
// [Only] depends on every kind of the world. The error wraps [ErrNoKind].
func (q Query) Kinds(s State) (mask.Mask, error) {
	j := s.look()
	rules, err := query.RulesOf(j.world.arena, q.declared())
	if err != nil {
		return nil, err
	}
	return rules.Kinds(len(j.world.arena.Managers)), nil
}
