package manager

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// A Range is a stretch of a world's bytes, with what it holds.
type Range struct {
	Offset int    // of its first byte in the world's bytes
	Size   int    // bytes
	Name   string // in its part: "High", "[3]", "[3].Present", "[4-9]"; "padding" behind it
	Text   string // its value in words
	Left   int    // units that are left out: all of the range
}

// A ranger goes through the bytes of a part.
type ranger struct {
	*Part
	sheet

	bytes []byte
	used  int // units
	most  int // lines for units
	yield func(Range) bool
	ended bool
}

// Ranges yields every byte of a part of a's, in order, by what it holds: each figure of each unit
// that was ever used, where neighbours that say the same are one range; what was never used; and
// the padding up to the next part. Units beyond most of those are one range that says how many.
// It reads any bytes, also those of a world that was damaged. It panics where p is no part of a
// world that is [Arena.Like] a.
func (a *Arena) Ranges(p *Part, most int) iter.Seq[Range] {
	if !slices.ContainsFunc(a.layout(), p.is) {
		panic("flatecs: " + layout.Quoted(p.Owner) + "." + layout.Quoted(p.Name) +
			" is no part of this world; give one of its Parts")
	}
	return func(yield func(Range) bool) {
		r := ranger{Part: p, bytes: a.part(p), most: most, yield: yield}
		if r.sheet = a.sheet(p); p.size > 0 {
			r.used = a.used(p) / r.unit
			r.units()
			r.unused(a)
		}
		end := (p.at + p.size + buffer.Align - 1) &^ (buffer.Align - 1)
		r.padding(a.Bytes[p.at+p.size : min(end, len(a.Bytes))])
	}
}

// is reports whether p and q are the same part of worlds that are alike.
func (p *Part) is(q Part) bool {
	return p.at == q.at && p.size == q.size && p.Name == q.Name && p.Field == q.Field &&
		p.Kind == q.Kind
}

// put yields a range of the part's bytes from one on, up to another.
func (r *ranger) put(from, to int, name, text string) {
	r.ended = r.ended || !r.yield(Range{r.at + from, to - from, name, text, 0})
}

// units goes through what was ever used.
func (r *ranger) units() {
	for u, n := 0, 0; u < r.used && !r.ended; n++ {
		if n == r.most {
			left := r.used - u
			r.ended = !r.yield(Range{
				r.at + u*r.unit, left * r.unit, span(u, r.used-1), fmt.Sprintf(
					"%d left out", left), left,
			})
			return
		}
		end := r.alike(u)
		if r.several(u, end); r.ended {
			return
		}
		u = end
	}
}

// rowsOfPage returns how many rows a page of the part has, or 0 where it has no pages.
func (r *ranger) rowsOfPage() int {
	switch r.per {
	case perPage4, perPage16, perPage:
		return r.Unit / r.unit
	}
	return 0
}

// alike returns the unit after those from u on that say the same.
func (r *ranger) alike(u int) int {
	first, text, last := r.at1(u), "", r.used
	if r.apart {
		text = r.figures[0].text(first, u)
	}
	if n := r.rowsOfPage(); n > 0 {
		last = min(last, (u/n+1)*n)
	}
	if len(r.figures) == 1 && r.figures[0].bits &&
		slices.ContainsFunc(first, isSet) && slices.ContainsFunc(first, hasGap) {
		return u + 1
	}
	for u++; u < last && bytes.Equal(r.at1(u), first); u++ {
		if r.apart && r.figures[0].text(first, u) != text {
			break
		}
	}
	return u
}

// at1 returns the bytes of a unit.
func (r *ranger) at1(u int) []byte { return r.bytes[u*r.unit:][:r.unit] }

// several yields units from one on, up to another, which say the same.
func (r *ranger) several(u, end int) {
	from, to, first := u*r.unit, end*r.unit, r.at1(u)
	name := ""
	if len(r.figures) == 1 && r.figures[0].name == "" {
		name = r.Name
	}
	if r.used > 1 || !r.whole() {
		name = span(u, end-1)
	}
	if n := r.rowsOfPage(); n > 0 {
		name = fmt.Sprintf("[%d].%s", u/n, strings.Trim(span(u%n, (end-1)%n), "[]"))
	}
	if r.one != nil && end == u+1 {
		name += " " + r.one(u)
	}
	switch {
	case r.Field != nil:
		r.put(from, to, name, Text(r.Field, first))
	case len(r.figures) == 1:
		f := &r.figures[0]
		text := f.text(first, u)
		if f.bits && end > u+1 && first[0] != 0 { // alike are none and all
			text = fmt.Sprintf("{%d-%d}", u<<6, end<<6-1)
		}
		r.put(from, to, join(name, f.name), text)
	case end == u+1:
		for i := range r.figures {
			f := &r.figures[i]
			r.put(from+f.at, from+f.at+f.size, join(name, f.name), f.text(first, u))
		}
	default:
		r.put(from, to, name, "each "+r.record(first))
	}
}

// record returns the figures of a unit that are not zero, as numbers.
func (r *ranger) record(unit []byte) string {
	var all []string
	for i := range r.figures {
		f, b := r.figures[i], unit[r.figures[i].at:][:r.figures[i].size]
		switch {
		case !slices.ContainsFunc(b, isSet):
		case f.bits && !slices.ContainsFunc(b, hasGap):
			all = append(all, f.name+" all")
		default:
			if f.bits {
				f.tell = nil
			}
			all = append(all, f.name+" "+f.text(unit, 0))
		}
	}
	if all == nil {
		return "zeros"
	}
	return strings.Join(all, ", ")
}

func isSet(b byte) bool { return b != 0 }

func hasGap(b byte) bool { return b != 0xff }

// unused yields what was never used: the defaults in a column of a counted kind, zeros elsewhere.
func (r *ranger) unused(a *Arena) {
	from := r.used * r.unit
	rest := r.bytes[from:]
	if len(rest) == 0 || r.ended {
		return
	}
	text, i := "never used", -1
	if untouched := a.memory.Mapped() && r.Free; !untouched { // to read it would take memory
		text, i = "never used: zeros", slices.IndexFunc(rest, isSet)
	}
	switch {
	case i < 0:
	case r.Field != nil && !r.Free && repeats(rest, r.Field.Default):
		text = "never used: the default, " + Text(r.Field, r.Field.Default)
	default:
		text = fmt.Sprintf("never used, but byte %d is %d", r.at+from+i, rest[i])
	}
	r.put(from, len(r.bytes), span(from/r.Unit, len(r.bytes)/r.Unit-1), text)
}

// repeats reports whether values side by side are all the same one.
func repeats(values, one []byte) bool {
	for i := 0; i < len(values); i += len(one) {
		if !bytes.Equal(values[i:i+len(one)], one) {
			return false
		}
	}
	return true
}

// padding yields what is behind a part.
func (r *ranger) padding(b []byte) {
	if len(b) == 0 || r.ended {
		return
	}
	text := "zeros"
	if i := slices.IndexFunc(b, isSet); i >= 0 {
		text = fmt.Sprintf("byte %d is %d, not 0", r.at+r.size+i, b[i])
	}
	r.put(r.size, r.size+len(b), "padding", text)
}

func join(name, word string) string {
	if name == "" || word == "" {
		return name + word
	}
	return name + "." + word
}
