package systems

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/names"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// Counts is the capacity of a world. [CreateState] reserves all of it, once. A kind with a count
// takes its memory from the start, other kinds as it is used. Kinds need not list the kinds that
// Recipes, Queries and Watchers name, except to count them.
type Counts struct {
	GameObjects int            // alive at once; 0: the largest count, with uncounted kinds 2²⁰
	Committed   int            // objects whose memory is committed at creation; 0: on first use
	Kinds       []layout.Count // in numbering order; see [layout.Kinds] and [Counts.Complete]
	Recipes     []Recipe       // by which objects are spawned
	Queries     []Query        // planned at creation; others allocate in their first walk
	Walks       int            // of Queries, open at once, one inside the other; 0: 2, at most 8
	Tasks       int            // made at creation; 0: the first parallel jobs allocate
	Watchers    []Watcher      // that can look in this world, in any order
	InOrder     bool           // reuse indexes first in, first out, instead of last in, first out
	Commands    int            // recorded until [Apply], 40 bytes each; recording more allocates
	Names       int            // objects that have a name, about 100 bytes each; 0: no names
	Globals     int            // objects with a global id, about 60 bytes each; see world/pack
	Resources   []ResourceKind // singletons of the world
	Events      []EventCount   // with their rings and readers
	Seed        uint64         // of random numbers; 0: no random source, unless Random is set
	Random      bool           // a random source, whatever the Seed is
}

// freeObjects is the room for objects if neither they nor all kinds are counted. It is the same on
// every machine, because ids depend on it.
const freeObjects = 1 << 20

// maxTasks is the most tasks whose contexts are made at creation.
const maxTasks = 1 << 16

// Room returns the number of game objects that a world of these counts has room for, and all its
// kinds with their rows: the kinds of [Counts.Complete], and the kinds of data not attached to
// objects. The error wraps [ErrCount] or [ErrKindTwice].
func (c Counts) Room() (objects int, kinds []layout.Count, err error) {
	c = c.Complete()
	return c.room()
}

// room is Room for complete counts.
func (c *Counts) room() (objects int, kinds []layout.Count, err error) {
	rows, err := c.rows()
	objects = c.objects()
	kinds = slices.Concat(c.Kinds, rows, c.lists(objects))
	if err == nil {
		kinds = append(kinds, c.lasts(kinds)...)
	}
	for i := range kinds {
		if kinds[i].Free {
			kinds[i].Rows = objects
		}
	}
	if err == nil {
		err = c.placeByBlock(objects, kinds)
	}
	return objects, kinds, err
}

// sizes returns the sizes of a world of complete counts. It returns the errors of [CreateState].
func (c *Counts) sizes() (sizes manager.Sizes, err error) {
	if !buffer.LittleEndian() {
		return sizes, errByteOrder
	}
	objects, kinds, err := c.room()
	if err != nil {
		return sizes, err
	}
	if c.Tasks < 0 || c.Tasks > maxTasks || c.Walks < 0 || c.Walks > walk.Max {
		return sizes, fmt.Errorf("flatecs: Counts of %d Tasks and %d Walks: %w; "+
			"set 0 to %d, and 0 to %d", c.Tasks, c.Walks, ErrCount, maxTasks, walk.Max)
	}
	if c.Committed < 0 || c.Committed > max(objects, 0) {
		return sizes, fmt.Errorf("flatecs: Counts of %d Committed: %w; there is room for %d "+
			"GameObjects", c.Committed, ErrCount, objects)
	}
	recipes := map[string]bool{}
	for _, r := range c.Recipes {
		if recipes[r.String()] {
			return sizes, fmt.Errorf("flatecs: two of Counts.Recipes are called %s: %w "+
				"Give each a name of its own", layout.Quoted(r.String()), ErrKindTwice)
		}
		recipes[r.String()] = true
	}
	return manager.Sizes{
		Objects: objects, Pools: len(c.Recipes), InOrder: c.InOrder,
		Watchers: c.called(kinds), Kinds: kinds, Keyed: GlobalKind.Spec(),
	}, nil
}

