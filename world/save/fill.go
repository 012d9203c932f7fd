package save

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/program"
)

// fill reads the file into the world, which has the shape of the plan.
func (l *filler) fill() error {
	shape := tool.ShapeOf(l.state)
	if err := l.plan.planWorld(&shape); err != nil {
		return err
	}
	l.source.budget = l.plan.budget
	l.findPlaces()
	for _, step := range []func() error{
		l.readTurns, l.readRingsBeside, l.empty, l.readParts, l.readRelaid, l.change, l.finish,
		l.fillRelaid, l.moveRows,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// empty resets a spare world, except for the bytes that reading overwrites.
func (l *filler) empty() (err error) {
	if !l.plan.into.spare {
		return nil
	}
	read := map[*byte]int{} // sizes of the stretches that will be read, by their first bytes
	for i := range l.source.header.parts {
		p := &l.source.header.parts[i]
		dst := l.target(p)
		if n, _ := p.size(); n > 0 && len(dst) > 0 {
			read[&dst[0]] = n
		}
	}
	l.state, err = tool.Empty(l.state, func(p *tool.Part) int {
		if len(p.Bytes) == 0 {
			return 0
		}
		return read[&p.Bytes[0]]
	})
	return err
}

// readParts reads all parts into their places, large parts in parallel. Decompressed parts can fill
// free room that no count limits; that memory is committed only when something is written.
func (l *filler) readParts() error {
	const largeFrom = 512 << 10 // bytes of a part that are worth a goroutine
	var large []task
	room, h := byKind(tool.ShapeOf(l.state).Kinds), l.source.header
	for i := range h.parts {
		p, dst := &h.parts[i], l.target(&h.parts[i])
		n, _ := p.size()
		isFree := p.owner == ofKind && room[l.plan.kinds[p.of].kind].Free
		var err error
		switch {
		case isFree && p.stored != storedRaw && !l.source.budget.take(uint64(n)):
			err = wrap(ErrTooLarge, "%s unfolds to %d bytes, after others of %d; count the kind, "+
				"if it may be so large", h.title(&p.partName), n, l.source.budget.taken)
		case dst == nil:
			err = l.readAway(p)
		case p.stored == storedRaw && n >= largeFrom:
			large = append(large, task{p, dst[:n], nil})
		default:
			err = l.source.read(p, dst[:n])
		}
		if err != nil {
			return err
		}
	}
	return l.readLarge(large)
}

// A task is the reading of one part, and its result.
type task struct {
	part *part
	dst  []byte
	err  error
}

func (l *filler) readLarge(tasks []task) error {
	var next atomic.Int32
	var all sync.WaitGroup
	var fault atomic.Pointer[systems.PanicError] // the first panic of reading, or of Progress
	for range min(runtime.GOMAXPROCS(0), len(tasks), 4) {
		all.Go(func() {
			fault.CompareAndSwap(nil, program.Caught("save", func() {
				var r partReader
				for i := int(next.Add(1)) - 1; i < len(tasks); i = int(next.Add(1)) - 1 {
					t := &tasks[i]
					if t.err = l.source.begin(&r, t.part); t.err == nil {
						t.err = r.all(t.dst)
					}
				}
			}))
		})
	}
	all.Wait()
	if p := fault.Load(); p != nil {
		panic(p)
	}
	for i := range tasks {
		if tasks[i].err != nil {
			return tasks[i].err
		}
	}
	return nil
}

// readAway reads a part that has no place in the world.
func (l *filler) readAway(p *part) error {
	switch {
	case p.owner == ofKind && p.field < len(l.plan.kinds[p.of].columns):
		return l.readColumn(p)
	case p.owner != ofKind || l.plan.leftOut(p) || !l.source.header.kinds[p.of].Values:
		return l.source.skip(p)
	}
	return l.readValues(p)
}

// readColumn reads the values of a field that has changed or was dropped.
func (l *filler) readColumn(p *part) error {
	to := &l.plan.kinds[p.of].columns[p.field]
	if to.to == nil {
		return l.source.skip(p)
	}
	dst, k := l.columnIn(to.to), &l.source.header.kinds[p.of]
	return l.source.pieces(p, func(b []byte, row int) error {
		if err := k.Fields[p.field].Check(b, row); err != nil {
			return wrap(ErrImpossible, "%s: %v", layout.Quoted(k.Name), err)
		}
		to.convert(dst[row*to.to.Stride:], b)
		return nil
	})
}

// readValues reads the Go values of a kind, together with their lengths, which precede them.
func (l *filler) readValues(p *part) error {
	if p.name == lengths {
		return nil // read together with the values, which follow
	}
	kind := l.plan.kinds[p.of].kind
	codec, err := l.options.codec(kind)
	if err != nil {
		return err
	}
	h, err := l.source.holders(p.of)
	if err != nil {
		return err
	}
	b, err := l.source.readApart(l.source.part(ofKind, p.of, noField, lengths))
	if err != nil {
		return err
	}
	all, err := l.source.readApart(p)
	if err != nil {
		return err
	}
	column, _ := tool.ValueColumn(l.state, kind)
	return decodeAll(codec, column, b, all, h.used)
}

// change adapts the world to the program, so that it lacks nothing.
func (l *filler) change() error {
	l.fillNew()
	l.writeTurns()
	l.clearDead()
	l.moveRings()
	return nil
}

// fillNew sets the fields that the file lacks to their defaults, in all rows. New readers begin at
// the end of their events.
func (l *filler) fillNew() {
	for of, f := range l.plan.fields {
		is := func(c column) bool { return c.to == f }
		if f.Index < len(of.columns) && is(of.columns[f.Index]) || // as usual
			slices.ContainsFunc(of.columns, is) {
			continue
		}
		l.state = tool.FillNew(l.state, f)
		if l.plan.into.hasReader(of.kind.String(), f.Name) { // a new reader begins at the end
			copy(l.columnIn(f), l.columnIn(of.kind.Fields()[0])[:8])
		}
	}
}

// clearDead sets references of relations to nobody if their objects have died: a program that
// lacked the relation left them unchanged while it disposed objects. Ids that were never handed out
// stay; the check of the world refuses them.
func (l *filler) clearDead() {
	for of, f := range l.plan.fields {
		if f.Relation == nil {
			continue
		}
		if n := l.clearColumn(l.columnIn(f)[:of.rows*f.Stride]); n > 0 {
			l.plan.report.Cleared = append(l.plan.report.Cleared,
				fmt.Sprintf("%s: %d", layout.Quoted(of.kind.String()), n))
		}
	}
}

func (l *filler) clearColumn(column []byte) (cleared int) {
	generations := l.dst[place{owner: ofObjects, name: "generations"}]
	for ; len(column) > 0; column = column[8:] {
		id := systems.GameObject(little.Uint64(column))
		if id == 0 {
			continue
		}
		at := id.Index()
		if id.Recorded() || uint64(at) >= l.plan.used.objects {
			continue
		}
		if id.Generation() < little.Uint32(generations[4*at:]) {
			little.PutUint64(column, 0)
			cleared++
		}
	}
	return cleared
}

// finish derives the rest of the world from the parts, and checks everything.
func (l *filler) finish() (err error) {
	if at, said := systems.Tick(l.state), l.source.header.tick; at != said {
		return wrap(ErrImpossible, "tick %d, and the header says %d", at, said)
	}
	systems.ArenaOf(l.state).Objects.Renumber(l.plan.recipes)
	for i := range l.plan.kinds {
		if k := &l.plan.kinds[i]; k.reset {
			l.state = tool.ResetIdle(l.state, k.kind)
		}
	}
	for i, w := range l.plan.into.counts.Watchers {
		if !slices.Contains(l.plan.watchers, i) {
			l.state = w.Forget(l.state)
		}
	}
	if l.state, err = tool.Rebuild(l.state); err != nil {
		return wrap(ErrImpossible, "%s", strings.TrimPrefix(err.Error(), "flatecs: "))
	}
	systems.ArenaOf(l.state).Equip()
	return nil
}

// moveRows moves rows to the places that the counts demand.
func (l *filler) moveRows() error {
	if !l.plan.moved {
		return nil
	}
	s, err := systems.Resized(l.state, l.plan.into.counts)
	if err != nil {
		return fmt.Errorf("save: %w", err)
	}
	systems.Discard(l.state)
	l.state = s
	return nil
}
