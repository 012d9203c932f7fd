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
	Cleared   []string       // relations, and how many references to dead objects became nobody
}

// A plan says how the contents of a file go into a world. It depends on the file's header, on the
// used part of the file's world, and on the program's counts and options.
type plan struct {
	counted  kindCounts // the Kinds of into.counts
	header   *header
	used     used
	into     destination
	kinds    []kindPlan // per kind of the file
	recipes  []uint16   // per recipe of the file: its number in the world, plus 1; 0: none
	watchers []int      // per watcher of the file: the world's, or -1
	relaid   []relaid
	rings    []ring
	placed   systems.Counts // counts that place rows as the file does
	moved    bool           // the destination's counts place them differently
	report   Report
	budget   budget
}

// A destination is the world that a file is read into.
type destination struct {
	counts systems.Counts // complete, but without kept kinds and recipes
	asked  int            // Counts.GameObjects, as it was given
	spare  bool           // the counts belong to an existing world
}

// A kindPlan says how one kind of the file goes into the world.
type kindPlan struct {
	from    *FileKind
	rows    int         // ever used, in the file
	name    string      // in the program
	kind    layout.Kind // in the world; zero: none, or turned
	turned  layout.Kind // the kind of another sort in the world; zero: none
	columns []column    // per field of the file
	reset   bool        // unused rows may not hold the defaults
}

// A relaid is the lists of a field whose element type has changed. They are read beside the world.
// The lists of the world start empty and get their elements at the end.
type relaid struct {
	kind, rows, free int // kinds of the file: lists, elements, free runs
	from, to         *layout.FieldSpec
	each             column // of one element
}

// A ring is a ring of events whose size differs in the world. It is read beside the world, and its
// newest events are moved into the world.
type ring struct {
	layout.Count             // in the world
	readers      layout.Kind // of the world
	rows         uint64      // in the file
}

type kindCounts = map[layout.Kind]layout.Count

func byKind(counts []layout.Count) kindCounts {
	all := make(kindCounts, len(counts))
	for _, c := range counts {
		all[c.Kind] = c
	}
	return all
}

// leftOut reports whether a part belongs to a kind that the world lacks.
func (p *plan) leftOut(of *part) bool {
	return of.owner == ofKind && p.kinds[of.of].kind.Spec() == nil
}

// fields yields the fields of the world's kinds that are read from the file.
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

// isRelaid reports whether a kind of the file stores elements or free runs of converted lists.
func (p *plan) isRelaid(kind int) bool {
	return slices.ContainsFunc(p.relaid, func(r relaid) bool {
		return r.rows == kind || r.free == kind
	})
}

// reportParts adds the parts of a field that only the program has to the report.
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

// findRings finds the events whose rings differ in size from the world's kinds.
func (p *plan) findRings(world []layout.Count) error {
	counts := byKind(world)
	for i := range p.kinds {
		c, ok := counts[p.kinds[i].kind]
		if !ok || p.originOf(c) != ofEvents || p.kinds[i].rows == c.Rows {
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

// checkEvents refuses a kind that stores events, or the positions of readers, either only in the
// file or only in the program. Events that the program lacks are kept, like other kinds of the
// file.
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

// checkRoom checks that the world has room for all rows and objects ever used.
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

// noRoomForObjects returns an error that says how many objects there are, and which count limits
// them.
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

// An origin is the part of Counts that determines the number of rows of a kind.
type origin uint8

const (
	ofKinds origin = iota
	ofRoom         // as many as objects
	ofNames
	ofGlobals
	ofResource
	ofEvents
	ofLists
)

// originOf returns the part of Counts that determines the room of a kind of the world.
func (p *plan) originOf(c layout.Count) origin {
	k := c.Kind
	switch k {
	case systems.NameKind:
		return ofNames
	case systems.GlobalKind:
		return ofGlobals
	}
	if counted, ok := p.counted[k]; ok {
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
	case p.header.roles.last[k.String()]:
		return ofRoom
	}
	return ofResource
}
