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

// create makes the world that the file is read into.
func (l *loader) create() (err error) {
	if l.spare {
		return l.checkSpare()
	}
	c, err := placedAsInFile(l)
	if err != nil {
		return err
	}
	if l.state, err = systems.CreateState(c); err != nil {
		return err
	}
	l.report.Counts = l.counts
	return nil
}

// checkSpare refuses files with more kinds than the spare world has.
func (l *loader) checkSpare() error {
	has := systems.CountsOf(l.state)
	if len(l.counts.Kinds) != len(has.Kinds) || len(l.counts.Recipes) != len(has.Recipes) {
		return wrap(ErrSchema, "the spare world has not all of its kinds and recipes; Load it")
	}
	_, err := placedAsInFile(l)
	if l.report.Counts = has; err == nil && l.placed {
		err = errElsewhere
	}
	return err
}

// placedAsInFile returns counts of a world whose rows may lie as in the file: by block, or one by
// one. Where the counts place those of a kind otherwise, it notes that they are to be moved.
func placedAsInFile(l *loader) (systems.Counts, error) {
	objects, kinds, err := l.counts.Room()
	switch {
	case err != nil:
		return l.counts, err
	case l.objects > uint64(objects):
		return l.counts, l.noRoomForObjects(objects)
	}
	c, room := l.counts.Clone(), map[layout.Kind]layout.Count{}
	for _, n := range kinds {
		room[n.Kind] = n
	}
	c.GameObjects = objects
	for i := range l.header.kinds {
		kind, byBlock := placeOf(l, i)
		n := room[kind]
		at := slices.IndexFunc(c.Kinds, func(c layout.Count) bool { return c.Kind == kind })
		switch {
		case kind.Spec() == nil:
			continue
		case at < 0 && byBlock:
			return c, wrap(ErrSchema, "%s has its rows by objects in the file, and not in the "+
				"program; give one of them another name", layout.Quoted(kind.String()))
		case byBlock && !tool.RowsFit(l.header.objects, objects):
			l.placed, c.GameObjects = true, l.header.objects
		case byBlock != n.ByBlock:
			l.placed = true
		}
		if at >= 0 {
			c.Kinds[at].Free = n.Free || byBlock // there may be more objects than its count has
			c.Kinds[at].ByBlock, c.Kinds[at].ByRow = byBlock, !byBlock
		}
	}
	if !l.placed {
		return l.counts, nil
	}
	return c, nil
}

// placeOf returns what a kind of the file becomes, if anything, and whether its rows lie by block.
func placeOf(l *loader, i int) (kind layout.Kind, byBlock bool) {
	if t := l.turnOf(i); t != nil {
		return t.count.Kind, false
	}
	return l.kinds[i], l.header.kinds[i].ByBlock
}

// moveRows moves rows to where the counts place them.
func moveRows(l *loader) error {
	if !l.placed {
		return nil
	}
	s, err := systems.Resized(l.state, l.counts)
	if err != nil {
		return fmt.Errorf("save: %w", err)
	}
	systems.Discard(l.state)
	l.state = s
	return nil
}

