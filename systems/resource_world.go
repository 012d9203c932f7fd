package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/events"
	"github.com/flatecs/flatecs/systems/internal/names"
)

// fixtures are what a world has that is on no object. Their managers come after those of its kinds,
// and every row of them is in use: first the resources, then the rings of events.
type fixtures struct {
	counts    Counts
	resources int // managers of resources
	rings     []*events.Ring  // per number of an Events
	readers   []events.Reader // per number of an EventReader
	searches  *names.Lists
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
		if err := e.check(); err != nil {
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

// furnish takes every row of a new world's fixtures into use.
func (j *job) furnish(c *Counts) {
	j.counts, j.OnObjects, j.resources = c.Clone(), c.onObjects(), len(c.resources())
	for i := range j.Managers[j.OnObjects:] {
		m := &j.Managers[j.OnObjects+i]
		for range m.Cap() {
			_, _ = m.Create() // there is room
		}
	}
	j.addEvents()
	j.searches = names.NewLists(c.Names)
	if c.Seed != 0 {
		j.seed(c.Seed)
	}
}

// refurnish is furnish for a copy of a world.
func (j *job) refurnish(from *fixtures) {
	j.counts, j.resources = from.counts, from.resources
	j.OnObjects = from.counts.onObjects()
	j.addEvents()
	if m := j.Find(NameKind.Spec()); m != nil {
		j.searches = names.NewLists(m.Cap())
	}
}

// onObjects returns how many of a world's managers are of kinds that objects may have.
func (c *Counts) onObjects() int { return len(c.Kinds) + min(c.Names, 1) }

// root returns the context of the whole world.
func (j *job) root() *job {
	if j.whole != nil {
		return j.whole
	}
	return j
}

// outside panics in a task.
func (j *job) outside(what string) {
	if j.whole != nil {
		panic("systems: " + what)
	}
}

// resource returns the manager of a resource; it panics when the world has none.
func (j *job) resource(k *layout.KindSpec) *manager.Manager {
	r := j.root()
	if k != nil {
		if slot := j.Slot(k); uint(slot-j.OnObjects) < uint(r.resources) {
			return &j.Managers[slot]
		}
	}
	panic(noResource(k))
}

func noResource(k *layout.KindSpec) string {
	if k == nil {
		return "systems: this is a field of no kind; give it to NewResource"
	}
	return "systems: this world has no resource " + k.Name +
		"; declare it by NewResource, and add it to Counts.Resources"
}

// checkFixtures checks what loaded bytes say of what is on no object, and of names.
func (j *job) checkFixtures() error {
	for i := range j.Managers[j.OnObjects:] {
		if m := &j.Managers[j.OnObjects+i]; m.Live() != m.Cap() || m.Mounted() != 0 {
			return fmt.Errorf("systems: %s: %d rows in use and %d on objects, of %d; "+
				"give the same count as before", m.Kind.Name, m.Live(), m.Mounted(), m.Cap())
		}
	}
	if m := j.Find(NameKind.Spec()); m != nil {
		return names.Verify(m)
	}
	return nil
}
