package systems

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// A rule is a query's terms beside the function that says the same of a model's object.
type rule struct {
	name  string
	terms []Term
	match func(has map[Kind]bool) bool
	keeps []int // cells whose last values a watcher may keep
}

var rules = []rule{
	{"read A", []Term{Read(fieldA)}, func(h map[Kind]bool) bool { return h[kindA] }, []int{cellA}},
	{"write A C", []Term{Write(fieldA, fieldC)}, func(h map[Kind]bool) bool { return h[kindA] && h[kindC] }, []int{cellC}},
	{"with", []Term{Write(fieldA), With(kindB, markX)}, func(h map[Kind]bool) bool {
		return h[kindA] && h[kindB] && h[markX]
	}, []int{cellB, cellB2}},
	{"without", []Term{Write(kindC), Without(markX, kindB)}, func(h map[Kind]bool) bool {
		return h[kindC] && !h[markX] && !h[kindB]
	}, nil},
	{"any", []Term{Read(fieldB2), Any(kindA, markY), Any(kindC, markX)}, func(h map[Kind]bool) bool {
		return h[kindB] && (h[kindA] || h[markY]) && (h[kindC] || h[markX])
	}, []int{cellB}},
	{"none of any", []Term{Any()}, func(map[Kind]bool) bool { return false }, nil},
	{"all", nil, func(map[Kind]bool) bool { return true }, nil},
	{"only exclude", []Term{Without(kindA)}, func(h map[Kind]bool) bool { return !h[kindA] }, nil},
	{"marks", []Term{With(markX, markY)}, func(h map[Kind]bool) bool { return h[markX] && h[markY] }, nil},
	{"value", []Term{With(valueH), Without(markX)}, func(h map[Kind]bool) bool {
		return h[valueH.Kind()] && !h[markX]
	}, []int{cellH}},
	{"only", []Term{Write(fieldA), Only(kindA, kindC)}, func(h map[Kind]bool) bool {
		return h[kindA] && h[kindC] && len(h) == 2
	}, []int{cellA, cellC}},
	{"only nothing", []Term{Only()}, func(h map[Kind]bool) bool { return len(h) == 0 }, nil},
	{"optional", []Term{Write(fieldA), Optional(fieldC, kindB)}, func(h map[Kind]bool) bool { return h[kindA] }, nil},
	{"all optional", []Term{Optional(fieldC), Optional(kindB), Without(kindA)}, func(h map[Kind]bool) bool {
		return !h[kindA]
	}, nil},
	{"row-wise", []Term{Write(fieldA), Without(markX), RowWise()}, func(h map[Kind]bool) bool {
		return h[kindA] && !h[markX]
	}, nil},
	{"row-wise two", []Term{Write(fieldA, fieldC), Without(markX), RowWise()}, func(h map[Kind]bool) bool {
		return h[kindA] && h[kindC] && !h[markX]
	}, nil},
}

// asks reports whether some term of q is of a mode.
func asks(q Query, m query.Mode) bool {
	return slices.ContainsFunc(q.spec.Terms, func(t query.Term) bool { return t.Mode == m })
}

// A check compares a world with its model.
type check func(m *model) error

// checkObjects compares all objects, their kinds, values and references.
func (m *model) checkObjects() error {
	want := ascending(slices.Clone(m.ids))
	if got := slices.Collect(GameObjects(m.s)); !slices.Equal(want, got) || Len(m.s) != len(want) {
		return fmt.Errorf("%v are alive, not %v", want, got)
	}
	kinds := m.kinds()
	for _, id := range want {
		t := m.things[id]
		for _, k := range kinds {
			if Has(m.s, id, k) != t.has[k] {
				return fmt.Errorf("%v has %v: not %v", id, k, !t.has[k])
			}
		}
		for i := range cells {
			c := &cells[i]
			if v, err := c.get(m.s, id); t.has[c.kind] != (err == nil) || err == nil && v != t.values[i] {
				return fmt.Errorf("cell %d of %v is %v, not %v: %w", i, id, v, t.values[i], err)
			}
		}
	}
	a := ReaderOf(m.s, fieldA)
	for _, id := range m.dead {
		if _, ok := a.Get(id); ok || Alive(m.s, id) {
			return fmt.Errorf("%v is alive", id)
		}
	}
	return m.checkBytes()
}

