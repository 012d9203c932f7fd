package save

import (
	"bytes"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

// isReader reports whether a field of a kind is the position of a reader of the program's events.
func isReader(c *systems.Counts, k, field string) bool {
	if !strings.HasPrefix(field, systems.ReadBy) {
		return false
	}
	for _, e := range c.Events {
		if _, readers := systems.EventKinds(e); k == readers.String() {
			return true
		}
	}
	return false
}

// reader names the reader whose position a field of k is.
func (k *FileKind) reader(field string) string {
	return "reader " + layout.Quoted(strings.TrimPrefix(field, systems.ReadBy)) + " of " +
		layout.Quoted(strings.TrimPrefix(k.Name, systems.ReadersOf))
}

// matchEvents refuses a kind that has events, or is of their readers, in one of the file and the
// program alone. Events that the program lacks are kept, as a kind of the file.
func (l *loader) matchEvents(k *FileKind, rows uint64, c layout.Count) error {
	h, spec, of := l.header, c.Kind.Spec(), l.counted(c)
	name, isReaders := strings.CutPrefix(k.Name, systems.ReadersOf)
	isEvents := h.hasEvents(name)
	there, here := sortOf(k.Mark, k.Values), sortOf(spec.Mark, spec.Values != nil)
	switch {
	case of == ofEvents && isReaders && rows != 1:
		return wrap(ErrImpossible, "%s has %d rows, not one", layout.Quoted(k.Name), rows)
	case of == ofEvents && (!isEvents || k.Mark || k.Values):
		here = "events"
	case of != ofEvents && isEvents && spec.Place == 0:
		if there = "events"; of == ofResource {
			here = "a resource"
		}
	default:
		return nil
	}
	return wrap(ErrSchema, "%s is %s in the file and %s in the program; give one of them another "+
		"name", layout.Quoted(k.Name), there, here)
}

// hasEvents reports whether the file has events of a name, and their readers.
func (h *header) hasEvents(name string) bool {
	i := h.indexOf(systems.ReadersOf + name)
	return i >= 0 && h.hasKind(name) && len(h.kinds[i].Fields) > 1 &&
		h.kinds[i].Fields[0].Name == "sent"
}

// rings are the events of a file whose rings have another size in the world. They are read beside
// the world, and the newest of them are moved into it.
type rings []ring

type ring struct {
	layout.Count             // in the world
	readers      layout.Kind // of the world
	rows         uint64      // in the file
	columns      [][]byte    // of the world
}

// find has events whose rings have another size in the world read beside it.
func (r *rings) find(l *loader) error {
	for _, c := range tool.ShapeOf(l.state).Kinds {
		i := slices.Index(l.kinds, c.Kind)
		if i < 0 || l.counted(c) != ofEvents || l.rows[i] == uint64(c.Rows) {
			continue
		}
		of := l.header.indexOf(systems.ReadersOf + l.header.kinds[i].Name)
		next := ring{Count: c, readers: l.kinds[of], rows: l.rows[i]}
		for _, p := range rowParts {
			delete(l.dst, place{owner: ofKind, kind: c.Kind.Spec(), name: p.name})
		}
		for _, f := range c.Kind.Fields() {
			if !l.take(next.rows * uint64(f.Stride)) {
				return wrap(ErrTooLarge, "%d events of %s, after %d bytes of others; give its "+
					"Count as many", next.rows, layout.Quoted(c.Kind.String()), l.taken)
			}
			next.columns = append(next.columns, l.columnIn(f))
			l.dst[place{owner: ofKind, kind: f.Kind, field: f, name: f.Name}] = bytes.Repeat(
				f.Default, int(next.rows))
		}
		*r = append(*r, next)
	}
	return nil
}

// move moves the newest events to their rows in the world. Readers miss the others, as after
// [systems.Resized].
func (r *rings) move(l *loader) error {
	for _, r := range *r {
		fields, has := r.readers.Fields(), uint64(r.Rows)
		sent, oldest := little.Uint64(l.columnIn(fields[0])), l.columnIn(fields[1])
		first := sent - min(r.rows, has, sent-min(sent, little.Uint64(oldest)))
		little.PutUint64(oldest, first)
		for n := first; n < sent; n++ {
			for i, f := range r.Kind.Fields() {
				copy(r.columns[i][int(n%has)*f.Stride:][:f.Stride],
					l.columnIn(f)[int(n%r.rows)*f.Stride:])
			}
			l.state = tool.Touch(l.state, r.Kind, layout.Row(n%has), 1)
		}
		l.state = tool.Touch(l.state, r.readers, 0, 1)
	}
	return nil
}
