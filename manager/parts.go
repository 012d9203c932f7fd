package manager

import (
	"fmt"
	"math"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// A Part is one stretch of a world's bytes: the generations of its objects, a column, and so on.
// What was ever used of it is a prefix; what lies behind that holds zeros, in a column of a counted
// kind the defaults.
type Part struct {
	Owner string            // "world", "game objects", a kind's name, or "watcher" and its number
	Name  string            // of what it holds; for a column the name of its field
	Kind  *layout.KindSpec  // whose region it is in, or nil
	Field *layout.FieldSpec // whose column it is, or nil
	Truth bool              // decides the world's future; else it follows from what does
	Free  bool              // of a kind without a count: behind what was used are zeros
	Unit  int               // bytes per object, row, block, …
	Bytes []byte            // in place, all of them
	Place int               // of the kind among the managers, or of the watcher

	per  extent
	at   int // of the first byte in the world's
	size int // bytes
}

// An extent is what a part has a unit for.
type extent uint8

const (
	perPart      extent = iota
	perPool             // of objects in slabs
	perPoolGroup        // of 64 blocks, of each pool
	perObject           // from here on as far as it was ever used
	perBlock            // of 64 objects
	perGroup            // of 64 blocks
	perRow
	per64Rows
	per4096Rows
	perPage
)

// The parts in the order in which a survey goes through them, and carve cuts them.
var (
	worldParts = []Part{{Name: "tick", Truth: true, Unit: 8}}

	objectParts = []Part{
		{Name: "counters", Truth: true, Unit: 40},
		{Name: "generations", Truth: true, Unit: 4, per: perObject},
		{Name: "next", Truth: true, Unit: 4, per: perObject},
		{Name: "alive", Truth: true, Unit: 8, per: perBlock},
		{Name: "owners", Truth: true, Unit: 2, per: perBlock},
		{Name: "room", Unit: 8, per: perPoolGroup},
		{Name: "lowest", Unit: 4, per: perPool},
	}

	markParts = []Part{
		{Name: "counters", Truth: true, Unit: 40},
		{Name: "blocks", Truth: true, Unit: 32, per: perBlock},
		{Name: "groups", Unit: 16, per: perGroup},
	}

	rowParts = []Part{
		{Name: "counters", Truth: true, Unit: 40},
		{Name: "bases", Truth: true, Unit: 4, per: perBlock},
		{Name: "objects", Truth: true, Unit: 4, per: perRow},
		{Name: "links", Truth: true, Unit: 4, per: perRow},
		{Name: "changed", Truth: true, Unit: 8, per: per64Rows},
		{Name: "mounted", Truth: true, Unit: 8, per: per64Rows},
		{Name: "slabs", Truth: true, Unit: 8, per: per4096Rows},
	}

	blockParts = []Part{ // after the columns
		{Name: "blocks", Unit: 32, per: perBlock},
		{Name: "pages", Unit: 256, per: perPage},
		{Name: "spare pages", Unit: 8},
		{Name: "groups", Unit: 16, per: perGroup},
	}

	watcherParts = []Part{
		{Name: "record", Truth: true, Unit: 8},
		{Name: "generations", Truth: true, Unit: 4, per: perObject},
		{Name: "former", Truth: true, Unit: 4, per: perObject},
		{Name: "blocks", Truth: true, Unit: 40, per: perBlock},
		{Name: "touched", Unit: 8, per: perGroup},
		{Name: "reported", Unit: 8, per: perGroup},
		{Name: "count", Unit: 8},
	}
)

// counted reports whether a part is there from the start: it has a unit per row that was counted.
func (p *Part) counted() bool {
	return !p.Free && (p.per == perRow || p.per == per64Rows || p.per == per4096Rows)
}

// whole reports whether all of a part is in use at once.
func (p *Part) whole() bool { return p.per < perObject }

// An owner is who several parts belong to.
type owner struct {
	name  string
	kind  *layout.KindSpec
	place int
	free  bool // without a count
}

// A survey goes through the parts of a world in their order. It adds up their sizes, and lists
// them where there is a list.
type survey struct {
	units [perPage + 1]int64 // that there is room for, per extent
	size  int64              // bytes so far, padding included; above buffer.MaxSize: too large
	parts []Part             // or nil

	counted int64 // bytes of size that are there from the start
}

func newSurvey(objects, pools int) (s survey) {
	blocks := (objects + 63) / 64
	groups := (blocks + 63) / 64
	s.units[perPart] = 1
	s.units[perPool], s.units[perPoolGroup] = int64(pools), int64(pools*groups)
	s.units[perObject], s.units[perBlock], s.units[perGroup] = int64(objects), int64(blocks),
		int64(groups)
	return s
}

// world goes through a whole world.
func (s *survey) world(a *Arena) {
	s.all(worldParts, owner{name: "world"})
	s.all(objectParts, owner{name: "game objects"})
	s.add(&Part{Name: "kinds per block", Unit: 8 * a.words(), per: perBlock}, owner{name: "world"})
	for i, n := range a.sizes.Kinds {
		s.kind(n, i)
	}
	for i := range a.sizes.Watchers {
		name := "watcher"
		if s.parts != nil {
			name = fmt.Sprint("watcher ", i)
		}
		s.all(watcherParts, owner{name: name, place: i})
	}
}

// kind goes through the region of one kind.
func (s *survey) kind(c layout.Count, place int) {
	kind, n := c.Kind.Spec(), int64(c.Rows)
	o := owner{kind.Name, kind, place, c.Free}
	if kind.Mark {
		s.all(markParts, o)
		return
	}
	s.units[perRow], s.units[per64Rows], s.units[per4096Rows] = n, (n+63)/64, (n+4095)/4096
	s.units[perPage] = min(n, s.units[perBlock])
	s.all(rowParts, o)
	for _, f := range kind.Fields {
		s.add(&Part{Name: f.Name, Field: f, Truth: true, Unit: f.Stride, per: perRow}, o)
	}
	s.all(blockParts, o)
}

func (s *survey) all(parts []Part, o owner) {
	for i := range parts {
		s.add(&parts[i], o)
	}
}

func (s *survey) add(p *Part, o owner) {
	n := s.units[p.per] * int64(p.Unit)
	if !o.free && p.counted() {
		s.counted = min(s.counted+n, buffer.MaxSize+1)
	}
	if s.parts != nil {
		named := *p
		named.Owner, named.Kind, named.Place, named.Free = o.name, o.kind, o.place, o.free
		named.at, named.size = int(s.size), int(n)
		s.parts = append(s.parts, named)
	}
	s.size = min((s.size+n+buffer.Align-1)&^(buffer.Align-1), buffer.MaxSize+1)
}

// total returns the bytes of what was gone through, or an error that wraps [ErrMemory].
func (s *survey) total(what string) (int, error) {
	if s.size > min(buffer.MaxSize, math.MaxInt) {
		return 0, &Error{ErrMemory, what, 0, int(min(s.size, math.MaxInt))}
	}
	return int(s.size), nil
}

func (a *Arena) words() int { return (len(a.sizes.Kinds) + 63) / 64 }

func checkCount(what string, n int) error {
	if n < 0 || n > MaxRows {
		return &Error{ErrCount, what, 0, n}
	}
	return nil
}

// Parts returns the parts of a's bytes, in order. The first call makes them, and makes all of them
// ready to be written.
func (a *Arena) Parts() []Part {
	a.viewing.Do(func() {
		a.memory.Open(0, len(a.Bytes))
		a.views = slices.Clone(a.layout())
		for i := range a.views {
			a.views[i].Bytes = a.part(&a.views[i])
		}
	})
	return a.views
}

// layout is Parts without the bytes, for all worlds that are [Arena.Like] a.
func (a *Arena) layout() []Part {
	a.naming.Do(a.listParts)
	return a.parts
}

func (a *Arena) listParts() {
	if a.parts != nil {
		return // Alike took over those of another world
	}
	most := len(worldParts) + len(objectParts) + 1 + len(a.Watchers)*len(watcherParts)
	for i := range a.Managers {
		most += len(rowParts) + len(a.Managers[i].Columns) + len(blockParts)
	}
	s := newSurvey(a.sizes.Objects, a.sizes.Pools)
	s.parts = make([]Part, 0, most)
	s.world(a)
	a.parts = s.parts
}

// part returns the bytes of a part of a layout, in place.
func (a *Arena) part(p *Part) []byte { return a.Bytes[p.at:][:p.size:p.size] }

// Used returns the bytes of a part that were ever used, in place. The part may be of any world that
// is [Arena.Like] a.
func (a *Arena) Used(p *Part) []byte { return a.part(p)[:a.used(p)] }

// Touched returns how many bytes of all parts were ever used.
func (a *Arena) Touched() (n int) {
	parts := a.layout()
	for i := range parts {
		n += a.used(&parts[i])
	}
	return n
}

func (a *Arena) used(p *Part) int {
	if p.whole() {
		return p.size
	}
	return min(a.units(p)*p.Unit, p.size) // less only where the counters lie
}

// units returns how many units of a part were ever used.
func (a *Arena) units(p *Part) int {
	objects := int(a.Objects.Count.High)
	switch p.per {
	case perObject:
		return objects
	case perBlock:
		return (objects + 63) / 64
	case perGroup:
		return (objects + 4095) / 4096
	case perPage:
		return int(a.Managers[p.Place].spare.High)
	}
	rows := int(a.Managers[p.Place].count.High)
	switch p.per {
	case per64Rows:
		return (rows + 63) / 64
	case per4096Rows:
		return (rows + 4095) / 4096
	}
	return rows
}

// wipe makes what is used of a part, the first n bytes aside, as if it had never been used.
func (a *Arena) wipe(p *Part, n int) {
	switch used := a.used(p); {
	case used <= n:
	case p.Field != nil && !p.Free:
		a.Managers[p.Place].Columns[p.Field.Index].FillRows(n/p.Unit, used/p.Unit)
	default:
		clear(a.part(p)[n:used])
	}
}

// clearRecords is clear for records of which few were ever written, if any.
func clearRecords[T comparable](records []T) {
	var zero T
	for i := range records {
		if records[i] != zero {
			records[i] = zero
		}
	}
}