// checkBytes checks derived parts, and the bytes behind used parts.
func (m *model) checkBytes() error {
	if name := behind(m.s); name != "" {
		return fmt.Errorf("%s was written behind what is used", name)
	}
	if n := Dangling(m.s); n != 0 {
		return fmt.Errorf("%d references dangle", n)
	}
	return ToolsOf(m.s).Verify()
}

// behind returns the name of a part that was written behind its used bytes, or "".
func behind(s State) string {
	for _, p := range ArenaOf(s).Parts() {
		want := make([]byte, p.Unit)
		if p.Field != nil && !p.Free {
			want = p.Field.Default
		}
		rest := p.Bytes[len(ArenaOf(s).Used(&p)):]
		for len(rest) >= p.Unit && bytes.Equal(rest[:p.Unit], want) {
			rest = rest[p.Unit:]
		}
		if len(rest) > 0 {
			return p.Owner + "." + p.Name
		}
	}
	return ""
}

// matching returns the objects that match a rule, ascending.
func (m *model) matching(match func(has map[Kind]bool) bool) (list []GameObject) {
	for _, id := range m.ids {
		if match(m.things[id].has) {
			list = append(list, id)
		}
	}
	return ascending(list)
}

// checkQuery walks a random query, and the same in a copy with every batch gathered, which must end
// in the same bytes.
func (m *model) checkQuery() error {
	ru := rules[m.r.IntN(len(rules))]
	q := NewQuery(ru.terms...)
	if m.r.IntN(2) == 0 {
		m.s = Advance(m.s)
	}
	other := sure(Clone(m.s))
	defer Close(other)
	for b := range inCopies(q).In(other) {
		if err := m.work(b, nil, false); err != nil {
			return err
		}
	}
	err := m.walk(q, &ru)
	if err == nil && !bytes.Equal(Bytes(m.s), Bytes(other)) {
		err = errors.New("gathering every batch ends in other bytes")
	}
	if err == nil {
		err = m.since(&ru)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", ru.name, err)
	}
	return nil
}

// walk walks one query, checks every batch, and writes.
func (m *model) walk(q Query, ru *rule) error {
	want := m.matching(ru.match)
	if got := slices.Collect(q.Objects(m.s)); !slices.Equal(got, want) || q.Count(m.s) != len(want) {
		return fmt.Errorf("objects %v, count %d, want %v", got, q.Count(m.s), want)
	}
	seen := 0
	for b := range q.In(m.s) {
		m.notePath(b)
		ids := want[:0:0]
		if n := b.Len() - b.batch.Holes(); seen+n > len(want) {
			return fmt.Errorf("more objects than the %d that match", len(want))
		} else if seen += n; !asks(q, query.RowWise) {
			ids = want[seen-n : seen]
		}
		for i, id := range ids {
			if b.ID(i) != id {
				return fmt.Errorf("object %v, want %v", b.ID(i), id)
			}
		}
		if err := m.work(b, ids, false); err != nil {
			return err
		}
	}
	if seen != len(want) {
		return fmt.Errorf("%d objects, want %d", seen, len(want))
	}
	for _, id := range want {
		m.wrote(q, id)
	}
	return nil
}

// notePath counts the batches of each sort.
func (m *model) notePath(b Batch) {
	switch {
	case b.batch.Gathered():
		m.done["list"]++
	case b.batch.Holes() != 0:
		m.done["holes"]++
	case b.Len() >= 128:
		m.done["long run"]++
	default:
		m.done["run"]++
	}
	if !b.batch.Whole() {
		m.done["absent"]++
	}
}

