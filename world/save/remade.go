package save

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// readTurns reads which objects have the kinds that change their sort, and checks that the new
// kinds have room.
func (l *filler) readTurns() error {
	room := byKind(tool.ShapeOf(l.state).Kinds)
	for i := range l.plan.kinds {
		to := l.plan.kinds[i].turned
		if to.Spec() == nil {
			continue
		}
		t, err := l.readTurn(i)
		if err == nil && !to.Spec().Mark {
			err = l.plan.checkRows(room[to], t.rows)
		}
		if err != nil {
			return err
		}
		l.turns = append(l.turns, t)
	}
	return nil
}

// readTurn reads which objects have kind i of the file, and assigns them rows by index.
func (l *filler) readTurn(i int) (t turn, err error) {
	of, objects := &l.plan.kinds[i], l.plan.used.objects
	t.kind = of.turned
	if !l.source.budget.take(16 * objects) {
		return t, wrap(ErrTooLarge, "%d objects of %s", objects, layout.Quoted(of.from.Name))
	}
	t.bits = make([]uint64, (objects+63)/64)
	if of.from.Mark {
		b, err := l.source.readApart(l.source.part(ofKind, i, noField, "blocks"))
		if err != nil {
			return t, err
		}
		for n := range t.bits {
			t.bits[n] = little.Uint64(b[32*n:])
		}
	} else {
		h, err := l.source.holders(i)
		if err != nil {
			return t, err
		}
		for row := range of.rows {
			if o := h.word(row); h.mountedAt(row) && uint64(o) < objects {
				t.bits[o/64] |= 1 << (o % 64)
			}
		}
	}
	for _, set := range t.bits {
		t.rows += bits.OnesCount64(set)
	}
	return t, nil
}

// writeTurns gives the objects the new kinds, with default values.
func (l *filler) writeTurns() {
	tick := l.plan.header.tick
	for n := range l.turns {
		t := &l.turns[n]
		part := func(name string) []byte { return l.partIn(t.kind, name) }
		c := part(counters)
		little.PutUint32(c[28:], uint32(tick))
		little.PutUint64(c[32:], tick)
		if t.kind.Spec().Mark {
			for k, set := range t.bits {
				little.PutUint64(part("blocks")[32*k:], set)
			}
			continue
		}
		little.PutUint32(c, uint32(t.rows))
		little.PutUint32(c[20:], uint32(t.rows))
		row, bases, objects, mounted := uint32(0), part("bases"), part("objects"), part("mounted")
		for n, set := range t.bits {
			if set != 0 { // the first object of a block determines the base
				little.PutUint32(bases[4*n:], row-uint32(64*n+bits.TrailingZeros64(set)))
			}
			for ; set != 0; set &= set - 1 {
				little.PutUint32(objects[4*row:], uint32(64*n+bits.TrailingZeros64(set)))
				mounted[row/8] |= 1 << (row % 8)
				row++
			}
		}
		for row := 0; row < t.rows; row += 64 {
			little.PutUint64(part("changed")[row/8:], tick)
		}
		for _, f := range t.kind.Fields() {
			l.state = tool.FillNew(l.state, f)
		}
	}
}

// readRingsBeside reads the events whose rings differ in size into memory outside the world.
func (l *filler) readRingsBeside() error {
	for _, r := range l.plan.rings {
		for _, p := range rowParts {
			delete(l.dst, place{owner: ofKind, kind: r.Kind.Spec(), name: p.name})
		}
		var world [][]byte
		for _, f := range r.Kind.Fields() {
			world = append(world, l.columnIn(f))
			l.dst[place{owner: ofKind, kind: f.Kind, field: f, name: f.Name}] = bytes.Repeat(
				f.Default, int(r.rows))
		}
		l.rings = append(l.rings, world)
	}
	return nil
}

