package replica

import (
	"bytes"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// A table holds the wire values of all objects, once per tick for all clients: a row of words each,
//
//	generation | birth | a stamp per part | values
//
// aligned to a cache line. A stamp is the tick in which the value of the part last changed.
type table struct {
	schema  *Schema
	tick    uint32 // of the server, from 1
	base    int    // words of a row before its values
	stride  int    // words of a row
	rows    []uint32
	past    [][ringTicks][]uint64 // per part with differences: its values by tick and index
	kinds   []presence
	lookers []looker
	tasks   []systems.Task
	used    int      // indexes ever used
	since   []uint64 // per part, for queries: only later writes are compared
	arena   any      // of the last look
	others  uint64   // the arena's Replaced at that time
	shadows []shadow // per part
	all     bool     // compare everything
}

// A presence records which objects have a kind.
type presence struct {
	query  world.Query
	kind   layout.Kind
	bit    uint32 // of the first part; 0: the recipe has the kind
	founds bool   // no other kind shows that an object exists
	moment tool.Moment
	has    []uint64 // a bit per index
}

// A looker is the scratch memory of one task.
type looker struct {
	table *table
	state world.State
	ids   []world.GameObject
	bytes []byte // bytes of a few raw values
	list  []byte // an encoded list
}

const header = 2 // words of a row before its stamps

func newTable(s world.State, c *Schema, parts int) *table {
	n := tool.Capacity(s)
	t := &table{schema: c, base: header + len(c.parts), all: true, lookers: make([]looker, parts)}
	t.stride = (t.base + c.wire.Words + 15) &^ 15
	t.rows = make([]uint32, n*t.stride)
	t.past = make([][ringTicks][]uint64, len(c.deltas))
	for i := range t.past {
		for k := range t.past[i] {
			t.past[i][k] = make([]uint64, n)
		}
	}
	t.since = make([]uint64, len(c.parts))
	t.shadows = make([]shadow, len(c.parts))
	for _, p := range c.parts[1:] {
		if p.Most == 0 {
			t.shadows[p.number].bytes = make([]byte, n*p.Spec.Stride)
		}
	}
	for i, k := range slices.Concat(c.kinds, c.fields, c.founding) {
		if slices.ContainsFunc(t.kinds, func(p presence) bool { return p.kind == k }) {
			continue
		}
		q := world.NewQuery(world.With(k), world.Optional(layout.Disabled))
		if k == layout.Disabled {
			q = world.NewQuery(world.With(k))
		}
		p := presence{kind: k, query: q, has: make([]uint64, (n+63)/64)}
		p.founds = slices.Contains(c.founding, k)
		if i < len(c.kinds) {
			p.bit = 1 << i
		}
		t.kinds = append(t.kinds, p)
	}
	for i := range t.lookers {
		l := &t.lookers[i]
		*l = looker{
			table: t, ids: make([]world.GameObject, 0, n),
			bytes: tool.Bytes(4 * fewRows * maxWidth), list: make([]byte, 0, link.MaxDatagram),
		}
		t.tasks = append(t.tasks, systems.Task{
			Run: []func(world.State) world.State{l.run}, Queries: c.queries,
		})
	}
	return t
}

// look updates the table to the world, at the end of a tick.
func (t *table) look(s world.State, w *systems.Workers) world.State {
	t.tick++
	now := world.Tick(s)
	t.used = tool.MaxUID(s)
	of := systems.ArenaOf(s)
	t.all = t.all || t.arena != any(of) || t.others != of.Replaced || now == 0
	t.arena, t.others = of, of.Replaced
	for i := range t.past {
		copy(t.past[i][t.tick%ringTicks], t.past[i][(t.tick-1)%ringTicks][:t.used])
	}
	blocks := (t.used + 63) / 64
	for i := range t.tasks {
		t.tasks[i].First = uint32(i * blocks / len(t.tasks))
		t.tasks[i].End = uint32((i + 1) * blocks / len(t.tasks))
		if i+1 == len(t.tasks) {
			t.tasks[i].End = uint32(max(blocks, int(t.tasks[i].First)+1))
		}
	}
	t.beginShadows(s)
	s = systems.RunTasks(s, w, t.tasks)
	for i := range t.kinds {
		t.lookAtKind(s, i)
	}
	t.all = false
	for i := range t.since {
		t.since[i] = max(now, 1) - 1 // later writes may have this tick's stamp
	}
	return s
}

// run compares the objects of a task that may have changed.
func (l *looker) run(s world.State) world.State {
	t := l.table
	l.state = s
	for _, p := range t.schema.parts[1:] {
		if t.all {
			for b := range p.query.In(s) {
				p.takes(l, p, b)
			}
			continue
		}
		for b := range p.query.Since(s, t.since[p.number]) {
			p.takes(l, p, b)
		}
	}
	l.state = world.State{}
	return s
}

// A taker writes the values of a field in a batch to a table.
type taker func(l *looker, p *part, b world.Batch)

func takerOf[T any](f layout.Field[T]) taker {
	return func(l *looker, p *part, b world.Batch) { take(l, p, b, f) }
}

// take writes the values of a batch to the table, except for unchanged stretches.
func take[T any](l *looker, p *part, b world.Batch, f layout.Field[T]) {
	values := world.Column(b, f)
	first, same := l.table.shadowOf(p, b)
	size := p.Spec.Stride
	some := f.Rows(l.bytes[:fewRows*size])
	flat := []float32(nil)
	if !p.IsRaw() {
		flat = layout.Flat[float32](f, world.Column(b, f))
	}
	l.ids = l.ids[:0]
	for at := 0; at < len(values); at += fewRows {
		n := copy(some, values[at:])
		bytes := l.bytes[:n*size]
		if same && l.table.isSame(p, int(first)+at, bytes) {
			continue
		}
		if len(l.ids) == 0 {
			l.ids = b.AppendIDs(l.ids)
		}
		ids := l.ids[at:][:n]
		if !same {
			l.table.keep(p, ids, bytes)
		}
		for from := 0; from < n; {
			to := n
			if same {
				from, to = l.table.differing(p, int(first)+at, bytes, from)
			}
			if flat != nil {
				l.table.putLanes(p, ids[from:to], flat[(at+from)*p.Lanes:(at+to)*p.Lanes])
			} else {
				l.table.putBytes(p, ids[from:to], bytes[from*size:to*size])
			}
			from = to
		}
	}
}

// takeLists writes the lists of a batch to the table.
func takeLists(l *looker, p *part, b world.Batch) {
	size := p.Spec.List.Element.Stride
	l.ids = b.AppendIDs(l.ids[:0])
	for _, id := range l.ids {
		elements, err := systems.ListOf(l.state, id, p.Spec)
		if err != nil {
			continue
		}
		n := min(len(elements)/size, p.Most)
		if p.Spec.List.Text {
			n = wholeRunes(elements, n)
		}
		l.list = p.Encode(l.list[:0], elements[:n*size])
		r, at := l.table.begin(id), l.table.base+p.At
		l.table.set(r, p, at, uint32(n))
		l.table.setBytes(r, p, at+1, p.Words-1, l.list)
	}
}

// wholeRunes returns how many of the first n bytes of a text are whole characters.
func wholeRunes(text []byte, n int) int {
	for n < len(text) && n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

const (
	fewRows = 64 // values that are converted to bytes at once
	fewest  = 8  // values that are compared at once if some differ
)

// row returns the row of an index.
func (t *table) row(i uint32) []uint32 { return t.rows[int(i)*t.stride:][:t.stride:t.stride] }

// valuesOf returns the values of an object.
func (t *table) valuesOf(id world.GameObject) []uint32 { return t.row(id.Index())[t.base:] }

// pair returns one or two words of a value as one.
func (t *table) pair(p *part, index uint32) uint64 {
	r := t.row(index)[t.base+p.At:][:p.Words]
	if len(r) == 1 {
		return uint64(r[0])
	}
	return uint64(r[1])<<32 | uint64(r[0])
}

// begin returns the row of an object; if another object had the index, it resets the row.
func (t *table) begin(id world.GameObject) []uint32 {
	r := t.row(id.Index())
	if r[0] == id.Generation() {
		return r
	}
	clear(r)
	r[0], r[1] = id.Generation(), t.tick
	for i := range t.schema.parts {
		r[header+i] = t.tick
	}
	for _, p := range t.schema.deltas {
		t.past[p.deltas][t.tick%ringTicks][id.Index()] = 0
	}
	return r
}

func (t *table) putLanes(p *part, ids []world.GameObject, v []float32) {
	f, lanes := &p.Form, p.Lanes
	for i, id := range ids {
		r := t.row(id.Index())
		if r[0] != id.Generation() {
			t.begin(id)
		}
		x, word := v[i*lanes:][:lanes], uint64(0)
		for at := t.base + p.At; len(x) > 0; at += 2 {
			n := min(len(x), 64/f.Bits)
			word, x = f.Word(x[:n]), x[n:]
			t.set(r, p, at, uint32(word))
			if n*f.Bits > 32 {
				t.set(r, p, at+1, uint32(word>>32))
			}
		}
		if p.Delta {
			t.past[p.deltas][t.tick%ringTicks][id.Index()] = word
		}
	}
}

func (t *table) putBytes(p *part, ids []world.GameObject, values []byte) {
	size := p.Spec.Stride
	for i, id := range ids {
		t.setBytes(t.begin(id), p, t.base+p.At, p.Words, values[i*size:][:size])
	}
}

// setBytes sets words words of a row, from at on: to b, and then zeros.
func (t *table) setBytes(r []uint32, p *part, at, words int, b []byte) {
	for end := at + words; at < end; at++ {
		next := min(len(b), 4)
		t.set(r, p, at, wire.Word(b[:next]))
		b = b[next:]
	}
}

func (t *table) set(r []uint32, p *part, at int, word uint32) {
	if r[at] != word {
		r[at] = word
		r[header+p.number] = t.tick
	}
}

// lookAtKind updates the bit of a kind if objects got or lost it, and resets the values of objects
// that lost it: a client may see such an object later, but not its old values.
func (t *table) lookAtKind(s world.State, kind int) {
	k := &t.kinds[kind]
	moment := tool.MomentOf(s, k.kind)
	if moment == k.moment && !t.all {
		return
	}
	k.moment = moment
	m, p := systems.ArenaOf(s).Find(k.kind.Spec()), t.schema.parts[0]
	for block := range uint32((t.used + 63) / 64) {
		now := m.Blocks.Present(block)
		for lost := k.has[block] &^ now; lost != 0; lost &= lost - 1 {
			t.lose(k, block<<6+uint32(bits.TrailingZeros64(lost)))
		}
		k.has[block] = now
	}
	if k.bit == 0 && !k.founds {
		return
	}
	for id := range k.query.Objects(s) {
		r := t.begin(id)
		t.set(r, p, t.base+p.At, r[t.base+p.At]|k.bit)
	}
}

// lose removes a kind and its values from a row.
func (t *table) lose(k *presence, index uint32) {
	r, first := t.row(index), t.base+t.schema.parts[0].At
	t.set(r, t.schema.parts[0], first, r[first]&^k.bit)
	for _, p := range t.schema.parts[1:] {
		if p.kind != k.kind {
			continue
		}
		for at := range p.Words {
			t.set(r, p, t.base+p.At+at, 0)
		}
		if p.Delta {
			t.past[p.deltas][t.tick%ringTicks][index] = 0
		}
	}
}

// A shadow holds the values of a part at the last look, by index. A walk that writes a field stamps
// all rows that it yields, changed or not; comparing bytes is faster than quantising them again.
type shadow struct {
	bytes    []byte // nil: the part is a list
	reshaped uint64 // version of the objects with the kind, at the last look
	valid    bool   // the same objects still have the kind
}

// beginShadows finds out which shadows are valid.
func (t *table) beginShadows(s world.State) {
	a := systems.ArenaOf(s)
	for _, p := range t.schema.parts[1:] {
		h, m := &t.shadows[p.number], a.Find(p.kind.Spec())
		h.valid = false
		if m != nil { // otherwise the world is another one, and the walk refuses
			h.valid = !t.all && h.reshaped == m.Stamps.Reshaped()
			h.reshaped = m.Stamps.Reshaped()
		}
	}
}

// shadowOf returns the index of the first object of a batch, and whether the others follow it and
// the part has a shadow.
func (t *table) shadowOf(p *part, b world.Batch) (first uint32, ok bool) {
	first = b.ID(0).Index()
	return first, t.shadows[p.number].bytes != nil &&
		b.ID(b.Len()-1).Index()-first == uint32(b.Len()-1)
}

// keep stores the values of objects that are not contiguous.
func (t *table) keep(p *part, ids []world.GameObject, values []byte) {
	if h := &t.shadows[p.number]; h.bytes != nil {
		for i, id := range ids {
			copy(h.bytes[int(id.Index())*p.Spec.Stride:], values[i*p.Spec.Stride:][:p.Spec.Stride])
		}
	}
}

// isSame reports whether the values of objects from an index on are unchanged since the last look.
func (t *table) isSame(p *part, first int, values []byte) bool {
	h := &t.shadows[p.number]
	return h.valid && bytes.Equal(h.bytes[first*p.Spec.Stride:][:len(values)], values)
}

// differing returns the next stretch, from a row on, of the values of objects from index first on
// that differ from the last look, and stores them. If there is none, it returns an empty stretch at
// the end.
func (t *table) differing(p *part, first int, values []byte, from int) (start, end int) {
	h, size := &t.shadows[p.number], p.Spec.Stride
	was := h.bytes[first*size:][:len(values)]
	if !h.valid {
		copy(was, values)
		return from, len(values) / size
	}
	few, at := fewest*size, from*size
	for at < len(values) {
		next := min(at+few, len(values))
		if !bytes.Equal(was[at:next], values[at:next]) {
			break
		}
		at = next
	}
	start = at / size
	for at < len(values) {
		next := min(at+few, len(values))
		if bytes.Equal(was[at:next], values[at:next]) {
			break
		}
		copy(was[at:next], values[at:next])
		at = next
	}
	return start, at / size
}
