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

// matchEvents refuses a kind that has events in one of the file and the program.
func (l *loader) matchEvents(k *FileKind, c layout.Count) error {
	readers := l.header.indexOf(systems.ReadersOf + strings.TrimPrefix(k.Name, systems.ReadersOf))
	of, ring := l.counted(c), readers >= 0
	there, here := sortOf(k.Mark, k.Values), "events"
	switch {
	case of == ofEvents && (!ring || k.Mark || k.Values):
	case of == ofResource && ring:
		there, here = here, "a resource"
	default:
		return nil
	}
	return wrap(ErrSchema, "%s is %s in the file and %s in the program; give one of them another "+
		"name", layout.Quoted(k.Name), there, here)
}

// A ring is the events of a file whose ring has another size in the world. They are read beside the
// world, and the newest of them are moved into it.
type ring struct {
	kind, readers layout.Kind
	had, has      uint64 // rows in the file and in the world
	columns       []ringColumn
}

// A ringColumn is a field of events, as read and in the world.
type ringColumn struct {
	from, to []byte
	stride   int
}

// findRings has the events of rings that have another size in the world read beside it.
func (l *loader) findRings() error {
	rows := map[layout.Kind]int{}
	for _, c := range tool.ShapeOf(l.state).Kinds {
		rows[c.Kind] = c.Rows
	}
	for _, e := range l.counts.Events {
		k, readers := systems.EventKinds(e)
		i, of := slices.Index(l.kinds, k), slices.Index(l.kinds, readers)
		if of >= 0 && l.rows[of] != 1 || of < 0 && i >= 0 {
			return wrap(ErrImpossible, "%s: the positions of its readers are not in one row",
				layout.Quoted(k.String()))
		}
		if i < 0 || l.rows[i] == uint64(rows[k]) {
			continue
		}
		r := ring{kind: k, readers: readers, had: l.rows[i], has: uint64(rows[k])}
		for _, p := range rowParts {
			delete(l.dst, place{owner: ofKind, kind: k.Spec(), name: p.name})
		}
		for _, f := range k.Fields() {
			if !l.take(r.had * uint64(f.Stride)) {
				return wrap(ErrTooLarge, "%d events of %s, after %d bytes of others; give its "+
					"Count as many", r.had, layout.Quoted(k.String()), l.taken)
			}
			from := bytes.Repeat(f.Default, int(r.had))
			r.columns = append(r.columns, ringColumn{from, l.columnIn(f), f.Stride})
			l.dst[place{owner: ofKind, kind: k.Spec(), field: f, name: f.Name}] = from
		}
		l.rings = append(l.rings, r)
	}
	return nil
}

// moveEvents moves the newest events of rings of other sizes to their rows in the world. Readers
// miss the others, as after [systems.Resized].
func (l *loader) moveEvents() error {
	for _, r := range l.rings {
		fields := r.readers.Fields()
		sent, oldest := little.Uint64(l.columnIn(fields[0])), l.columnIn(fields[1])
		kept := min(r.had, r.has, sent-min(sent, little.Uint64(oldest)))
		little.PutUint64(oldest, sent-kept)
		for _, c := range r.columns {
			for n := sent - kept; n < sent; n++ {
				to, from := int(n%r.has)*c.stride, int(n%r.had)*c.stride
				copy(c.to[to:to+c.stride], c.from[from:])
			}
		}
		l.state = tool.Touch(l.state, r.readers, 0, 1)
		l.state = tool.Touch(l.state, r.kind, 0, int(r.has))
	}
	return nil
}