// moveRings moves the newest events to their rows in the world. Readers miss the older ones, as
// after [systems.Resized].
func (l *filler) moveRings() {
	for i, r := range l.plan.rings {
		fields, has := r.readers.Fields(), uint64(r.Rows)
		sent, oldest := little.Uint64(l.columnIn(fields[0])), l.columnIn(fields[1])
		first := sent - min(r.rows, has, sent-min(sent, little.Uint64(oldest)))
		little.PutUint64(oldest, first)
		for n := first; n < sent; n++ {
			for j, f := range r.Kind.Fields() {
				copy(l.rings[i][j][int(n%has)*f.Stride:][:f.Stride],
					l.columnIn(f)[int(n%r.rows)*f.Stride:])
			}
			l.state = tool.Touch(l.state, r.Kind, layout.Row(n%has), 1)
		}
		l.state = tool.Touch(l.state, r.readers, 0, 1)
	}
}

// ofResources is the owner of rows that store elements of a resource's list: see docs/FORMAT.md.
const ofResources = 1 << 30

// readRelaid reads the lists whose elements are converted, and leaves the world's lists empty.
func (l *filler) readRelaid() (err error) {
	for i := range l.plan.relaid {
		r := relaying{relaid: &l.plan.relaid[i]}
		fields := r.from.List.Rows.Fields
		r.lists.spec, r.lists.Element = r.from, r.from.List.Element
		elements := l.source.part(ofKind, r.rows, 0, fields[0].Name)
		if r.lists.rows, err = l.source.readApart(elements); err != nil {
			return err
		}
		owners := l.source.part(ofKind, r.rows, 1, fields[1].Name)
		if r.owners, err = l.source.readApart(owners); err != nil {
			return err
		}
		runs := l.columnIn(r.to)[:l.plan.kinds[r.kind].rows*r.to.Stride]
		if !l.source.budget.take(uint64(len(runs))) {
			return wrap(ErrTooLarge, "%d bytes of lists", len(runs))
		}
		r.lists.runs = slices.Clone(runs)
		clear(runs)
		l.relaid = append(l.relaid, r)
	}
	return nil
}

// fillRelaid appends the converted elements to the world's lists.
func (l *filler) fillRelaid() error {
	for i := range l.relaid {
		r := &l.relaid[i]
		for row := range len(r.lists.runs) / r.to.Stride {
			elements, err := l.relaidElements(r, row)
			if err != nil {
				return err
			}
			if len(elements) == 0 {
				continue
			}
			l.state, err = tool.SetElements(l.state, r.to, layout.Row(row), elements)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// relaidElements returns the elements of a list, converted to the program's type.
func (l *filler) relaidElements(r *relaying, row int) ([]byte, error) {
	src := r.lists.At(row)
	first := uint64(little.Uint32(r.lists.runs[row*r.to.Stride:]))
	length := uint64(little.Uint32(r.lists.runs[row*r.to.Stride+8:]))
	if length == 0 {
		return nil, nil
	}
	use, id := tool.RowUseOf(l.state, r.to.Kind.Handle(), layout.Row(row))
	owner := id.Index()
	if use == tool.RowLoose {
		owner = ofResources
	}
	title, chunk := layout.Quoted(r.to.String()), uint64(r.from.List.Chunk)
	if src == nil || use == tool.RowUnused {
		return nil, wrap(ErrImpossible, "%s: no list has %d rows from %d on", title, length, first)
	}
	for of := first; of < first+(length+chunk-1)/chunk; of++ {
		if has := little.Uint32(r.owners[4*of:]); has != owner {
			return nil, wrap(ErrImpossible, "%s: list of object %d has row %d", title, owner, has)
		}
	}
	if err := r.each.from.Check(src, 0); err != nil {
		return nil, wrap(ErrImpossible, "%s: %v", title, err)
	}
	dst := make([]byte, len(src)/r.each.from.Stride*r.each.to.Stride)
	r.each.convert(dst, src)
	return dst, nil
}
