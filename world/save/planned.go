package save

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

// A Report describes a loaded file, and how it differs from the program's declarations. Names are
// quoted by [layout.Quoted], because names in a file may be any bytes.
type Report struct {
	Tick      uint64
	Frame     uint64         // Options.Frame at saving
	Behaviour uint32         // Options.Behaviour at saving
	Counts    systems.Counts // of the world, with kept kinds and recipes
	Kept      []string       // kinds that the counts lack; objects still have them
	New       []string       // kinds, fields and parts that the file lacks
	Dropped   []string       // by Drop or DropFields; watchers and readers that the counts lack
	Migrated  []string       // fields and kinds that were migrated, by their migrations
	Unused    []string       // migrations that found nothing in the file
	Cleared   []string       // relations, with how many references to objects that died, now nobody
}

// A plan says what becomes of a file in a world. It follows from the file's header and from how
// much of the file's world was used, from the program's counts and its options.
type plan struct {
	header   *header
	used     used
	into     destination
	kinds    []kindPlan // per kind of the file
	recipes  []uint16   // per recipe of the file: its number in the world, plus 1; 0: none
	watchers []int      // per watcher of the file: the world's, or -1
	relaid   []relaid
	rings    []ring
	placed   systems.Counts // of a world whose rows lie as in the file
	moved    bool           // those of into place them otherwise
	report   Report
	budget   budget
}

// A destination is what a file is read into.
type destination struct {
	counts systems.Counts // complete; kinds and recipes that are kept follow
	asked  int            // Counts.GameObjects, as it was given
	spare  bool           // the counts are those of a world that is there
}

// A kindPlan says what becomes of a kind of the file.
type kindPlan struct {
	from    *FileKind
	rows    int         // of the file, ever used
	name    string      // in the program
	kind    layout.Kind // in the world; zero: none, or turned
	turned  layout.Kind // of another sort, in the world; zero: none
	columns []column    // per field of the file
	reset   bool        // rows that are not in use may not hold the defaults
}

// A relaid is the lists of a field whose elements are others in the program. They are read beside
// the world, and given to the lists, empty at first, when all else is there.
type relaid struct {
	kind, rows, free int // of the file: the lists', and those of their elements and free runs
	from, to         *layout.FieldSpec
	each             column // of an element
}

// A ring is events whose ring has another size in the world. It is read beside the world, and the
// newest events are moved into it.
type ring struct {
	layout.Count             // in the world
	readers      layout.Kind // of the world
	rows         uint64      // in the file
}

// byKind returns counts by their kinds.
func byKind(counts []layout.Count) map[layout.Kind]layout.Count {
	all := make(map[layout.Kind]layout.Count, len(counts))
	for _, c := range counts {
		all[c.Kind] = c
	}
	return all
}

// leftOut reports whether a part is of a kind that the world does not have.
func (p *plan) leftOut(of *part) bool {
	return of.owner == ofKind && p.kinds[of.of].kind.Spec() == nil
}

// fields yields the fields of the world's kinds that come from the file.
func (p *plan) fields(yield func(of *kindPlan, f *layout.FieldSpec) bool) {
	for i := range p.kinds {
		of := &p.kinds[i]
		if of.kind.Spec() == nil {
			continue
		}
		for _, f := range of.kind.Fields() {
			if !yield(of, f) {
				return
			}
		}
	}
}

// isRelaid reports whether a kind of the file has elements or free runs of lists that are relaid.
func (p *plan) isRelaid(kind int) bool {
	return slices.ContainsFunc(p.relaid, func(r relaid) bool {
		return r.rows == kind || r.free == kind
	})
}

// reportParts tells which parts of a field, which has a title, only the program has.
func (p *plan) reportParts(title string, parts []string) {
	for _, name := range parts {
		p.report.New = append(p.report.New, layout.Part{Name: name}.Within(title))
	}
}

// hasReader reports whether a field of a kind is the position of a reader of the program's events.
func (c *destination) hasReader(kind, field string) bool {
	return strings.HasPrefix(field, systems.ReadBy) && slices.ContainsFunc(c.counts.Events,
		func(e systems.EventCount) bool {
			_, readers := systems.EventKinds(e)
			return kind == readers.String()
		})
}

// findRings finds the events whose rings have another size in the world, which has kinds.
func (p *plan) findRings(world []layout.Count) error {
	for _, c := range world {
		i := slices.IndexFunc(p.kinds, func(k kindPlan) bool { return k.kind == c.Kind })
		if i < 0 || p.originOf(c) != ofEvents || p.kinds[i].rows == c.Rows {
			continue
		}
		r := ring{Count: c, rows: uint64(p.kinds[i].rows)}
		r.readers = p.kinds[p.header.indexOf(systems.ReadersOf+p.kinds[i].from.Name)].kind
		for _, f := range c.Kind.Fields() {
			if !p.budget.take(r.rows * uint64(f.Stride)) {
				return wrap(ErrTooLarge, "%d events of %s, after %d bytes of others; give its "+
					"Count as many", r.rows, layout.Quoted(c.Kind.String()), p.budget.taken)
			}
		}
		p.rings = append(p.rings, r)
	}
	return nil
}

