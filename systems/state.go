package systems

import (
	"fmt"
	"math"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/past"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/seen"
	"github.com/flatecs/flatecs/systems/internal/structure"
	"github.com/flatecs/flatecs/systems/internal/turn"
	"github.com/flatecs/flatecs/systems/internal/walk"
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

// A job is a world as one goroutine sees it.
type job struct {
	kind.Table
	guard    turn.Guard
	pools    []*structure.Pool // per number of a recipe
	poolList []*structure.Pool // in the order of recipes
	plans    *walk.Plans
	walks    walk.Walks
	watchers []watch  // per number of a watcher
	again    bool     // steps are taken again
	whole    *job     // of a task: the context that it is a part of
	allowed  []Query  // of a task: what it may walk
	walked   uint64   // of a task: a bit per allowed query
	tasks    *tasksOf // made when tasks first run
	commands command.Buffer
	past     past.Past
	seen     seen.List
	fixtures
}

// CreateState allocates a world and fills its columns with the defaults. The error wraps
// [ErrCount], [ErrKinds], [ErrKindTwice], [ErrNoKind], or [ErrMemory].
func CreateState(c Counts) (State, error) {
	if !buffer.LittleEndian() {
		return State{}, errByteOrder
	}
	objects, kinds, err := c.Room()
	if err != nil {
		return State{}, err
	}
	if c.Tasks < 0 || c.Tasks > maxTasks || c.Walks < 0 || c.Walks > walk.Max {
		return State{}, fmt.Errorf("systems: Counts of %d Tasks and %d Walks; "+
			"count 0 to %d, and 0 to %d: %w", c.Tasks, c.Walks, maxTasks, walk.Max, ErrCount)
	}
	arena, err := manager.NewArena(manager.Sizes{
		Objects: objects, Pools: len(c.Recipes), InOrder: c.InOrder,
		Watchers: len(c.Watchers), Kinds: kinds,
	})
	if err != nil {
		return State{}, err
	}
	j := newJob(arena)
	if err := j.equip(&c); err != nil {
		arena.Free()
		return State{}, err
	}
	return newState(j), nil
}

// equip makes what lies beside the bytes of a new world.
func (j *job) equip(c *Counts) (err error) {
	j.furnish(c)
	if j.commands, err = command.New(c.Commands); err != nil {
		return err
	}
	if err := j.prepare(); err != nil {
		return err
	}
	if err := j.addRecipes(); err != nil {
		return err
	}
	return j.addWatchers(c.Watchers)
}

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

func newJob(a *manager.Arena) *job {
	return &job{
		Table: kind.Table{Arena: a}, plans: &walk.Plans{},
		walks: walk.Walks{Objects: a.Objects, To: math.MaxUint32},
	}
}

// prepare makes the plans of the built-in systems and of the queries in Counts, and what walks of
// them need, so that none of their steps allocates.
func (j *job) prepare() error {
	queries, walks := slices.Concat(j.counts.Queries, j.heroQueries()), j.counts.Walks
	specs := make([]*query.Spec, len(queries))
	for i, q := range queries {
		specs[i] = q.declared()
	}
	if len(specs) > 0 {
		if err := j.plans.Make(&j.Table, specs...); err != nil {
			return err
		}
	}
	if walks == 0 && len(j.counts.Queries) > 0 {
		walks = 2
	}
	contexts := []*job{j}
	if j.counts.Tasks > 0 {
		contexts = append(contexts, j.sideBySide(j.counts.Tasks).parts...)
	}
	for _, part := range contexts[1:] {
		if err := part.commands.Hold(command.First); err != nil {
			return err
		}
	}
	for _, context := range contexts {
		for _, q := range specs {
			context.walks.Ready(j.plans.Of(&j.Table, q), min(max(walks, 1), walk.Max))
		}
	}
	return nil
}

// Clone returns a copy of the world, and of the commands recorded for it, in memory of its own; s
// stays as it is. What the values of a [layout.Values] kind point to is shared. The error wraps
// [ErrMemory] or [ErrWalking].
func Clone(s State) (State, error) {
	from := s.look()
	if from.fixed() {
		return State{}, ErrWalking
	}
	arena, err := from.Clone()
	if err != nil {
		return State{}, err
	}
	j := newJob(arena)
	j.refurnish(&from.fixtures)
	j.copyWatchers(from.watchers)
	j.commands.CopyFrom(&from.commands)
	if err = j.prepare(); err == nil {
		err = j.addRecipes()
	}
	if err != nil {
		arena.Free()
		return State{}, err
	}
	return newState(j), nil
}

// Close ends a world and gives its memory back. Its states may not be used again, and neither may
// the columns and bytes that they handed out: of a world of more than 4 MB they are no memory of
// this program any more, and to read them ends it. It panics while a walk is open.
func Close(s State) {
	if s.job != nil {
		s.job.seen = seen.List{} // it is of no matter any more
	}
	j := s.use()
	j.still()
	j.end()
}

// end makes j no world any more, and gives its memory back.
func (j *job) end() {
	memory := j.Arena
	none := &manager.Arena{Objects: &gameobject.Registry{}} // for handles that were kept
	*j = job{
		Table: kind.Table{Arena: none, Closed: true}, guard: turn.Guard{Turn: turn.Ended},
		plans: &walk.Plans{}, walks: walk.Walks{Objects: none.Objects, Depth: math.MaxInt},
		commands: command.Refusing(kind.Closed),
	}
	memory.Free()
}

// Size returns the bytes that are reserved for the world, all that it will ever take. [Used] says
// how much of them it took.
func Size(s State) int { return len(s.look().Bytes) }

// Used returns how many of the world's bytes were ever used. The others hold what they held when
// it was created, and in free room have no memory.
func Used(s State) int { return s.look().Touched() }

// Bytes returns the bytes of the world, in place. Treat them as read-only, and ask again after a
// change of structure: changes of several objects in a row are carried out together, before the
// next call of another sort.
func Bytes(s State) []byte { return s.look().Bytes }

// alive returns nil when id names a live object.
func (j *job) alive(id gameobject.ID) error {
	if j.Objects.Alive(id) {
		return nil
	}
	return j.refuse(id)
}

//go:noinline
func (j *job) refuse(id gameobject.ID) error { return j.Refuse(j.Objects.Check(id), id) }

// fixed reports whether the world's structure has to stay as it is.
func (j *job) fixed() bool { return j.walks.Depth != 0 || j.whole != nil }

// free panics when an open walk writes a field.
func (j *job) free(f *layout.FieldSpec) {
	if j.walks.Depth != 0 && j.walks.Holds(f) {
		panic("systems: field " + f.Name + " of kind " + f.Kind.Name +
			" is written by a walk that is open; " +
			"reach it through the walk's batches, or end the walk first")
	}
}

// own is free for what is about to be written: a task writes through batches alone.
func (j *job) own(f *layout.FieldSpec) {
	if j.free(f); j.whole != nil {
		panic("systems: field " + f.Name + " of kind " + f.Kind.Name +
			" is written by id or row in a task; " +
			"write it through a query's batches")
	}
}

// still panics when the world's structure has to stay as it is.
func (j *job) still() {
	if j.fixed() {
		panic(ErrWalking.Error())
	}
}

// CountsOf returns the counts that s was made with.
func CountsOf(s State) Counts { return s.look().counts.Clone() }

// Clone returns counts that share no list with c.
func (c Counts) Clone() Counts {
	n := c
	n.Kinds, n.Recipes = slices.Clone(c.Kinds), slices.Clone(c.Recipes)
	n.Watchers, n.Resources = slices.Clone(c.Watchers), slices.Clone(c.Resources)
	n.Events, n.Queries = slices.Clone(c.Events), slices.Clone(c.Queries)
	return n
}