// placeByBlock selects the kinds whose rows are by block: kinds of recipes with a row for every
// object, unless another rule places their rows, and kinds whose counts say so.
func (c *Counts) placeByBlock(objects int, kinds []layout.Count) error {
	for i := range kinds {
		n, k := &kinds[i], kinds[i].Kind.Spec()
		can := k != nil && !k.Mark && !n.Packed && !n.ByRow && k.Values == nil && k.Of == nil &&
			k.Beside == "" && k.Name != GlobalKind.Spec().Name && n.Rows >= objects
		if n.ByBlock && !can {
			return fmt.Errorf("flatecs: Count of %s, %d: %w ByBlock is for kinds of fields, not "+
				"packed, with a row for each of %d objects; leave it out",
				layout.Quoted(n.Kind.String()), n.Rows, ErrCount, objects)
		}
		n.ByBlock = n.ByBlock || can && slices.ContainsFunc(c.Recipes, func(r Recipe) bool {
			return slices.Contains(r.declared().kinds, n.Kind)
		})
	}
	return nil
}

// objects returns the number of game objects of c.
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

// Clone returns a copy of c that shares no list with it.
func (c Counts) Clone() Counts {
	n := c
	n.Kinds, n.Recipes = slices.Clone(c.Kinds), slices.Clone(c.Recipes)
	n.Watchers, n.Resources = slices.Clone(c.Watchers), slices.Clone(c.Resources)
	n.Events, n.Queries = slices.Clone(c.Events), slices.Clone(c.Queries)
	return n
}

// Complete returns a copy of c for the same worlds, with every kind that objects can have in Kinds.
// Kinds that c.Kinds does not list have room for every object. They follow in the order in which
// Recipes, Queries and Watchers first name them. A query names the kinds that it requires, by
// [Read], [Write], [With], [Only] or HasTarget; the other terms do not count, since they accept a
// world without the kind.
func (c Counts) Complete() Counts {
	c = c.Clone()
	if len(c.Recipes)+len(c.Queries)+len(c.Watchers) == 0 {
		return c
	}
	var listed []bool // by KindSpec.Number
	list := func(k *layout.KindSpec) (isNew bool) {
		if k == nil {
			return false
		}
		listed = kind.Grow(listed, k.Number)
		isNew, listed[k.Number] = !listed[k.Number], true
		return isNew
	}
	for _, k := range c.Kinds {
		list(k.Kind.Spec())
	}
	for k := range c.countedApart {
		list(k.Spec())
	}
	for k := range c.named {
		if list(k) {
			c.Kinds = append(c.Kinds, k.Handle().Counted())
		}
	}
	kind.Sort(c.Watchers, Watcher.before)
	return c
}

// countedApart yields the kinds of names, global ids, resources and events: each has its own count.
func (c *Counts) countedApart(yield func(Kind) bool) {
	more := yield(NameKind) && yield(GlobalKind)
	for _, r := range c.Resources {
		more = more && yield(r.kind)
	}
	for _, e := range c.Events {
		more = more && (e.events.spec == nil || yield(e.events.spec.kind))
	}
}

// named yields the kinds of recipes, and the kinds that queries and watchers require.
func (c *Counts) named(yield func(*layout.KindSpec) bool) {
	for _, r := range c.Recipes {
		for _, k := range r.declared().kinds {
			if !yield(k.Spec()) {
				return
			}
		}
	}
	for _, q := range c.Queries {
		for k := range q.declared().Required {
			if !yield(k) {
				return
			}
		}
	}
	for _, w := range c.Watchers {
		for k := range w.Query().declared().Required {
			if !yield(k) {
				return
			}
		}
	}
}

