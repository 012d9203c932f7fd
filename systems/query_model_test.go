package systems

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
)

var (
	fieldA  = layout.NewField("a", [3]float32{1, 2, 3})
	fieldB  = layout.NewField[uint16]("b", 7)
	fieldB2 = layout.NewField[[2]float64]("b2")
	fieldC  = layout.NewField("c", [5]uint8{9, 9, 9, 9, 9})
	kindA   = layout.NewKind("A", fieldA)
	kindB   = layout.NewKind("B", fieldB, fieldB2)
	kindC   = layout.NewKind("C", fieldC)
	markX   = layout.NewMark("X")
	markY   = layout.NewMark("Y")
	tried   = []Kind{kindA, kindB, kindC, markX, markY}
)

// A rule is a query's terms beside the function that says the same of a mirror's object.
type rule struct {
	name  string
	terms []Term
	match func(has map[Kind]bool) bool
}

var rules = []rule{
	{"read A", []Term{Read(fieldA)}, func(h map[Kind]bool) bool { return h[kindA] }},
	{"write A C", []Term{Write(fieldA, fieldC)}, func(h map[Kind]bool) bool { return h[kindA] && h[kindC] }},
	{"with", []Term{Write(fieldA), With(kindB, markX)}, func(h map[Kind]bool) bool {
		return h[kindA] && h[kindB] && h[markX]
	}},
	{"without", []Term{Write(kindC), Without(markX, kindB)}, func(h map[Kind]bool) bool {
		return h[kindC] && !h[markX] && !h[kindB]
	}},
	{"any", []Term{Read(fieldB2), Any(kindA, markY), Any(kindC, markX)}, func(h map[Kind]bool) bool {
		return h[kindB] && (h[kindA] || h[markY]) && (h[kindC] || h[markX])
	}},
	{"none of any", []Term{Any()}, func(map[Kind]bool) bool { return false }},
	{"all", nil, func(map[Kind]bool) bool { return true }},
	{"only exclude", []Term{Without(kindA)}, func(h map[Kind]bool) bool { return !h[kindA] }},
	{"marks", []Term{With(markX, markY)}, func(h map[Kind]bool) bool { return h[markX] && h[markY] }},
	{"only", []Term{Write(fieldA), Only(kindA, kindC)}, func(h map[Kind]bool) bool {
		return h[kindA] && h[kindC] && len(h) == 2
	}},
	{"only nothing", []Term{Only()}, func(h map[Kind]bool) bool { return len(h) == 0 }},
	{"optional", []Term{Write(fieldA), Optional(fieldC, kindB)}, func(h map[Kind]bool) bool { return h[kindA] }},
	{"all optional", []Term{Optional(fieldC), Optional(kindB), Without(kindA)}, func(h map[Kind]bool) bool {
		return !h[kindA]
	}},
	{"row-wise", []Term{Write(fieldA), Without(markX), RowWise()}, func(h map[Kind]bool) bool {
		return h[kindA] && !h[markX]
	}},
	{"row-wise two", []Term{Write(fieldA, fieldC), Without(markX), RowWise()}, func(h map[Kind]bool) bool {
		return h[kindA] && h[kindC] && !h[markX]
	}},
}

// paths counts the batches of each sort that the tests have seen.
type paths struct{ runs, lists, holed, absent, whole int }

func (p *paths) note(b Batch) {
	switch {
	case b.walk.Gathered():
		p.lists++
	case b.walk.Holes() != 0:
		p.holed++
	case b.Len() >= 128:
		p.whole++
	default:
		p.runs++
	}
	if !b.walk.Whole() {
		p.absent++
	}
}

var moreRounds = flag.Int("rounds", 0, "rounds of TestQueriesAgainstModel, of about 1,200 changes each")

