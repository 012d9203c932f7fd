package systems

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/names"
)

// Counts says how much a world has room for. [CreateState] reserves all of it, once. Counted room
// takes memory from the start; room without a count takes memory as it is used.
type Counts struct {
	GameObjects int            // alive at once; 0: the largest count, with uncounted kinds 2²⁰
	Kinds       []layout.Count // in numbering order; see [layout.Kinds]
	Recipes     []Recipe       // that objects are spawned by
	Queries     []Query        // planned at creation; others allocate in their first walk
	Walks       int            // of Queries, open at once, one inside the other; 0: 2, at most 8
	Tasks       int            // made at creation; 0: the first parallel jobs allocate
	Watchers    []Watcher      // that can look in this world
	InOrder     bool           // reuse indexes first in, first out, instead of last in, first out
	Commands    int            // recorded until [Apply], 40 bytes each; recording more allocates
	Names       int            // objects that have a name, about 100 bytes each; 0: no names
	Globals     int            // objects with a global id, about 60 bytes each; see world/pack
	Resources   []ResourceKind // singletons of the world
	Events      []EventCount   // with their rings and readers
	Seed        uint64         // of random numbers; 0: no random source
}

// freeObjects is the room for objects if neither they nor all kinds are counted. It is the same on
// every machine, because ids depend on it.
const freeObjects = 1 << 20

// maxTasks is the most tasks whose contexts are made at creation.
const maxTasks = 1 << 16

// Room returns the number of game objects that a world of these counts has room for, and all its
// kinds with their rows: Counts.Kinds, and data not attached to objects. The error wraps [ErrCount]
// or [ErrKindTwice].
func (c Counts) Room() (objects int, kinds []layout.Count, err error) {
	rows, err := c.rows()
	objects, kinds = c.objects(), slices.Concat(c.Kinds, rows)
	if err == nil {
		kinds = append(kinds, c.lasts(kinds)...)
	}
	for i := range kinds {
		if kinds[i].Free {
			kinds[i].Rows = objects
		}
	}
	return objects, kinds, err
}

// objects returns the number of game objects that c asks for.
func (c *Counts) objects() int {
	if c.GameObjects != 0 {
		return c.GameObjects
	}
	n := max(c.Names, c.Globals)
	for _, k := range c.Kinds {
		if k.Free {
			n = max(n, freeObjects)
		}
		if spec := k.Kind.Spec(); spec != nil && !spec.Mark {
			n = max(n, k.Rows)
		}
	}
	return n
}

// Clone returns counts that share no list with c.
func (c Counts) Clone() Counts {
	n := c
	n.Kinds, n.Recipes = slices.Clone(c.Kinds), slices.Clone(c.Recipes)
	n.Watchers, n.Resources = slices.Clone(c.Watchers), slices.Clone(c.Resources)
	n.Events, n.Queries = slices.Clone(c.Events), slices.Clone(c.Queries)
	return n
}

// rows returns the additional managers that c asks for: names, resources, events.
func (c *Counts) rows() (list []layout.Count, err error) {
	for _, k := range c.Kinds {
		switch k.Kind {
		case NameKind:
			return nil, fmt.Errorf("flatecs: names are in Counts.Kinds; set Counts.Names: %w",
				ErrKindTwice)
		case GlobalKind:
			return nil, fmt.Errorf("flatecs: global ids are in Counts.Kinds; "+
				"set Counts.Globals: %w", ErrKindTwice)
		}
	}
	if c.Names != 0 {
		list = append(list, NameKind.Count(c.Names))
	}
	if c.Globals != 0 {
		list = append(list, GlobalKind.Count(c.Globals))
	}
	for _, r := range c.resources() {
		if r.kind.Spec() == nil {
			panic("flatecs: the zero ResourceKind is no resource; declare one by NewResource")
		}
		list = append(list, r.kind.Count(1))
	}
	for _, e := range c.Events {
		if err := e.validate(); err != nil {
			return nil, err
		}
		list = append(list, e.events.spec.kind.Count(e.capacity),
			e.events.spec.cursors.Count(1+len(e.readers)))
	}
	return list, nil
}

// resources returns the resources of c, internal ones included.
func (c *Counts) resources() []ResourceKind {
	list := append([]ResourceKind(nil), c.Resources...)
	if c.Names != 0 {
		list = append(list, ResourceKind{names.Order})
	}
	if c.Seed != 0 {
		list = append(list, randomness)
	}
	return list
}

// onObjects returns the number of managers of kinds that objects can have.
func (c *Counts) onObjects() int {
	n := len(c.Kinds)
	for _, count := range [...]int{c.Names, c.Globals} {
		if count != 0 {
			n++
		}
	}
	return n
}