// rows returns the additional managers of c: names, resources, events.
func (c *Counts) rows() (list []layout.Count, err error) {
	for _, k := range c.Kinds {
		switch k.Kind {
		case NameKind:
			return nil, fmt.Errorf("flatecs: names are in Counts.Kinds: %w Set Counts.Names",
				ErrKindTwice)
		case GlobalKind:
			return nil, fmt.Errorf("flatecs: global ids are in Counts.Kinds: %w "+
				"Set Counts.Globals", ErrKindTwice)
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
			panic("flatecs: the zero ResourceKind; declare a resource by NewResource")
		}
		list = append(list, r.kind.Count(1))
	}
	for _, e := range c.Events {
		if err := e.validate(); err != nil {
			return nil, err
		}
		list = append(list, e.events.spec.kind.Count(e.capacity),
			e.cursors.kind.Count(1))
	}
	return list, nil
}

// resources returns the resources of c, internal ones included.
//
//go:noinline
func (c *Counts) resources() []ResourceKind {
	list := append([]ResourceKind(nil), c.Resources...)
	if c.Names != 0 {
		list = append(list, ResourceKind{names.Order})
	}
	if c.Random || c.Seed != 0 {
		list = append(list, randomness)
	}
	for _, n := range c.lists(0) {
		list = append(list, ResourceKind{n.Kind.Spec().Of.List.Free.Handle()})
	}
	return list
}

// lists returns the counts of the elements of all lists of c's kinds and resources.
//
//go:noinline
func (c *Counts) lists(objects int) (rows []layout.Count) {
	for i := range c.Kinds {
		rows = c.Kinds[i].AppendLists(rows, objects)
	}
	for _, r := range c.Resources {
		rows = layout.Count{Kind: r.kind, Rows: 1}.AppendLists(rows, objects)
	}
	return rows
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

// flat returns nil if a world of these counts has no data outside its bytes.
func (c Counts) flat() error {
	for _, k := range c.Complete().Kinds {
		if spec := k.Kind.Spec(); spec != nil && spec.Values != nil {
			return fmt.Errorf("flatecs: %s holds Go values, which are no bytes: %w; declare "+
				"its fields, or save the world with a Codec", layout.Quoted(spec.Name), ErrBytes)
		}
	}
	return nil
}

// A numbering is the kinds of a world before its creation.
type numbering []layout.Count

// Slot returns the number of a kind, or -1.
func (n numbering) Slot(k *layout.KindSpec) int {
	return slices.IndexFunc(n, func(c layout.Count) bool { return c.Kind.Spec() == k })
}

// name returns the name of the kind of a number.
func (n numbering) name(i int) string { return n[i].Kind.String() }

// called returns the description of each watcher in a world with these kinds. From the second
// watcher with the same description on, a number precedes it.
func (c *Counts) called(kinds numbering) []string {
	list, before := make([]string, len(c.Watchers)), map[string]int{}
	for i, w := range c.Watchers {
		text, err := w.called(kinds)
		if err != nil {
			continue // refused later
		}
		if list[i] = text; before[text] > 0 {
			list[i] = fmt.Sprintf("%d: %s", before[text], text)
		}
		before[text]++
	}
	return list
}

// keeps returns what each of the watchers keeps in a world with these kinds, or nil.
func (c *Counts) keeps(kinds numbering) []*manager.Keep {
	list := make([]*manager.Keep, len(c.Watchers))
	for i, name := range c.called(kinds) {
		if last := c.Watchers[i].spec.last; last != nil && name != "" {
			list[i] = last.called(name)
		}
	}
	return list
}

// lasts returns the additional managers of c's watchers, with a row for each object that can leave.
// A kind without a count has free room.
func (c *Counts) lasts(kinds numbering) (list []layout.Count) {
	objects := c.objects()
	for _, k := range c.keeps(kinds) {
		if k == nil {
			continue
		}
		room := layout.Count{Rows: objects, Free: true}
		for _, of := range k.Kinds() {
			if n := kinds[kinds.Slot(of)]; !n.Free && (room.Free || n.Rows < room.Rows) {
				room = layout.Count{Rows: min(n.Rows, objects)}
			}
		}
		for _, kind := range slices.Concat(k.Gone, k.Left) {
			room.Kind = kind.Handle()
			list = append(list, room)
		}
	}
	return list
}
