package systems

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/names"
)

// Counts says how much a world has room for. [CreateState] reserves all of it, at once and for
// good: what is counted takes memory from the start, room without a count as it is used.
type Counts struct {
	GameObjects int            // alive at once; 0: the largest count; beside free room at least 2²⁰
	Kinds       []layout.Count // numbered in this order; see [layout.Kinds]
	Recipes     []Recipe       // by which objects are spawned; others are refused
	Queries     []Query        // planned at once; others allocate in their first walk
	Walks       int            // of those, open at once, one inside the other; 0: 2, at most 8
	Tasks       int            // made ready at once; 0: the first jobs side by side allocate
	Watchers    []Watcher      // that hear what enters and leaves; others are refused
	InOrder     bool           // indexes are used again the first disposed first, not the last
	Commands    int            // recorded until [Apply], 40 bytes each; beyond, recording allocates
	Names       int            // objects that have a name, about 100 bytes each; 0: none may
	Resources   []ResourceKind // what the world has one of
	Events      []EventCount   // that the world remembers
	Seed        uint64         // of random numbers; 0: the world has none
}

// freeObjects is how many objects a world has room for, at least, that counts neither them nor all
// its kinds, on every machine: ids depend on it.
const freeObjects = 1 << 20

// maxTasks is the most tasks whose contexts are made at once.
const maxTasks = 1 << 16

// Room returns how many game objects a world of these counts has room for, and every kind that it
// has, with its rows: Counts.Kinds, and what is on no object. The error wraps [ErrCount] or
// [ErrKindTwice].
func (c Counts) Room() (objects int, kinds []layout.Count, err error) {
	rows, err := c.rows()
	objects, kinds = c.objects(), slices.Concat(c.Kinds, rows)
	for i := range kinds {
		if kinds[i].Free {
			kinds[i].Rows = objects
		}
	}
	return objects, kinds, err
}

// objects returns how many game objects c asks for.
func (c *Counts) objects() int {
	if c.GameObjects != 0 {
		return c.GameObjects
	}
	n := c.Names
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

// rows returns the managers that c asks for beside kinds: names, resources,
// events.
func (c *Counts) rows() (list []layout.Count, err error) {
	for _, k := range c.Kinds {
		if k.Kind == NameKind {
			return nil, fmt.Errorf("systems: names are in Counts.Kinds; set Counts.Names: %w",
				ErrKindTwice)
		}
	}
	if c.Names != 0 {
		list = append(list, NameKind.Count(c.Names))
	}
	for _, r := range c.resources() {
		if r.kind.Spec() == nil {
			panic("systems: the zero ResourceKind is no resource; declare one by NewResource")
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

// resources returns c's resources, those of other parts of the world among them.
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

// onObjects returns how many of a world's managers are of kinds that objects may have.
func (c *Counts) onObjects() int { return len(c.Kinds) + min(c.Names, 1) }
