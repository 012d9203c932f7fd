package save

import (
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// A turn is a kind that is a mark, has fields or has Go values in the file, and another of these in
// the program. The objects that had it have it, with the defaults.
type turn struct {
	of    int // kind of the file
	count layout.Count
	bits  []uint64 // per 64 objects: who has it
	holders
	rows int
}

// turnKind has the objects of kind i of the file have a kind of another sort. Values are lost to
// it: they are dropped, or the file is refused.
func (l *loader) turnKind(i int, c layout.Count) error {
	k, spec := &l.header.kinds[i], c.Kind.Spec()
	if !k.Mark && !l.options.DropFields {
		return wrap(ErrSchema, "%s is %s in the file and %s in the program; give one of them "+
			"another name", layout.Quoted(k.Name), sortOf(k.Mark, k.Values),
			sortOf(spec.Mark, spec.Values != nil))
	}
	t := turn{of: i, count: c}
	if err := l.findHolders(&t, k.Mark); err != nil {
		return err
	}
	l.turns = append(l.turns, t)
	l.columns[i] = make([]column, len(k.Fields))
	for j := range k.Fields {
		l.columns[i][j].from = k.Fields[j].made()
		l.lose(i, j, &l.columns[i][j])
	}
	for _, f := range spec.Fields {
		l.reportNew(i, f, nil)
	}
	if k.Values {
		l.report.Dropped = append(l.report.Dropped, layout.Quoted(k.Name))
	}
	return nil
}

// findHolders finds the objects that have a kind of the file, and gives them rows by index.
func (l *loader) findHolders(t *turn, mark bool) error {
	if !l.take(16 * l.objects) {
		return wrap(ErrTooLarge, "%d objects of %s", l.objects,
			layout.Quoted(l.header.kinds[t.of].Name))
	}
	t.bits = make([]uint64, (l.objects+63)/64)
	if mark {
		b, err := l.readApart(l.part(t.of, noField, "blocks"))
		if err != nil {
			return err
		}
		for n := range t.bits {
			t.bits[n] = little.Uint64(b[32*n:])
		}
	} else {
		h, err := l.holders(t.of)
		if err != nil {
			return err
		}
		for row := range int(l.rows[t.of]) {
			if o := h.word(row); h.mountedAt(row) && uint64(o) < l.objects {
				t.bits[o/64] |= 1 << (o % 64)
			}
		}
	}
	for n, set := range t.bits {
		for ; set != 0; set &= set - 1 {
			t.objects = little.AppendUint32(t.objects, uint32(64*n+bits.TrailingZeros64(set)))
		}
	}
	t.rows = len(t.objects) / 4
	t.mounted = make([]byte, (t.rows+63)/64*8)
	for row := range t.rows {
		t.mounted[row/8] |= 1 << (row % 8)
	}
	return nil
}

// turnOf returns how a kind of the file is of another sort in the program, or nil.
func (l *loader) turnOf(i int) *turn {
	if n := slices.IndexFunc(l.turns, func(t turn) bool { return t.of == i }); n >= 0 {
		return &l.turns[n]
	}
	return nil
}

// writeTurns writes who has the kinds of another sort, and the defaults.
func (l *loader) writeTurns() error {
	for n := range l.turns {
		t := &l.turns[n]
		part := func(name string) []byte { return l.partIn(t.count.Kind, name) }
		c := part(counters)
		little.PutUint32(c[20:], uint32(t.rows))
		little.PutUint32(c[28:], uint32(l.header.tick))
		little.PutUint64(c[32:], l.header.tick)
		if t.count.Kind.Spec().Mark {
			for k, set := range t.bits {
				little.PutUint64(part("blocks")[32*k:], set)
			}
			continue
		}
		little.PutUint32(c, uint32(t.rows))
		copy(part("objects"), t.objects)
		copy(part("mounted"), t.mounted)
		for row := t.rows - 1; row >= 0; row-- { // that of a block's first object remains
			o := little.Uint32(t.objects[4*row:])
			little.PutUint32(part("bases")[o/64*4:], uint32(row)-o)
		}
		for row := 0; row < t.rows; row += 64 {
			little.PutUint64(part("changed")[row/8:], l.header.tick)
		}
		for _, f := range t.count.Kind.Fields() {
			l.state = tool.FillNew(l.state, f)
		}
	}
	return nil
}
