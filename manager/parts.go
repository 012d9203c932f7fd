package manager

import (
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
)

// Offset returns where the part begins in the world's bytes.
func (p *Part) Offset() int { return p.at }

const (
	perPart   extent = iota
	perPool          // of objects in slabs
	perSize          // of pages
	perObject        // this and the extents below are used up to a high-water mark
	perEight         // of 8 objects, and 8 for each block
	perBlock         // of 64 objects
	perGroup         // of 64 blocks
	perRow
	per64Rows
	perSlot // of keys
	perPage
	perPage4
	perPage16

	extents = iota
)

// The parts, in the order in which a survey visits them and carve cuts them.
var (
	worldParts = []Part{{Name: "tick", Truth: true, Unit: 8}}

	// Small parts come first, so that a few objects need few pages.
	registryParts = []Part{
		{Name: "counters", Truth: true, Unit: 40},
		{Name: "recipes", Unit: 12, per: perPool},
		{Name: "groups", Unit: 16, per: perGroup},
	}

	objectParts = []Part{
		{Name: "generations", Truth: true, Unit: 4, per: perObject},
		{Name: "next", Truth: true, Unit: 4, per: perObject},
		{Name: "alive", Truth: true, Unit: 8, per: perBlock},
		{Name: "owners", Truth: true, Unit: 2, per: perBlock},
		{Name: "spawned", Truth: true, Unit: 8, per: perBlock},
	}

	markParts = []Part{
		{Name: "counters", Truth: true, Unit: 40},
		{Name: "groups", Unit: 16, per: perGroup},
		{Name: "blocks", Truth: true, Unit: 32, per: perBlock},
	}

	rowParts = []Part{
		{Name: "counters", Truth: true, Unit: 40},
		{Name: "groups", Unit: 16, per: perGroup},
		{Name: "bases", Truth: true, Unit: 4, per: perBlock},
		{Name: "objects", Truth: true, Unit: 4, per: perRow},
		{Name: "links", Truth: true, Unit: 4, per: perRow},
		{Name: "changed", Truth: true, Unit: 8, per: per64Rows},
		{Name: "mounted", Truth: true, Unit: 8, per: per64Rows},
	}

	byBlockParts = []Part{
		{Name: "counters", Truth: true, Unit: 40},
		{Name: "groups", Unit: 16, per: perGroup},
		{Name: "blocks", Truth: true, Unit: 32, per: perBlock},
		{Name: "changed", Truth: true, Unit: 8, per: per64Rows},
		{Name: "homes", Truth: true, Unit: 4, per: per64Rows},
	}

	blockParts = []Part{ // behind the columns
		{Name: "blocks", Unit: 32, per: perBlock},
		{Name: "pages of 4", Unit: 16, per: perPage4},
		{Name: "pages of 16", Unit: 64, per: perPage16},
		{Name: "pages of 64", Unit: 256, per: perPage},
		{Name: "spare pages", Unit: 8, per: perSize},
	}

	keyParts = []Part{ // last, of a keyed kind
		{Name: "slots", Unit: 4, per: perSlot},
		{Name: "keys", Unit: 8},
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

// counted reports whether the part is a column or per-row part of a counted kind, whose memory is
// committed from the start.
func (p *Part) counted() bool {
	return !p.Free && (p.per == perRow || p.per == per64Rows)
}

// ofKinds reports whether the part is derived from which objects have which kinds.
func (p *Part) ofKinds() bool {
	return p.Kind == nil && p.Owner == "world" && (p.per == perBlock || p.per == perEight)
}

// isTurns reports whether the part holds the ticks of the recipes' last spawn or disposal.
func (p *Part) isTurns() bool { return p.Name == "turns" && p.Owner == "world" }

// whole reports whether all of a part counts as used.
func (p *Part) whole() bool { return p.per < perObject }

// A partOwner is the owner of several parts: a kind, a watcher, the objects.
type partOwner struct {
	name  string
	kind  *layout.KindSpec
	place int
	free  bool // without a count
}

// A survey visits the parts of a world in order. It adds up their sizes, and lists them if parts is
// not nil.
type survey struct {
	units [extents]int64   // number of units per extent
	size  int64            // bytes so far, with padding; above buffer.MaxSize: too large
	parts []Part           // or nil
	keyed *layout.KindSpec // or nil

	counted int64 // bytes that are committed from the start
}

func newSurvey(objects, pools int) (s survey) {
	blocks := (objects + 63) / 64
	groups := (blocks + 63) / 64
	s.units[perPart], s.units[perSize] = 1, pageSizes
	s.units[perPool] = int64(pools)
	s.units[perObject], s.units[perEight] = int64(objects), int64(blocks*8)
	s.units[perBlock], s.units[perGroup] = int64(blocks), int64(groups)
	return s
}

// world visits the parts of a whole world.
func (s *survey) world(a *Arena) {
	s.keyed = a.sizes.Keyed
	of := partOwner{name: "world"}
	objects := partOwner{name: "game objects"}
	s.all(worldParts, of)
	s.all(registryParts, objects)
	if n := a.sizes.Pools; n > 0 {
		s.add(&Part{Name: "turns", Unit: 8, per: perPool}, of)
		s.add(&Part{Name: "room", Unit: 8 * n, per: perGroup}, objects)
	}
	s.all(objectParts, objects)
	s.add(&Part{Name: "kinds per block", Unit: 8 * wordsOf(a), per: perBlock}, of)
	if hasEights(a) {
		s.add(&Part{Name: "kinds per 8 objects", Unit: 8 * wordsOf(a), per: perEight}, of)
	}
	for i, n := range a.sizes.Kinds {
		s.kind(n, i)
	}
	for i, name := range a.sizes.Watchers {
		s.all(watcherParts, partOwner{name: "watcher " + name, place: i})
	}
}

// kind visits the region of one kind.
func (s *survey) kind(c layout.Count, place int) {
	kind, n := c.Kind.Spec(), int64(c.Rows)
	o := partOwner{kind.Name, kind, place, c.Free}
	if kind.Mark {
		s.all(markParts, o)
		return
	}
	s.units[perRow], s.units[per64Rows] = n, (n+63)/64
	pages := min(n, s.units[perBlock])
	s.units[perPage], s.units[perPage4], s.units[perPage16] = pages, pages, pages
	before, after := rowParts, blockParts
	if c.ByBlock {
		before, after = byBlockParts, nil
	}
	s.all(before, o)
	for _, f := range kind.Fields {
		s.add(&Part{Name: f.Name, Field: f, Truth: true, Unit: f.Stride, per: perRow}, o)
	}
	s.all(after, o)
	if kind == s.keyed {
		s.units[perSlot] = keySlots(n)
		s.all(keyParts, o)
	}
}

func (s *survey) all(parts []Part, o partOwner) {
	for i := range parts {
		s.add(&parts[i], o)
	}
}

func (s *survey) add(p *Part, o partOwner) {
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

func wordsOf(a *Arena) int { return (len(a.sizes.Kinds) + 63) / 64 }

// hasEights reports whether the world records kinds per 8 objects: in a world of more than 64
// kinds, a block may have many more kinds than each of its objects.
func hasEights(a *Arena) bool { return wordsOf(a) > 1 }

func checkCount(what string, n int) error {
	if n < 0 || n > MaxRows {
		return &Error{ErrCount, what, 0, n}
	}
	return nil
}

// Parts returns the parts of a's bytes, in order. The first call builds the list and makes all
// parts writable.
func (a *Arena) Parts() []Part {
	a.list.viewing.Do(func() {
		a.memory.Open(0, len(a.Bytes))
		a.list.views = slices.Clone(a.layout())
		for i := range a.list.views {
			a.list.views[i].Bytes = bytesOf(a, &a.list.views[i])
		}
	})
	return a.list.views
}

// layout is Parts without the bytes. Worlds that are [Arena.Like] a share it.
func (a *Arena) layout() []Part {
	a.list.naming.Do(func() { listParts(a) })
	return a.list.parts
}

func listParts(a *Arena) {
	if a.list.parts != nil {
		return // already shared by Alike
	}
	most := len(worldParts) + len(registryParts) + len(objectParts) + 4 +
		len(a.Watchers)*len(watcherParts) + len(keyParts)
	for i := range a.Managers {
		most += len(rowParts) + len(a.Managers[i].Data.Columns) + len(blockParts)
	}
	s := newSurvey(a.sizes.Objects, a.sizes.Pools)
	s.parts = make([]Part, 0, most)
	s.world(a)
	a.list.parts = s.parts
}

// bytesOf returns the bytes of a part, in place.
func bytesOf(a *Arena, p *Part) []byte { return a.Bytes[p.at:][:p.size:p.size] }

// Used returns the used bytes of a part, in place. The part may come from any world that is
// [Arena.Like] a.
func (a *Arena) Used(p *Part) []byte { return bytesOf(a, p)[:usedOf(a, p)] }

const page4K = 4 << 10 // bytes

// Resident returns the number of bytes of the 4 KB pages that hold used bytes or rows of a counted
// kind: the machine's memory that the world uses.
func (a *Arena) Resident() int {
	parts, pages, next := a.layout(), 0, 0
	for i := range parts {
		p := &parts[i]
		n := usedOf(a, p)
		if p.counted() {
			n = p.size
		}
		if n > 0 {
			end := (p.at + n + page4K - 1) / page4K
			pages += max(0, end-max(next, p.at/page4K))
			next = max(next, end)
		}
	}
	return min(pages*page4K, len(a.Bytes))
}

func usedOf(a *Arena, p *Part) int {
	switch p.per {
	case perSlot:
		return p.within(len(a.Managers[p.Place].Keys.table()))
	case perPage:
		return p.within(int(a.Managers[p.Place].Blocks.pages.spare[ofPlaces].High))
	case perPage4:
		return p.within(int(a.Managers[p.Place].Blocks.pages.spare[ofFour].High))
	case perPage16:
		return p.within(int(a.Managers[p.Place].Blocks.pages.spare[of16].High))
	}
	rows := 0
	if p.Kind != nil {
		rows = int(a.Managers[p.Place].count.High)
	}
	return p.UsedOf(int(a.Objects.Count.High), rows)
}

// within returns the bytes of n units, at most the bytes of the part: counters may hold anything.
func (p *Part) within(n int) int { return max(0, min(n*p.Unit, p.size)) }

// UsedOf returns the used bytes of a part, other than pages and slots, in a world that used that
// many indexes of objects and rows of the part's kind.
func (p *Part) UsedOf(objects, rows int) int {
	switch p.per {
	case perObject:
		return p.within(objects)
	case perEight:
		return p.within((objects + 63) / 64 * 8)
	case perBlock:
		return p.within((objects + 63) / 64)
	case perGroup:
		return p.within((objects + 4095) / 4096)
	case perRow:
		return p.within(rows)
	case per64Rows:
		return p.within((rows + 63) / 64)
	}
	return p.size
}

// wipe resets the used bytes of a part behind the first n to their initial state.
func wipe(a *Arena, p *Part, n int) {
	switch used := usedOf(a, p); {
	case used <= n:
	case p.Field != nil && !p.Free:
		a.Managers[p.Place].Data.Columns[p.Field.Index].FillRows(n/p.Unit, used/p.Unit)
	default:
		clear(bytesOf(a, p)[n:used])
	}
}

// clearRecords is clear for mostly zero records: it writes only the records that are not zero.
func clearRecords[T comparable](records []T) {
	var zero T
	for i := range records {
		if records[i] != zero {
			records[i] = zero
		}
	}
}

// keySlots returns the number of slots for the keys of rows: a power of 2, at most half of which
// are in use after Keys.rebuild.
func keySlots(rows int64) int64 {
	n := int64(4)
	for n < 2*rows {
		n *= 2
	}
	return n
}

// fewer is what limits the number of pages of each size.
const fewer = "64 objects or row, whichever are fewer"

// Per names the unit of the part: "object", "64 rows"; "" for the world.
func (p *Part) Per() string {
	return [...]string{
		perPart: "", perPool: "recipe", perSlot: "slot",
		perObject: "object", perEight: "8 objects",
		perBlock: "64 objects", perGroup: "4,096 objects", perRow: "row",
		per64Rows: "64 rows",
		perSize:   "size", perPage: fewer, perPage4: fewer, perPage16: fewer,
	}[p.per]
}
