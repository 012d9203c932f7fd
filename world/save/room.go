package save

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

// checkRoom checks that the world has room for what was ever used.
func (l *loader) checkRoom() error {
	shape := tool.ShapeOf(l.state)
	if shape.InOrder != l.header.inOrder {
		return wrap(ErrSchema, "Counts.InOrder was %v; set it so", l.header.inOrder)
	}
	counts := make(map[layout.Kind]layout.Count, len(shape.Kinds))
	for _, c := range shape.Kinds {
		counts[c.Kind] = c
	}
	for i := range l.turns {
		t := &l.turns[i]
		if k := t.count.Kind; !k.Spec().Mark {
			if err := l.checkRows(counts[k], t.rows); err != nil {
				return err
			}
		}
	}
	for i, k := range l.kinds {
		if k.Spec() == nil {
			continue
		}
		if err := l.checkRows(counts[k], int(l.rows[i])); err != nil {
			return err
		}
	}
	return nil
}

// noRoomForObjects says how many objects there are, and who has said how many there may be.
func (l *loader) noRoomForObjects(room int) error {
	who, cure := "Counts.GameObjects has", "Raise Counts.GameObjects"
	if l.asked == 0 {
		who, cure = "the counts have", "Set Counts.GameObjects"
		for _, c := range l.counts.Kinds {
			if c.Rows == room && !c.Kind.Spec().Mark {
				who = "the largest of Counts.Kinds, " + layout.Quoted(c.Kind.String()) + ", has"
				break
			}
		}
	}
	if l.spare {
		who, cure = "the spare world has", "Make one with Counts.GameObjects raised"
	}
	return fmt.Errorf("save: the file has %d indexes of game objects, of which %d are alive "+
		"(those of a recipe come by blocks of 64), and %s room for %d: %w %s to %d at least",
		l.objects, l.live, who, room, systems.ErrTooMany, cure, l.objects)
}

// checkRows checks that a kind has room for its rows in the file.
func (l *loader) checkRows(c layout.Count, rows int) error {
	k := c.Kind
	of, name := l.counted(c), layout.Quoted(k.String())
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

// counted returns where the room of a kind of the world was said.
func (l *loader) counted(c layout.Count) origin {
	k := c.Kind
	switch k {
	case systems.NameKind:
		return ofNames
	case systems.GlobalKind:
		return ofGlobals
	}
	for _, counted := range l.counts.Kinds {
		if counted.Kind != k {
			continue
		}
		if counted.Free {
			return ofRoom
		}
		return ofKinds
	}
	for _, e := range l.counts.Events {
		if ring, readers := systems.EventKinds(e); k == ring || k == readers {
			return ofEvents
		}
	}
	of := k.Spec().Of
	switch {
	case of != nil && k.Spec() != of.List.Free:
		return ofLists
	case l.header.isLast(&FileKind{Name: k.String(), Values: k.Spec().Values != nil}):
		return ofRoom
	}
	return ofResource
}