// checkEvents refuses a kind that has events, or is of their readers, in one of the file and the
// program alone. Events that the program lacks are kept, as a kind of the file.
func (p *plan) checkEvents(in *kindPlan, c layout.Count) error {
	k, spec, of := in.from, c.Kind.Spec(), p.originOf(c)
	name, isReaders := strings.CutPrefix(k.Name, systems.ReadersOf)
	isEvents := p.header.hasEvents(name)
	there, here := sortOf(k.Mark, k.Values), sortOf(spec.Mark, spec.Values != nil)
	switch {
	case of == ofEvents && isReaders && in.rows != 1:
		return wrap(ErrImpossible, "%s has %d rows, not one", layout.Quoted(k.Name), in.rows)
	case of == ofEvents && (!isEvents || k.Mark || k.Values):
		here = "events"
	case of != ofEvents && isEvents && spec.Place == 0:
		if there = "events"; of == ofResource {
			here = "a resource"
		}
	default:
		return nil
	}
	return otherSort(k, there, here)
}

// checkRoom checks that the world has room for what was ever used.
func (p *plan) checkRoom(world *tool.Shape) error {
	if world.InOrder != p.header.inOrder {
		return wrap(ErrSchema, "Counts.InOrder was %v; set it so", p.header.inOrder)
	}
	counts := byKind(world.Kinds)
	for i := range p.kinds {
		k := &p.kinds[i]
		if k.kind.Spec() == nil {
			continue
		}
		if err := p.checkRows(counts[k.kind], k.rows); err != nil {
			return err
		}
	}
	return nil
}

// noRoomForObjects says how many objects there are, and who has said how many there may be.
func (p *plan) noRoomForObjects(room int) error {
	who, cure := "Counts.GameObjects has", "Raise Counts.GameObjects"
	if p.into.asked == 0 {
		who, cure = "the counts have", "Set Counts.GameObjects"
		for _, c := range p.into.counts.Kinds {
			if c.Rows == room && !c.Kind.Spec().Mark {
				who = "the largest of Counts.Kinds, " + layout.Quoted(c.Kind.String()) + ", has"
				break
			}
		}
	}
	if p.into.spare {
		who, cure = "the spare world has", "Make one with Counts.GameObjects raised"
	}
	return fmt.Errorf("save: the file has %d indexes of game objects, of which %d are alive "+
		"(those of a recipe come by blocks of 64), and %s room for %d: %w %s to %d at least",
		p.used.objects, p.used.live, who, room, systems.ErrTooMany, cure, p.used.objects)
}

// checkRows checks that a kind has room for its rows in the file.
func (p *plan) checkRows(c layout.Count, rows int) error {
	k := c.Kind
	of, name := p.originOf(c), layout.Quoted(k.String())
	switch {
	case of == ofResource && rows != c.Rows:
		return wrap(ErrSchema, "%s has %d rows in the file, and is a resource in the program, "+
			"with one; give one of them another name", name, rows)
	case of == ofEvents, rows <= c.Rows:
		return nil
	}
	if of == ofLists {
		name = "the elements of " + layout.Quoted(k.Spec().Of.String())
	}
	cure := map[origin]string{
		ofKinds: "Raise its Count in Counts.Kinds", ofNames: "Raise Counts.Names",
		ofGlobals: "Raise Counts.Globals", ofLists: "Raise the elements in the Count of the list",
		ofRoom: "Raise Counts.GameObjects",
	}[of]
	return fmt.Errorf("save: %s: %d rows are in use or reserved for recipes in the file, and "+
		"there is room for %d: %w %s to %d at least", name, rows, c.Rows, systems.ErrFull, cure,
		rows)
}

// An origin is the part of Counts that says how many rows a kind has.
type origin uint8

const (
	ofKinds origin = iota
	ofRoom         // as many as there are objects
	ofNames
	ofGlobals
	ofResource
	ofEvents
	ofLists
)

// originOf returns where the room of a kind of the world was said.
func (p *plan) originOf(c layout.Count) origin {
	k := c.Kind
	switch k {
	case systems.NameKind:
		return ofNames
	case systems.GlobalKind:
		return ofGlobals
	}
	for _, counted := range p.into.counts.Kinds {
		if counted.Kind != k {
			continue
		}
		if counted.Free {
			return ofRoom
		}
		return ofKinds
	}
	for _, e := range p.into.counts.Events {
		if ring, readers := systems.EventKinds(e); k == ring || k == readers {
			return ofEvents
		}
	}
	of := k.Spec().Of
	switch {
	case of != nil && k.Spec() != of.List.Free:
		return ofLists
	case p.header.isLast(&FileKind{Name: k.String(), Values: k.Spec().Values != nil}):
		return ofRoom
	}
	return ofResource
}
