package manager

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Digest returns a hash of the used truth of the world: the xxh3 of each part in order, seeded with
// the hash of the previous part, the first with 0. It excludes derived parts and state outside the
// bytes.
func (a *Arena) Digest() (sum uint64) {
	parts := a.layout()
	for i := range parts {
		if p := &parts[i]; p.Truth {
			checkUsed(a, p)
			sum = xxh3.HashSeed(a.Used(p), sum)
		}
	}
	return sum
}

// Equal reports whether two worlds that are [Arena.Like] each other have the same truth.
func (a *Arena) Equal(b *Arena) bool { return differs(a, b) < 0 }

// differs returns the index of the first part whose truth differs, or -1.
func differs(a *Arena, b *Arena) int {
	parts := a.layout()
	for i := range parts {
		if p := &parts[i]; p.Truth && !bytes.Equal(a.Used(p), b.Used(p)) {
			return i
		}
	}
	return -1
}

// A Difference describes the first difference between two worlds. Fields that do not apply are
// empty.
type Difference struct {
	Tick   [2]uint64     // of each world
	Part   string        // the part of the world: "alive", "position.X"; see [layout.Quoted]
	Kind   string        // name of the kind
	Field  string        // name of the field
	Object gameobject.ID // the object, or 0: nobody
	Row    int           // of the component, or -1
	Values [2]string     // of each world: the part of the field that differs
}

// String describes the difference in one line.
func (d Difference) String() string {
	var s strings.Builder
	if d.Tick[0] == d.Tick[1] {
		fmt.Fprintf(&s, "tick %d: ", d.Tick[0])
	} else {
		fmt.Fprintf(&s, "ticks %d and %d: ", d.Tick[0], d.Tick[1])
	}
	if s.WriteString(d.Part); d.Object != gameobject.Nobody {
		fmt.Fprintf(&s, " of object %v", d.Object)
	}
	if d.Row >= 0 {
		fmt.Fprintf(&s, " in row %d", d.Row)
	}
	fmt.Fprintf(&s, ": %s ≠ %s", d.Values[0], d.Values[1])
	return s.String()
}

// FirstDifference returns the first difference between the truth of two worlds that are
// [Arena.Like] each other. Counters that exceed the world's room come first, because then nothing
// else can be compared. The order is: the live objects; the kinds of each object; the values, kind
// by kind with objects ascending; the ticks of each kind's last write; and last the state that only
// affects the future, such as free lists.
func (a *Arena) FirstDifference(b *Arena) (d Difference, differ bool) {
	d.Tick, d.Row = [2]uint64{*a.Tick, *b.Tick}, -1
	if countersDiffer(a, b, &d) {
		return d, true
	}
	if a.Equal(b) {
		return Difference{}, false
	}
	if livesDiffer(a, b, &d) {
		return d, true
	}
	for i := range a.Managers {
		if haveDiffer(&a.Managers[i], &b.Managers[i], &d) {
			return d, true
		}
	}
	for i := range a.Managers {
		m, n := &a.Managers[i], &b.Managers[i]
		if m.Kind.Of == nil && valuesDiffer(m, n, &d) { // a list's rows come with the list
			return d, true
		}
	}
	for i := range a.Managers {
		if writesDiffer(&a.Managers[i], &b.Managers[i], &d) {
			return d, true
		}
	}
	i := differs(a, b)
	bytesDiffer(a, b, i, &d)
	return d, true
}

// countersDiffer finds a damaged world, whose counters say that it used more than it has.
func countersDiffer(a *Arena, b *Arena, d *Difference) bool {
	d.Part = "counters"
	damaged := false
	for i, err := range [2]error{checkCounters(a, false), checkCounters(b, false)} {
		if d.Values[i] = "as they can be"; err != nil {
			d.Values[i], damaged = err.Error(), true
		}
	}
	return damaged
}

// livesDiffer finds an object that is alive in one world only, or has different generations.
func livesDiffer(a *Arena, b *Arena, d *Difference) bool {
	x, y := a.Objects, b.Objects
	lives := func(r *gameobject.Registry, w uint32) uint64 { // words behind High are not read
		if w<<6 >= r.Count.High {
			return 0
		}
		return r.Words()[w]
	}
	blocks := (max(x.Count.High, y.Count.High) + 63) / 64
	for w := range blocks {
		if z := lives(x, w) ^ lives(y, w); z != 0 {
			i := w<<6 + uint32(bits.TrailingZeros64(z))
			first := lives(x, w)&z&-z != 0
			if d.Object = y.At(i); first {
				d.Object = x.At(i)
			}
			d.Part, d.Values = "alive", either(first)
			return true
		}
	}
	for w := range blocks {
		for z := lives(x, w); z != 0; z &= z - 1 {
			i := w<<6 + uint32(bits.TrailingZeros64(z))
			if g, h := x.Generations[i], y.Generations[i]; g != h {
				d.Part, d.Object = "generation", x.At(i)
				d.Values = [2]string{fmt.Sprint(g), fmt.Sprint(h)}
				return true
			}
		}
	}
	return false
}

func either(first bool) [2]string {
	if first {
		return [2]string{"yes", "no"}
	}
	return [2]string{"no", "yes"}
}

// haveDiffer finds an object that has the kind in one world only. The same objects must be alive.
func haveDiffer(m *Manager, n *Manager, d *Difference) bool {
	for k := range min(m.Blocks.used(), n.Blocks.used()) {
		if z := m.Blocks.Present(uint32(k)) ^ n.Blocks.Present(uint32(k)); z != 0 {
			d.name(m, "has "+layout.Quoted(m.Kind.Name), uint32(k<<6+bits.TrailingZeros64(z)))
			d.Values = either(m.Blocks.Present(uint32(k))&z&-z != 0)
			return true
		}
	}
	return false
}

