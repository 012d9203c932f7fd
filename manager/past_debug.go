//go:build ecsdebug

package manager

import (
	"bytes"
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// CheckCopy panics if two arenas differ after copying the changes between them.
func CheckCopy(a, b *Arena) {
	parts := a.Parts()
	for i := range parts {
		if x := &parts[i]; !bytes.Equal(a.Used(x), b.Used(x)) {
			blameOf(x.Owner, "%s differs in a copy that was just made", x.Name)
		}
	}
}

// A seen holds a copy of a world as it was last compared, and the calls that wrote to the world
// since.
type seen struct {
	arena *Arena // nil: the world is not compared
	base  Base
	calls [16][12]uintptr
	n     int // calls so far
}

// Watch gives the world of p a copy that [Past.Compare] compares it with.
func (p *Past) Watch(a *Arena) {
	if c, err := a.Alike(); err == nil {
		p.seen.arena = c
		p.Ready()
		p.see(a)
	}
}

// Unwatch releases the copy.
func (p *Past) Unwatch() {
	if p.seen.arena != nil {
		p.seen.arena.Free()
	}
	p.seen = seen{}
}

// see makes the copy equal to the world.
func (p *Past) see(a *Arena) {
	s := &p.seen
	s.arena.CopyFrom(a, p.Since(s.base, *a.Tick, *s.arena.Tick))
	s.base, s.n = p.Now(*a.Tick), 0
}

// Compare panics if a world differs from its copy and no stamp says so. It compares a large world
// only now and then.
func (p *Past) Compare(a *Arena) {
	if p.seen.arena == nil || !sometimes(usedBytes(a)>>12) {
		return
	}
	p.CheckStamps(a, p.seen.arena, p.Since(p.seen.base, *a.Tick, *p.seen.arena.Tick))
	p.see(a)
}

// usedBytes returns how many bytes of a world were ever used.
func usedBytes(a *Arena) (n int) {
	parts := a.layout()
	for i := range parts {
		n += usedOf(a, &parts[i])
	}
	return n
}

// Called notes the call that is about to write.
func (p *Past) Called() {
	runtime.Callers(3, p.seen.calls[p.seen.n%len(p.seen.calls)][:])
	p.seen.n++
}

// CheckStamps panics if two arenas that were equal at tick since differ and no stamp of that tick
// or a later one says so. Call it before copying by stamps.
func (p *Past) CheckStamps(a, b *Arena, since uint64) {
	if since == 0 {
		return
	}
	parts := a.layout()
	for i := range parts {
		x := &parts[i]
		switch {
		case x.Kind == nil:
			if x.ofKinds() && !anyReshaped(a, b, since) {
				p.checkStructure(a, b, x, since)
			}
		case x.Field != nil:
			p.checkColumn(a, b, x, since)
		case x.Name != "changed" && !reshaped(&a.Managers[x.Place], &b.Managers[x.Place], since):
			p.checkStructure(a, b, x, since)
		}
	}
}

// checkStructure compares a part that is derived from a structure that is recorded as unchanged.
func (p *Past) checkStructure(a, b *Arena, x *Part, since uint64) {
	n := max(usedOf(a, x), usedOf(b, x)) // there may be more objects, without the kind
	used, other := bytesOf(a, x)[:n], bytesOf(b, x)[:n]
	if x.Name == "counters" { // the last counter is the tick of the last write
		used, other = used[:n-8], other[:n-8]
	}
	if !bytes.Equal(used, other) {
		p.unnoticed(x.Owner+"."+x.Name, since)
	}
}

// checkColumn compares the rows of a column that no stamp lists, if they are on the same objects in
// both.
func (p *Past) checkColumn(a, b *Arena, x *Part, since uint64) {
	m, n := &a.Managers[x.Place], &b.Managers[x.Place]
	rows := int(min(m.count.High, n.count.High))
	column, other := bytesOf(a, x)[:rows*x.Unit], bytesOf(b, x)[:rows*x.Unit]
	for w, at := 0, 0; at < rows; w, at = w+1, at+64 {
		end := min(at+64, rows)
		if max(m.Stamps.Of(uint32(w)), n.Stamps.Of(uint32(w))) >= since ||
			bytes.Equal(column[at*x.Unit:end*x.Unit], other[at*x.Unit:end*x.Unit]) {
			continue
		}
		for row := at; row < end; row++ {
			held, holds := other[row*x.Unit:][:x.Unit], column[row*x.Unit:][:x.Unit]
			if bytes.Equal(held, holds) || !alike(m, n, uint32(row)) {
				continue
			}
			var d Difference
			if d.rowsDiffer(x.Field, x.Field.Title(layout.Part{}), held, holds) {
				p.unnoticed(fmt.Sprintf("%s of kind %s in row %d%s, which held %s and holds %s,",
					d.Part, layout.Quoted(x.Owner), row, userOf(m, uint32(row)), d.Values[0],
					d.Values[1]), since)
			}
		}
	}
}

// alike reports whether a row of a kind is in use, and has the same use in two worlds.
func alike(m, n *Manager, row uint32) bool {
	use, owner := m.Rows.use(row)
	other, object := n.Rows.use(row)
	return use != RowUnused && use == other && owner == object
}

// userOf names the object that uses a row.
func userOf(m *Manager, row uint32) string {
	use, owner := m.Rows.use(row)
	switch of := m.Kind.Of; {
	case use == RowMounted || ByBlock(m):
		return fmt.Sprintf(" (of game object %v)", m.Objects.At(owner))
	case of != nil && of.List.Rows == m.Kind: // elements
		owner := *buffer.At[uint32](m.Data.Columns[ownerColumn].Base, int(row))
		if owner < OfResource {
			return fmt.Sprintf(" (of a list of game object %v)", m.Objects.At(owner))
		}
	}
	return ""
}

// unnoticed panics because of a write without a stamp.
func (p *Past) unnoticed(what string, since uint64) {
	var calls []string
	for n := max(0, p.seen.n-len(p.seen.calls)); n < p.seen.n; n++ {
		if name := callName(p.seen.calls[n%len(p.seen.calls)][:]); len(calls) == 0 ||
			calls[len(calls)-1] != name {
			calls = append(calls, name)
		}
	}
	if len(calls) == 0 {
		calls = []string{"none that writes"}
	}
	panic(fmt.Sprintf("flatecs: %s was written unnoticed since tick %d; write through batches, or "+
		"by Set, or through what Edit returns before the next tick. Calls since then: %s", what,
		since, strings.Join(calls, ", ")))
}

// callName returns the call of the program on a stack, and its caller.
func callName(stack []uintptr) string {
	frames, name := runtime.CallersFrames(stack), ""
	for {
		f, more := frames.Next()
		of := strings.TrimPrefix(f.Function, "github.com/flatecs/flatecs/")
		if of == f.Function || strings.HasSuffix(f.File, "_test.go") {
			return fmt.Sprintf("%s at %s:%d", name, path.Base(f.File), f.Line)
		}
		if name = path.Base(of); !more {
			return name
		}
	}
}
