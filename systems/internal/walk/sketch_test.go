package walk

import (
	"fmt"
	"math"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

var (
	sketchA = layout.NewComponent("sketchA", uint64(7))
	sketchB = layout.NewComponent("sketchB", uint64(8))
	marked  = layout.NewMark("sketchMarked")

	columns = [2]layout.Field[uint64]{sketchA, sketchB}
)

// Kinds of a sketch, and bits of an object of the model.
const (
	hasA = 1 << iota
	hasB
	isMarked
)

// A one is an object as anybody would hold it.
type one struct {
	alive bool
	has   int
	value [2]uint64
	wrote [2]uint64 // ticks of the latest write
}

// A sketch is a world of three kinds, and a list of its objects beside it.
type sketch struct {
	a       *manager.Arena
	table   kind.Table
	plans   query.Plans
	walks   Walks
	model   []one // by index
	changes uint64
	crowd   crowd
}

func sketchOf(n int) *sketch {
	a, err := manager.NewArena(manager.Sizes{Objects: n, Kinds: []layout.Count{
		sketchA.Kind().Count(n), sketchB.Kind().Count(n), marked.Count(0),
	}})
	if err != nil {
		panic(err)
	}
	return &sketch{
		a: a, table: kind.Table{Arena: a, OnObjects: 3},
		walks: Walks{Objects: a.Objects, To: math.MaxUint32},
	}
}

// create creates objects that have some of the kinds.
func (s *sketch) create(n, has int) {
	for range n {
		id, err := structure.Create(s.a)
		if err != nil {
			return
		}
		o := int(id.Index())
		for len(s.model) <= o {
			s.model = append(s.model, one{})
		}
		s.model[o] = one{alive: true}
		s.change(o, has)
	}
	s.changes++
}

// change gives an object some of the kinds and takes the others.
func (s *sketch) change(o, has int) {
	x := &s.model[o]
	if !x.alive {
		return
	}
	for i := range s.a.Managers {
		m, bit := &s.a.Managers[i], 1<<i
		switch {
		case has&bit != 0 && x.has&bit == 0:
			if _, err := m.Add(uint32(o)); err != nil {
				panic(err)
			}
			if i < 2 {
				x.value[i], x.wrote[i] = uint64(7+i), *s.a.Tick
			}
		case has&bit == 0 && x.has&bit != 0:
			m.Drop(uint32(o))
		}
	}
	x.has = has
	s.changes++
}

func (s *sketch) dispose(o int) {
	if s.model[o].alive {
		s.a.Dispose(uint32(o))
		s.model[o] = one{}
		s.changes++
	}
}

// An ask is a query, beside the rules that it stands for.
type ask struct {
	name     string
	terms    []query.Term
	needs    int // kinds
	excludes int
	writes   int
}

func reads(m query.Mode, fields ...layout.Access) query.Term {
	return *query.TermOfFields(m, fields)
}

func kinds(m query.Mode, list ...layout.AnyKind) query.Term { return *query.TermOfKinds(m, list) }

// asks are one of each sort of query.
var asks = []ask{
	{"everybody", nil, 0, 0, 0},
	{"reads", []query.Term{reads(query.Read, sketchA)}, hasA, 0, 0},
	{"writes two", []query.Term{reads(query.Write, sketchA, sketchB)}, hasA | hasB, 0, hasA | hasB},
	{
		"excludes",
		[]query.Term{reads(query.Write, sketchA), kinds(query.Without, marked)},
		hasA, isMarked, hasA,
	},
	{"with", []query.Term{reads(query.Read, sketchB), kinds(query.With, marked)}, hasB | isMarked, 0, 0},
	{
		"optional",
		[]query.Term{reads(query.Write, sketchA), reads(query.Optional, sketchB)},
		hasA, 0, hasA,
	},
	{
		"forced",
		[]query.Term{reads(query.Write, sketchA, sketchB), {Mode: query.Forced}},
		hasA | hasB, 0, hasA | hasB,
	},
	{
		"row-wise",
		[]query.Term{
			reads(query.Write, sketchA, sketchB), kinds(query.Without, marked), {Mode: query.RowWise},
		},
		hasA | hasB, isMarked, hasA | hasB,
	},
}

// matching returns the objects that match, ascending.
func (s *sketch) matching(q *ask) (list []uint32) {
	for o, x := range s.model {
		if x.alive && x.has&q.needs == q.needs && x.has&q.excludes == 0 {
			list = append(list, uint32(o))
		}
	}
	return list
}

// A view is a batch as a system uses it: it records the objects, checks the values, and writes.
type view struct {
	*sketch
	q    *ask
	seen []uint32
	rows int        // without rows that do not match, in a row-wise query
	run  layout.Row // of the object before
	rest int        // rows of its run behind it
}

func (v *view) batch(b *Batch) error {
	byRow := slices.ContainsFunc(v.q.terms, func(t query.Term) bool { return t.Mode == query.RowWise })
	v.rows += b.Len() - b.Holes()
	var objects []uint32
	if !byRow {
		for i, id := range b.AppendIDs(nil) {
			if id != b.ID(i) {
				return fmt.Errorf("object %d of a batch is %v and %v", i, id, b.ID(i))
			}
			if err := v.rowsFrom(b, i, id.Index()); err != nil {
				return err
			}
			objects = append(objects, id.Index())
		}
		v.seen = append(v.seen, objects...)
	}
	for i, f := range columns {
		asked := b.Plan.Asks(f.Spec())
		if !asked {
			continue
		}
		values := Column(b, b.Turn, f)
		for at, o := range objects {
			x := &v.model[o]
			switch has := x.has>>i&1 != 0; {
			case has != (values != nil):
				return fmt.Errorf("object %d has kind %d: %v", o, i, has)
			case has && values[at] != x.value[i]:
				return fmt.Errorf("object %d has %d, not %d", o, x.value[i], values[at])
			}
		}
		if v.q.writes>>i&1 != 0 {
			for at := range values {
				values[at] += 3
			}
		}
	}
	for _, o := range objects {
		v.wrote(o)
	}
	return nil
}

// rowsFrom looks at where a batch says that the rows of an object, and of those after it, are.
func (v *view) rowsFrom(b *Batch, i int, o uint32) error {
	if v.q.needs&hasA == 0 {
		return nil
	}
	row, n := b.RowsFrom(i, sketchA.Kind())
	before, rest := v.run, v.rest
	if v.run, v.rest = row, n-1; i > 0 && rest > 0 { // the others of a run were looked at
		if row != before+1 || n != rest {
			return fmt.Errorf("%d rows from %d on, of object %d, after %d others from %d on", n, row, o, rest, before)
		}
		return nil
	}
	for j := range n {
		object, ok := v.a.Managers[0].ObjectOf(row + layout.Row(j))
		if id := b.ID(i + j); !ok || object != id.Index() || b.RowOf(i+j, sketchA.Kind()) != row+layout.Row(j) {
			return fmt.Errorf("%d rows from %d on, of object %d and those after it: not %d", n, row, o, j)
		}
	}
	return nil
}

// wrote notes in the model that the system wrote an object.
func (v *view) wrote(o uint32) {
	x := &v.model[o]
	for i := range columns {
		if v.q.writes>>i&1 != 0 {
			x.value[i] += 3
			x.wrote[i] = *v.a.Tick
		}
	}
}

// in opens a walk by f, and returns the objects it yields.
func (s *sketch) in(q *ask, since uint64, f func(w *Walk, yield func(*Batch) bool)) (*view, error) {
	w := s.walks.Open(s.plans.Of(&s.table, query.Declare(q.terms)), since)
	defer w.Close()
	v, err := &view{sketch: s, q: q}, error(nil)
	*s.a.Tick++
	f(w, func(b *Batch) bool {
		err = v.batch(b)
		return err == nil
	})
	for _, o := range v.seen {
		for i := range columns {
			m := &s.a.Managers[i]
			if q.writes>>i&1 != 0 && m.Changed(o>>6, 1<<(o&63), *s.a.Tick-1) == 0 {
				return v, fmt.Errorf("object %d was written, and is not stamped", o)
			}
		}
	}
	return v, err
}
