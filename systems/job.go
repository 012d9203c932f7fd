package systems

import (
	"math"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/flatecs/flatecs/systems/internal/index"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/names"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/walk"
)

// A job is the view of a world that one goroutine uses: the whole world, or a task's part of it.
type job struct {
	world    world // the world's bytes
	finding  finding
	guard    guard
	part     part // of a task
	walks    walk.Walks
	records  records
	lent     manager.Lent
	sets     kind.Sets // of kinds with which objects were created
	planting planting

	// Of the whole:
	past     manager.Past
	watchers watches
	again    bool // steps are repeated
	made     []madeBlock
	given    []filled // see spawning; both are reused
	side     *side    // made when tasks first run
}

// root returns the context of the whole world.
func (j *job) root() *job {
	if j.part.whole != nil {
		return j.part.whole
	}
	return j
}

func newJob(a *manager.Arena) *job {
	j := &job{guard: guard{invalid: usedUpState}, finding: finding{
		a.Objects.Generations, a.Objects.Words(), a.Places, nil,
	}}
	j.walks = walk.Walks{Objects: a.Objects, To: math.MaxUint32}
	j.setArena(a)
	return j
}

// setArena sets the arena of j's world, without fixtures.
func (j *job) setArena(a *manager.Arena) {
	j.world = world{
		arena: a, kinds: kind.Table{Arena: a}, plans: &query.Plans{}, orders: index.New(a),
		fixtures: &fixtures{}, recorded: &j.records.commands,
	}
	j.records.kinds = &j.world.kinds
}

// equip creates everything outside a new world's bytes, except its fixtures.
func (j *job) equip(c *Counts) (err error) {
	if j.records.commands, err = command.New(c.Commands); err != nil {
		return err
	}
	if err := j.prepare(); err != nil {
		return err
	}
	return j.watchers.add(&j.world, c.Watchers)
}

// prepare finds the relations and recipes, plans the queries in Counts, and allocates the memory
// for their walks, so that no step allocates. The contexts of tasks share the results.
func (j *job) prepare() error {
	if err := j.world.resolve(); err != nil {
		return err
	}
	c := &j.world.fixtures.counts
	queries, walks := c.Queries, c.Walks
	specs := make([]*query.Spec, len(queries))
	for i, q := range queries {
		specs[i] = q.declared()
	}
	if len(specs) > 0 {
		if err := j.world.plans.Make(&j.world.kinds, specs...); err != nil {
			return err
		}
	}
	if walks == 0 && len(queries) > 0 {
		walks = 2
	}
	contexts := []*job{j}
	if c.Tasks > 0 {
		contexts = append(contexts, j.sideBySide(c.Tasks).jobs...)
	}
	for _, part := range contexts[1:] {
		if err := part.records.commands.Hold(command.First); err != nil {
			return err
		}
	}
	for _, context := range contexts {
		for _, q := range specs {
			p, n := j.world.plans.Of(&j.world.kinds, q), min(max(walks, 1), walk.Max)
			context.walks.Ready(p, n, j.world.kin != nil)
		}
	}
	return nil
}

// useFixtures finds the fixtures, and takes all of their rows into use.
func (j *job) useFixtures(c *Counts) {
	j.findFixtures(c)
	w := &j.world
	for i := range w.always() {
		m := &w.always()[i]
		for range m.Rows.Cap() {
			_, _ = m.Create() // there is room
		}
	}
	w.startLists()
	if c.Random || c.Seed != 0 {
		w.seed(c.Seed)
	}
}

// findFixtures is useFixtures for the bytes of an existing world.
func (j *job) findFixtures(c *Counts) {
	x := j.world.fixtures
	x.counts, x.resources, x.searches = *c, len(c.resources()), names.NewLists(c.Names)
	j.split(c)
	j.world.addEvents()
}

// split separates the managers of kinds that objects can have. Fields of the others have no place
// for access by id, and references of relations have none for writing.
func (j *job) split(c *Counts) {
	n := c.onObjects()
	j.world.kinds.OnObjects = n
	for i := range j.world.arena.Managers[n:] {
		for _, f := range j.world.arena.Managers[n+i].Kind.Fields {
			j.finding.places[f.Number] = nil
		}
	}
	j.finding.written = slices.Clone(j.finding.places)
	for i, p := range j.finding.places {
		if p != nil && p.Field.Relation != nil {
			j.finding.written[i] = nil
		}
	}
}

// end makes j a closed world, and releases its memory.
func (j *job) end() {
	memory, kin, orders := j.world.arena, j.world.kin, j.world.orders
	j.past.Unwatch()
	none := &manager.Arena{Objects: &gameobject.Registry{}} // for handles that are used after Close
	*j = job{
		guard: guard{Turn: ended, Shape: ended, invalid: closedState},
		walks: walk.Walks{Objects: none.Objects, Depth: math.MaxInt, Writes: math.MaxUint64},
	}
	j.setArena(none)
	j.world.pools.closed, j.records.commands = true, command.Refusing(kind.Closed)
	memory.Free()
	kin.Free()
	orders.Free()
}

// besideBytes lists the data outside a world's bytes that are valid only for these bytes. All other
// data outside the bytes depend on the world's shape, are scratch between two calls, or belong to
// the program, such as listeners: see beside_test.go, which names each.
//
//	versions   managers count writes and changes of structure; lists of relations, levels, data of
//	           walks about trees, indexes, and moments of package tool are valid for one count
//	past       up to which tick which copies are equal to the world
//	commands   since when columns may hold recorded ids; objects that the last Apply created
//	shown      columns that View returned, with hashes, in builds with -tags ecsdebug
var besideBytes = [...]struct {
	name   string
	forget func(j *job, since uint64)
}{
	{"versions", func(j *job, _ uint64) { j.world.arena.Overwritten() }},
	{"past", func(j *job, since uint64) { j.past.Cut(since) }},
	{"commands", func(j *job, _ uint64) { j.records.commands.Forget() }},
	{"shown", func(j *job, _ uint64) { j.lent = manager.Lent{} }},
}

// arrive resets the data of besideBytes. Every function that replaces the bytes calls it: Restore,
// Take for the State of its snapshot, Clone, Resized, and the functions of package tool and of
// worlds over memory that other programs write. The new bytes differ from the old ones in writes at
// tick since or later; with 0, anywhere.
func (j *job) arrive(since uint64) {
	for i := range besideBytes {
		besideBytes[i].forget(j, since)
	}
}