// name sets the kind and the object of the difference.
func (d *Difference) name(m *Manager, part string, object uint32) {
	d.Kind, d.Part, d.Object = m.Kind.Name, part, m.Objects.At(object)
}

// valuesDiffer finds an object whose values differ in some field, and then a loose row. The same
// objects must have the kind in both.
func valuesDiffer(m *Manager, n *Manager, d *Difference) bool {
	for i := range m.Kind.Fields {
		if fieldDiffers(m, n, i, d) {
			return true
		}
	}
	return false
}

// fieldDiffers is valuesDiffer for one field.
func fieldDiffers(m *Manager, n *Manager, i int, d *Difference) bool {
	used := min(m.count.High, n.count.High) // rows from used on hold no components
	f := m.Kind.Fields[i]
	x, y, title := m.Data.Columns[i].Bytes, n.Data.Columns[i].Bytes, f.Title(layout.Part{})
	differ := func(row, other layout.Row) bool {
		return d.rowsDiffer(f, title, x[int(row)*f.Stride:], y[int(other)*f.Stride:])
	}
	if g, h := HeapOf(m, f), HeapOf(n, f); g != nil && h != nil {
		differ = func(row, other layout.Row) bool {
			return d.listsDiffer(f, title, g.ElementsIn(m, row), h.ElementsIn(n, other))
		}
	} else if size := int(used) * f.Stride; bytes.Equal(x[:size], y[:size]) {
		return false
	}
	for k := range m.Blocks.used() {
		for z := m.Blocks.Present(uint32(k)); z != 0; z &= z - 1 {
			object := uint32(k<<6 + bits.TrailingZeros64(z))
			row, _ := m.RowOf(object)
			other, _ := n.RowOf(object)
			if differ(row, other) {
				d.name(m, d.Part, object)
				d.Row = int(row)
				return true
			}
		}
	}
	for row := range layout.Row(used) {
		if differ(row, row) {
			d.Kind, d.Row = m.Kind.Name, int(row)
			return true
		}
	}
	return false
}

// writesDiffer finds a kind whose last writes stored the same values at different ticks.
func writesDiffer(m *Manager, n *Manager, d *Difference) bool {
	x, y := m.count.Changed, n.count.Changed
	if x == y {
		return false
	}
	d.Kind, d.Part = m.Kind.Name, "last write of "+layout.Quoted(m.Kind.Name)
	d.Values = [2]string{fmt.Sprint("tick ", x), fmt.Sprint("tick ", y)}
	return true
}

// rowsDiffer compares one value of a titled field and records the first part that differs.
func (d *Difference) rowsDiffer(f *layout.FieldSpec, title string, x, y []byte) bool {
	if bytes.Equal(x[:f.Stride], y[:f.Stride]) {
		return false
	}
	i := slices.IndexFunc(f.Parts, func(p layout.Part) bool {
		return !bytes.Equal(p.Bytes(x), p.Bytes(y))
	})
	p := f.Parts[i]
	d.Field, d.Part = f.Name, p.Within(title)
	text := func(b []byte) string { return partNaming(&p, b, gameobject.ID.String) }
	if d.Values = [2]string{text(x), text(y)}; d.Values[0] == d.Values[1] { // NaNs
		d.Values = [2]string{fmt.Sprintf("%x", p.Bytes(x)), fmt.Sprintf("%x", p.Bytes(y))}
	}
	return true
}

// listsDiffer compares two lists and records the first element that differs, or their lengths.
func (d *Difference) listsDiffer(f *layout.FieldSpec, title string, x, y []byte) bool {
	if bytes.Equal(x, y) {
		return false
	}
	e := f.List.Element
	if d.Field, d.Part = f.Name, title; f.List.Text {
		d.Values = [2]string{Text(f, x), Text(f, y)}
		return true
	}
	for i := range min(len(x), len(y)) / e.Stride {
		if d.rowsDiffer(e, fmt.Sprintf("%s[%d]", title, i), x[i*e.Stride:], y[i*e.Stride:]) {
			return true
		}
	}
	d.Part = "length of " + title
	d.Values = [2]string{fmt.Sprint(len(x) / e.Stride), fmt.Sprint(len(y) / e.Stride)}
	return true
}

// bytesDiffer records the part and unit of the first byte that differs.
func bytesDiffer(a *Arena, b *Arena, i int, d *Difference) {
	p := &a.layout()[i]
	x, y := a.Used(p), b.Used(p)
	d.Part = layout.Quoted(p.Owner) + "." + layout.Quoted(p.Name)
	if p.Kind != nil {
		d.Kind = p.Kind.Name
	}
	n := min(len(x), len(y))
	at := 0
	for at < n && x[at] == y[at] {
		at++
	}
	if at == n {
		d.Values = [2]string{fmt.Sprint(len(x)/p.Unit, " used"), fmt.Sprint(len(y)/p.Unit, " used")}
		return
	}
	unit := at / p.Unit
	if p.per == perRow {
		d.Row = unit
	}
	d.Part += fmt.Sprintf("[%d]", unit)
	d.Values = [2]string{
		fmt.Sprintf("%x", x[unit*p.Unit:][:p.Unit]), fmt.Sprintf("%x", y[unit*p.Unit:][:p.Unit]),
	}
}