// work checks the columns of a batch, and adds to the written ones, or overwrites them.
func (m *model) work(b Batch, ids []GameObject, over bool) error {
	for field, mode := range b.batch.Plan.Fields() {
		switch field {
		case fieldA.Spec():
			rows := Column(b, fieldA)
			for i, id := range ids {
				if over {
					rows[i] = m.things[id].values[cellA].([3]float32)
				} else if rows[i] != m.things[id].values[cellA] {
					return fmt.Errorf("a of %v is %v, want %v", id, rows[i], m.things[id].values[cellA])
				}
			}
			for i := range rows {
				if mode == query.Write {
					rows[i][1]++
				}
			}
		case fieldC.Spec():
			flat := layout.Flat[uint8](fieldC, Column(b, fieldC))
			for i, id := range ids {
				want := m.things[id]
				if has := want.has[kindC]; has != (flat != nil) ||
					has && [5]uint8(flat[5*i:]) != want.values[cellC] {
					return fmt.Errorf("c of %v is %v, want %v", id, flat, want.values[cellC])
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

// wrote does on the model what work did on the world.
func (m *model) wrote(q Query, id GameObject) {
	t := m.things[id]
	for field, mode := range m.s.use().planOf(q).Fields() {
		if mode != query.Write {
			continue
		}
		switch field {
		case fieldA.Spec():
			a := t.values[cellA].([3]float32)
			a[1]++
			t.values[cellA], t.wrote[kindA] = a, Tick(m.s)
		case fieldC.Spec():
			c := t.values[cellC].([5]uint8)
			c[0] += 3
			t.values[cellC], t.wrote[kindC] = c, Tick(m.s)
		}
	}
}

// since checks that a walk for changes misses nothing.
func (m *model) since(ru *rule) error {
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
		t := m.things[id]
		late := t.has[kindA] && t.wrote[kindA] > tick || t.has[kindC] && t.wrote[kindC] > tick
		if match := ru.match(t.has); match && late && !got[id] && tick > 0 {
			return fmt.Errorf("object %v was written after tick %d and is missed", id, tick)
		} else if got[id] && !match {
			return fmt.Errorf("object %v does not match", id)
		}
	}
	return nil
}

// children returns the referrers of each object, in order.
func (m *model) children(rel int) map[GameObject][]GameObject {
	lists := map[GameObject][]GameObject{}
	for id, t := range m.things {
		if t.has[relations[rel].Kind()] && t.to[rel] != 0 {
			lists[t.to[rel]] = append(lists[t.to[rel]], id)
		}
	}
	for _, list := range lists {
		slices.SortFunc(list, func(a, b GameObject) int {
			if x, y := m.things[a].slot, m.things[b].slot; rel == 2 && x != y {
				return int(x) - int(y)
			}
			return int(a.Index()) - int(b.Index())
		})
	}
	return lists
}

// checkChildren compares references and lists of referrers.
func (m *model) checkChildren() error {
	for rel, f := range relations {
		lists := m.children(rel)
		for _, id := range m.ids {
			t := m.things[id]
			if got, err := Get(m.s, id, f); t.has[f.Kind()] != (err == nil) || err == nil && t.to[rel] != got {
				return fmt.Errorf("%v of %v is %v, not %v: %w", f, id, got, t.to[rel], err)
			}
			children := slices.Collect(Children(m.s, f, id))
			if n := ChildCount(m.s, f, id); !slices.Equal(lists[id], children) || n != len(children) {
				return fmt.Errorf("%v of %v: %v, not %v, %d are counted", f, id, lists[id], children, n)
			}
		}
	}
	return nil
}

// checkTargets compares queries for objects with a target and for objects without.
func (m *model) checkTargets() error {
	rel := m.r.IntN(len(relations))
	other := (rel + 1) % len(relations)
	refers := func(t *thing, rel int) bool { return t.has[relations[rel].Kind()] && t.to[rel] != 0 }
	for _, q := range []struct {
		terms []Term
		holds func(t *thing) bool
	}{
		{[]Term{HasTarget(relations[rel])}, func(t *thing) bool { return refers(t, rel) }},
		{[]Term{With(relations[rel]), NoTarget(relations[rel])}, func(t *thing) bool {
			return t.has[relations[rel].Kind()] && t.to[rel] == 0
		}},
		{[]Term{NoTarget(relations[rel], relations[other])}, func(t *thing) bool {
			return !refers(t, rel) && !refers(t, other)
		}},
		{[]Term{NoTarget(relations[rel]), HasTarget(relations[other])}, func(t *thing) bool {
			return !refers(t, rel) && refers(t, other)
		}},
	} {
		query, want := NewQuery(q.terms...), []GameObject(nil)
		for _, id := range m.ids {
			holds := q.holds(m.things[id])
			if query.Matches(m.s, id) != holds {
				return fmt.Errorf("%v of %v: not %v", query, id, holds)
			}
			if holds {
				want = append(want, id)
			}
		}
		var got, down []GameObject
		for b := range query.In(m.s) {
			got = b.AppendIDs(got)
		}
		for b := range query.Down(m.s, childOf) {
			down = b.AppendIDs(down)
		}
		ascending(want)
		if !slices.Equal(want, got) || !slices.Equal(want, ascending(down)) || query.Count(m.s) != len(want) {
			return fmt.Errorf("%v: %v, not %v, down %v", query, want, got, down)
		}
	}
	return nil
}

// depth returns how many are above an object.
func (m *model) depth(id GameObject) (n int) {
	for t := m.things[id]; t.has[childOf.Kind()] && t.to[0] != 0; t = m.things[t.to[0]] {
		n++
	}
	return n
}

// checkDepths walks a query down, writes, and compares with what each object and its parent have;
// and among the children of some.
func (m *model) checkDepths() error {
	ru := &rules[[]int{0, 1, 12}[m.r.IntN(3)]]
	q, want := NewQuery(ru.terms...), m.matching(ru.match)
	over := asks(q, query.Write) && m.r.IntN(2) == 0
	depth, seen := 0, []GameObject(nil)
	for b := range q.Down(m.s, childOf) {
		up := Parents(b, fieldA)
		ids := b.AppendIDs(nil)
		for i, id := range ids {
			parent := cells[cellA].fresh
			if t := m.things[id]; t.has[childOf.Kind()] && t.to[0] != 0 && m.things[t.to[0]].has[kindA] {
				parent = m.things[t.to[0]].values[cellA]
			}
			if d := m.depth(id); d < depth || up[i] != parent {
				return fmt.Errorf("%v at depth %d has above it %v, not %v", id, d, up[i], parent)
			} else if depth = d; i > 0 && id.Index() <= ids[i-1].Index() {
				return fmt.Errorf("%v comes after %v", id, ids[i-1])
			}
		}
		if err := m.work(b, ids, over); err != nil {
			return err
		}
		for _, id := range ids {
			m.wrote(q, id)
		}
		seen = append(seen, ids...)
	}
	if !slices.Equal(want, ascending(seen)) {
		return fmt.Errorf("%v match, not %v", want, seen)
	}
	for range 5 {
		parent := m.some()
		var children, got []GameObject
		for _, id := range m.children(0)[parent] {
			if ru.match(m.things[id].has) {
				children = append(children, id)
			}
		}
		for b := range q.ChildrenOf(m.s, childOf, parent) {
			ids := b.AppendIDs(nil)
			if err := m.work(b, ids, false); err != nil {
				return err
			}
			for _, id := range ids {
				m.wrote(q, id)
			}
			got = append(got, ids...)
		}
		if !slices.Equal(children, got) {
			return fmt.Errorf("%v match under %v, not %v", children, parent, got)
		}
	}
	return nil
}

// A watching is a watcher of a rule.
type watching struct {
	rule
	watcher Watcher
}

// watchings are a watcher of every sort of rule, which keeps last values if it can; some rules are
// watched twice.
var watchings = func() (all []watching) {
	for i, ru := range slices.Concat(rules, rules[:4]) {
		w := NewWatcher(NewQuery(ru.terms...))
		if i >= len(rules) {
			ru.keeps = nil
		}
		for _, c := range ru.keeps {
			w = w.Keep(cells[c].kind)
		}
		all = append(all, watching{ru, w})
	}
	return all
}()

// A memory is a watcher of maps.
type memory struct {
	*watching
	members map[GameObject]bool   // at the last look
	gone    map[GameObject]*thing // of them: did not match at some time since; as they were before
	left    map[GameObject]*thing // as the last look found
	entered []GameObject          // the same
}

func newMemory(w *watching) *memory {
	return &memory{w, map[GameObject]bool{}, map[GameObject]*thing{}, map[GameObject]*thing{}, nil}
}

func (y *memory) clone() *memory {
	return &memory{y.watching, maps.Clone(y.members), maps.Clone(y.gone), maps.Clone(y.left), y.entered}
}

// checkWatcher has a watcher and its memory look, or forget: then the next look finds all that match.
func (m *model) checkWatcher() error {
	y := m.memories[m.r.IntN(len(m.memories))]
	var err error
	switch m.r.IntN(10) {
	case 0:
		*y = *newMemory(y.watching)
		m.s = y.watcher.Forget(m.s)
		err = y.found(m.s)
	case 1:
		other := sure(Clone(m.s))
		err = m.look(y)
		if other = y.watcher.Look(other); err == nil && !bytes.Equal(Bytes(m.s), Bytes(other)) {
			err = errors.New("a look in a copy ends in other bytes")
		}
		if err == nil {
			err = y.found(other)
		}
		Close(other)
	default:
		err = m.look(y)
	}
	if err != nil {
		return fmt.Errorf("watcher %s: %w", y.name, err)
	}
	return nil
}

// checkWatchers has all watchers look.
func (m *model) checkWatchers() error {
	for _, y := range m.memories {
		if err := m.look(y); err != nil {
			return fmt.Errorf("watcher %s: %w", y.name, err)
		}
	}
	return nil
}

func (m *model) look(y *memory) error {
	now := map[GameObject]bool{}
	for _, id := range m.ids {
		if y.match(m.things[id].has) {
			now[id] = true
		}
	}
	var entered []GameObject
	for id := range now {
		if !y.members[id] || y.gone[id] != nil {
			entered = append(entered, id)
		}
	}
	y.members, y.left, y.gone = now, y.gone, map[GameObject]*thing{}
	m.s = y.watcher.Look(m.s)
	m.done["left"] += len(y.left)
	m.done["entered"] += len(entered)
	y.entered = ascending(entered)
	return y.found(m.s)
}

// found compares what the last look found.
func (y *memory) found(s State) error {
	for name, lists := range map[string][2][]GameObject{
		"left":    {ascending(slices.Collect(maps.Keys(y.left))), slices.Collect(y.watcher.Left(s))},
		"entered": {y.entered, slices.Collect(y.watcher.Entered(s))},
		"members": {ascending(slices.Collect(maps.Keys(y.members))), slices.Collect(y.watcher.Members(s))},
	} {
		if !slices.Equal(lists[0], lists[1]) {
			return fmt.Errorf("%v %s, not %v", lists[0], name, lists[1])
		}
	}
	if n := y.watcher.Count(s); n != len(y.members) {
		return fmt.Errorf("%d members are counted, not %d", n, len(y.members))
	}
	for _, c := range y.keeps {
		for id, was := range y.left {
			if v, err := cells[c].last(s, y.watcher, id); err != nil || v != was.values[c] {
				return fmt.Errorf("the last value of %v is %v, not %v: %w", id, was.values[c], v, err)
			}
		}
		for id := range y.members {
			if _, err := cells[c].last(s, y.watcher, id); y.left[id] == nil && !errors.Is(err, ErrAbsent) {
				return fmt.Errorf("%v, which has not left, has a last value: %w", id, err)
			}
		}
	}
	return nil
}
