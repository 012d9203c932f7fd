package walk

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// Open takes the next slot for a walk of a plan; since is the tick of a walk for changes, or 0. It
// panics if too many walks are open, or if the plan and an open walk use the same field and one of
// them writes it.
func (l *Walks) Open(p *query.Plan, since uint64) *Walk {
	if l.Depth == Max {
		panic(fmt.Sprintf("flatecs: %d walks are open, one inside the other; close one first", Max))
	}
	if l.Depth != 0 {
		l.conflict(p)
	}
	w := l.slots[l.Depth]
	if w == nil || len(w.batch.rows) < len(p.Terms) || len(w.batch.scratch) < p.Scratch {
		w = l.slot(p)
	}
	l.Depth++
	l.Writes |= p.Kinds
	w.plan, w.walks, w.since = p, l, since
	w.ended, w.out = false, false
	b := &w.batch
	b.Plan, b.objects, b.present = p, l.Objects, p.Required
	b.begin()
	return w
}

// Close ends a walk, whether by its end, break, return, panic or Goexit.
func (w *Walk) Close() {
	if w.out { // the loop body did not return normally
		closeOut(w)
		return
	}
	end(w)
}

// closeOut is Close while the system has a batch. The walk ends also if the batch panics.
//
//go:noinline
func closeOut(w *Walk) {
	defer end(w)
	defer w.putBack()
	w.audit.finish(&w.batch)
}

func end(w *Walk) {
	l := w.walks
	w.ended = true
	for l.Depth > 0 && l.slots[l.Depth-1].ended { // a walk may end before one that began later
		l.Depth--
	}
	l.Writes = 0
	for _, open := range l.slots[:l.Depth] {
		if !open.ended {
			l.Writes |= open.batch.Plan.Kinds
		}
	}
}

// Abandon closes the walks that their loops left open, as by iter.Pull without stop. A loop that is
// resumed ends, and its walk no longer has a slot.
func (l *Walks) Abandon() {
	part := l.Part
	l.Part = false // stamps what a task's walk writes back now
	for d := l.Depth - 1; d >= 0; d-- {
		if w := l.slots[d]; !w.ended {
			if w.out {
				w.putBack()
			}
			end(w)
			l.slots[d], w.walks = nil, &Walks{}
		}
	}
	l.Part = part
}

// Ready allocates memory for walks nested walks of a plan, and with above for the parents' values
// of all its columns.
func (l *Walks) Ready(p *query.Plan, walks int, above bool) {
	for l.Depth = range walks {
		if w := l.slot(p); above {
			w.walks = l
			w.readyAbove()
			if a := w.batch.above; len(a.values) < p.Scratch {
				a.values, _ = buffer.New(p.Scratch)
			}
		}
	}
	l.Depth = 0
}

// slot returns the slot for the next walk, with room for the lists of p.
//
//go:noinline
func (l *Walks) slot(p *query.Plan) *Walk {
	w := l.slots[l.Depth]
	if w == nil {
		w = new(Walk)
		l.slots[l.Depth] = w
	}
	b := &w.batch
	if len(b.scratch) < p.Scratch {
		b.scratch, _ = buffer.New(p.Scratch)
	}
	if n := max(len(p.Terms), 1); len(b.rows) < n {
		b.rows = make([]rowList, n)
		b.blocks = make([]listed, 0, min(query.BatchSize, l.Objects.Cap())) // each has an object
	}
	return w
}

// conflict panics if the plan and an open walk use the same field and one of them writes it.
//
//go:noinline
func (l *Walks) conflict(p *query.Plan) {
	for d := range l.Depth {
		if l.slots[d].ended {
			continue
		}
		for _, a := range p.Columns {
			for _, b := range l.slots[d].plan.Columns {
				if a.Field == b.Field && (a.Mode == query.Write || b.Mode == query.Write) {
					panic(clash(a.Field))
				}
			}
		}
	}
}

func clash(f *layout.FieldSpec) string {
	return fmt.Sprintf("flatecs: field %q of kind %q is written by one of two walks that are open "+
		"at once; close the outer one first, or copy the values that it reads", f.Name, f.Kind.Name)
}

// Holds reports whether an open walk writes a field.
func (l *Walks) Holds(f *layout.FieldSpec) bool { return l.Asks(f, false) }

// String returns the query of the open walk that began last, as Go code.
func (l *Walks) String() string {
	for d := l.Depth - 1; d >= 0; d-- {
		if w := l.slots[d]; !w.ended {
			return query.Text(w.plan)
		}
	}
	return ""
}

// Asks reports whether an open walk writes a field or, with writes, reads it.
func (l *Walks) Asks(f *layout.FieldSpec, writes bool) bool {
	for d := range l.Depth {
		if l.slots[d].ended {
			continue
		}
		for _, c := range l.slots[d].plan.Columns {
			if c.Field == f && (writes || c.Mode == query.Write) {
				return true
			}
		}
	}
	return false
}