// run walks one query, checks every batch against the mirror, and writes.
func (m *mirror) run(q Query, ru rule, p *paths) error {
	var want []GameObject
	for _, id := range slices.Sorted(slices.Values(m.ids)) {
		if ru.match(m.has[id]) {
			want = append(want, id)
		}
	}
	slices.SortFunc(want, func(a, b GameObject) int { return int(a.Index()) - int(b.Index()) })
	if got := slices.Collect(q.Objects(m.s)); !slices.Equal(got, want) || q.Count(m.s) != len(want) {
		return fmt.Errorf("objects %v, count %d, want %v", got, q.Count(m.s), want)
	}
	seen := 0
	for b := range q.In(m.s) {
		p.note(b)
		if asks(q, query.RowWise) {
			if err := m.work(b, nil); err != nil {
				return err
			}
			seen += b.Len() - b.walk.Holes()
			continue
		}
		if seen+b.Len() > len(want) {
			return fmt.Errorf("more objects than the %d that match", len(want))
		}
		ids := want[seen:][:b.Len()]
		for i, id := range ids {
			if b.ID(i) != id {
				return fmt.Errorf("object %v at %d, want %v", b.ID(i), seen+i, id)
			}
		}
		if err := m.work(b, ids); err != nil {
			return err
		}
		seen += b.Len()
	}
	if seen != len(want) {
		return fmt.Errorf("%d objects, want %d", seen, len(want))
	}
	for _, id := range want {
		m.wrote(q, id)
	}
	return m.values()
}

// asks reports whether some term of q is of a mode.
func asks(q Query, m query.Mode) bool {
	return slices.ContainsFunc(q.spec.Terms, func(t query.Term) bool { return t.Mode == m })
}

// work checks the columns of a batch against the mirror, and adds to those that are written.
func (m *mirror) work(b Batch, ids []GameObject) error {
	for field, mode := range b.walk.Fields() {
		switch field {
		case fieldA.Spec():
			rows := Column(b, fieldA)
			for i, id := range ids {
				if rows[i] != m.a[id] {
					return fmt.Errorf("a of %v is %v, want %v", id, rows[i], m.a[id])
				}
			}
			for i := range rows {
				if mode == query.Write {
					rows[i][1]++
				}
			}
		case fieldC.Spec():
			flat := Flat[uint8](b, fieldC)
			if flat == nil {
				continue
			}
			for i, id := range ids {
				if flat[5*i] != m.c[id] || flat[5*i+4] != 9 {
					return fmt.Errorf("c of %v is %v, want %v", id, flat[5*i], m.c[id])
				}
			}
			for i := range len(flat) / 5 {
				if mode == query.Write {
					flat[5*i] += 3
				}
			}
		}
	}
	return nil
}

// wrote does on the mirror what work did on the world.
func (m *mirror) wrote(q Query, id GameObject) {
	for field, mode := range m.s.use().planOf(q).Fields() {
		if mode != query.Write {
			continue
		}
		switch field {
		case fieldA.Spec():
			v := m.a[id]
			v[1]++
			m.a[id], m.tick[id][kindA] = v, Tick(m.s)
		case fieldC.Spec():
			m.c[id], m.tick[id][kindC] = m.c[id]+3, Tick(m.s)
		}
	}
}

// values compares every value.
func (m *mirror) values() error {
	a, c := Open(m.s, fieldA), Open(m.s, fieldC)
	for _, id := range m.ids {
		va, hasA := a.At(id)
		vc, hasC := c.At(id)
		if m.has[id][kindA] != hasA || hasA && va != m.a[id] {
			return fmt.Errorf("a of %v is %v, want %v", id, va, m.a[id])
		}
		if m.has[id][kindC] != hasC || hasC && vc[0] != m.c[id] {
			return fmt.Errorf("c of %v is %v, want %v", id, vc, m.c[id])
		}
	}
	return nil
}