// empty makes a spare world a new one, but for what is read over what was there.
func (l *loader) empty() (err error) {
	if !l.spare {
		return nil
	}
	read := map[*byte]int{} // bytes that will be, by where the part begins
	for i := range l.header.parts {
		p := &l.header.parts[i]
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

// findPlaces lists where the parts of the world lie.
func (l *loader) findPlaces() error {
	l.dst = map[place][]byte{}
	for _, p := range tool.Parts(l.state) {
		if !p.Truth {
			continue
		}
		at := place{owner: ofWorld, kind: p.Kind, field: p.Field, name: p.Name}
		switch {
		case p.Kind != nil:
			at.owner = ofKind
		case p.Owner == "game objects":
			at.owner = ofObjects
		case p.Owner != "world":
			at.owner, at.of = ofWatcher, p.Place
		}
		l.dst[at] = p.Bytes
	}
	return nil
}

// takeFree notes what parts unfold to that have free room: it is there without a count, and memory
// when something is written.
func (l *loader) takeFree() error {
	free := map[layout.Kind]bool{}
	for _, c := range tool.ShapeOf(l.state).Kinds {
		free[c.Kind] = c.Free
	}
	for i := range l.header.parts {
		p := &l.header.parts[i]
		if p.owner != ofKind || p.stored == storedRaw || !free[l.kinds[p.of]] {
			continue
		}
		if n, _ := p.size(); !l.take(uint64(n)) {
			return wrap(ErrTooLarge, "%s unfolds to %d bytes, after others of %d; "+
				"count the kind, if it may be so large", l.header.title(&p.partName), n, l.taken)
		}
	}
	return nil
}

// readParts reads every part to its place, large ones side by side.
func (l *loader) readParts() error {
	if err := l.takeFree(); err != nil {
		return err
	}
	var large []task
	for i := range l.header.parts {
		p := &l.header.parts[i]
		var err error
		dst := l.target(p)
		switch n, _ := p.size(); {
		case dst == nil:
			err = l.readAway(p)
		case p.stored == storedRaw && n >= largeFrom:
			large = append(large, task{p, dst[:n], nil})
		default:
			err = l.readPart(p, dst[:n])
		}
		if err != nil {
			return err
		}
	}
	return l.readLarge(large)
}

// largeFrom is how many bytes are worth a goroutine.
const largeFrom = 512 << 10

// A task is a part to be read, and what came of it.
type task struct {
	part *part
	dst  []byte
	err  error
}

func (l *loader) readLarge(tasks []task) error {
	var next atomic.Int32
	var all sync.WaitGroup
	var fault atomic.Pointer[systems.PanicError] // the first panic of the file, or of Progress
	for range min(runtime.GOMAXPROCS(0), len(tasks), 4) {
		all.Go(func() {
			fault.CompareAndSwap(nil, program.Caught("save", func() {
				var r partReader
				for i := int(next.Add(1)) - 1; i < len(tasks); i = int(next.Add(1)) - 1 {
					t := &tasks[i]
					if t.err = l.begin(&r, t.part); t.err == nil {
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

// target returns where a part is read to as it is, or nil.
func (l *loader) target(p *part) []byte {
	at := place{owner: p.owner, name: p.name}
	switch {
	case l.leftOut(p):
		return nil
	case p.owner == ofKind && p.field == noField:
		return l.partIn(l.kinds[p.of], p.name)
	case p.owner == ofKind:
		to := l.columns[p.of][p.field]
		if to.to == nil || !to.asIs() {
			return nil
		}
		return l.columnIn(to.to)
	case p.owner == ofWatcher:
		at.of = l.watchers[p.of]
	}
	return l.dst[at]
}

// readAway reads a part that is not in the world as it is in the file.
func (l *loader) readAway(p *part) error {
	switch {
	case p.owner == ofKind && p.field < len(l.columns[p.of]):
		return l.readColumn(p)
	case p.owner != ofKind || l.leftOut(p) || !l.header.kinds[p.of].Values:
		return l.skip(p)
	}
	return l.readValues(p)
}

func (l *loader) skip(p *part) error {
	r, err := l.open(p)
	if err != nil {
		return err
	}
	defer r.close()
	if err := r.skip(); err != nil {
		return err
	}
	return r.end()
}

// readColumn reads the values of a field that has changed, or is gone.
func (l *loader) readColumn(p *part) error {
	to := &l.columns[p.of][p.field]
	if to.to == nil {
		return l.skip(p)
	}
	dst := l.columnIn(to.to)
	r, err := l.open(p)
	if err != nil {
		return err
	}
	defer r.close()
	src := make([]byte, p.unit*max(1, piece/p.unit))
	for row, rows := 0, int(p.units); row < rows; {
		b := src[:min(rows-row, len(src)/p.unit)*p.unit]
		if err := r.read(b); err != nil {
			return err
		}
		k := &l.header.kinds[p.of]
		if err := k.Fields[p.field].made().Check(b, row); err != nil {
			return wrap(ErrImpossible, "%s: %v", layout.Quoted(k.Name), err)
		}
		n := len(b) / p.unit
		to.convert(dst, b)
		dst = dst[n*to.to.Stride:]
		row += n
	}
	return r.end()
}

// readValues reads the values of a kind in their turn, with their lengths before them.
func (l *loader) readValues(p *part) error {
	if p.name == lengths {
		return nil // with the values, next
	}
	codec, err := l.options.codec(l.kinds[p.of])
	if err != nil {
		return err
	}
	h, err := l.holders(p.of)
	if err != nil {
		return err
	}
	b, err := l.readApart(l.part(p.of, noField, lengths))
	if err != nil {
		return err
	}
	all, err := l.readApart(p)
	if err != nil {
		return err
	}
	column, _ := tool.ValueColumn(l.state, l.kinds[p.of])
	return decodeAll(codec, column, b, all, h.used)
}

// readApart reads a part that has no place in a world.
func (l *loader) readApart(p *part) ([]byte, error) {
	n, _ := p.size()
	if !l.take(uint64(n)) {
		return nil, wrap(ErrTooLarge, "%s has %d bytes", l.header.title(&p.partName), n)
	}
	b := make([]byte, n)
	return b, l.readPart(p, b)
}

// finish makes the rest of the world from what was read, and checks all of it.
func (l *loader) finish() (err error) {
	if systems.Tick(l.state) != l.header.tick {
		return wrap(ErrImpossible, "tick %d, and the header says %d", systems.Tick(l.state),
			l.header.tick)
	}
	copy(l.dst[place{owner: ofObjects, name: "owners"}], l.owners)
	systems.ArenaOf(l.state).Objects.Renumber(l.recipes)
	for k := range l.idle {
		l.state = tool.ResetIdle(l.state, k)
	}
	for i, w := range l.counts.Watchers {
		if !slices.Contains(l.watchers, i) {
			l.state = w.Forget(l.state)
		}
	}
	if l.state, err = tool.Rebuild(l.state); err != nil {
		return wrap(ErrImpossible, "%s", strings.TrimPrefix(err.Error(), "flatecs: "))
	}
	return nil
}