// TestQueriesAgainstModel: every sort of query on worlds of random history, against maps; and the
// same with every batch gathered, which must end in the same bytes.
func TestQueriesAgainstModel(t *testing.T) {
	OneGoroutine(t)
	const all = 12
	rounds := all
	if !atLength() {
		rounds = 3
	}
	if *moreRounds > 0 {
		rounds = *moreRounds
	}
	var p paths
	ops := map[string]int{}
	for round := range rounds {
		seed := rand.Uint64()
		m := newMirror(t, []int{700, 5000}[round/2%2], []int{700, 300, 5000}[round%3], seed)
		if round%2 == 0 {
			m.uniform(t)
		}
		for range 40 {
			for range m.r.IntN(60) {
				if err := m.change(); err != nil {
					t.Fatalf("seed %d, after %v: %v", seed, m.ops, err)
				}
			}
			if err := ArenaOf(m.s).Verify(); err != nil {
				t.Fatalf("seed %d, after %v: %v", seed, m.ops, err)
			}
			m.s = Advance(m.s)
			ru := rules[m.r.IntN(len(rules))]
			if err := m.both(ru, &p); err != nil {
				t.Fatalf("seed %d, rule %s, after %v: %v", seed, ru.name, m.ops, err)
			}
		}
		for op, n := range m.ops {
			ops[op] += n
		}
	}
	t.Logf("batches: %+v, changes: %v", p, ops)
	if rounds >= all && (p.runs == 0 || p.lists == 0 || p.holed == 0 || p.absent == 0 || p.whole == 0) {
		t.Errorf("some path was never taken: %+v", p)
	}
}

// uniform fills the world with objects that all have A and C.
func (m *mirror) uniform(t *testing.T) {
	t.Helper()
	for range 600 {
		if err := m.create(); err != nil {
			t.Fatal(err)
		}
		id := m.ids[len(m.ids)-1]
		for _, k := range []Kind{kindA, kindC, markX} {
			if k == markX && m.r.IntN(10) != 0 || m.has[id][k] {
				continue
			}
			s, err := Add(m.s, id, k)
			if m.s = s; err == nil {
				m.gained(id, k)
			}
		}
	}
}

func (m *mirror) both(ru rule, p *paths) error {
	other := *m
	var err error
	if other.s, err = Clone(m.s); err != nil {
		return err
	}
	q := NewQuery(ru.terms...)
	for b := range inCopies(q).In(other.s) {
		if err := other.work(b, nil); err != nil {
			return err
		}
	}
	if err := m.run(q, ru, p); err != nil {
		return err
	}
	if !bytes.Equal(Bytes(m.s), Bytes(other.s)) {
		return fmt.Errorf("gathering every batch ends in other bytes")
	}
	return m.since(ru)
}

// since checks that a walk for changes misses nothing.
func (m *mirror) since(ru rule) error {
	tick := Tick(m.s) - min(Tick(m.s), m.r.Uint64N(4))
	q := NewQuery(append(slices.Clone(ru.terms), Changed(kindA, kindC))...)
	if asks(q, query.RowWise) {
		return nil
	}
	got := map[GameObject]bool{}
	for b := range q.Since(m.s, tick) {
		for i := range b.Len() {
			got[b.ID(i)] = true
		}
	}
	for _, id := range m.ids {
		late := m.has[id][kindA] && m.tick[id][kindA] > tick || m.has[id][kindC] && m.tick[id][kindC] > tick
		if ru.match(m.has[id]) && late && !got[id] && tick > 0 {
			return fmt.Errorf("object %v was written after tick %d and is missed", id, tick)
		}
		if got[id] && !ru.match(m.has[id]) {
			return fmt.Errorf("object %v does not match", id)
		}
	}
	return nil
}

// What a query cannot ask for is refused where it is declared, not where it is walked first.
func TestNewQueryRefusesFieldsOfMarks(t *testing.T) {
	mark := layout.NewMark("mark that is asked for")
	for name, term := range map[string]func(...layout.Access) Term{
		"Read": Read, "Write": Write, "Optional": Optional,
	} {
		panicsWith(t, func() { NewQuery(Read(Position), term(mark)) }, name+": kind mark that is", "by With")
		panicsWith(t, func() { NewQuery(Read(Position)).And(term(mark)) }, name+": kind mark that is", "by With")
	}
	NewQuery(Read(Position), Optional(layout.Disabled))
}
