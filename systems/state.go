package systems

import (
	"fmt"
	"math"
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
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
	Resources   []ResourceKind // singletons of the world
	Events      []EventCount   // with their rings and readers
	Seed        uint64         // of random numbers; 0: no random source
}

// freeObjects is the room for objects if neither they nor all kinds are counted. It is the same on
// every machine, because ids depend on it.
const freeObjects = 1 << 20

// maxTasks is the most tasks whose contexts are made at creation.
const maxTasks = 1 << 16

// A job is the context of one goroutine in a world.
type job struct {
	*manager.Arena
	guard
	recipes  []Recipe
	pools    []*pool // per number of a recipe
	plans    plans
	watchers []watch // per number of a watcher
	from, to uint32  // blocks that walks visit
	depth    int     // open walks
	again    bool    // steps are repeated
	whole    *job    // of a task: the world's context
	allowed  []Query // of a task: its queries
	walked   uint64  // of a task: a bit per allowed query that was walked
	set      taskSet
	commands commandBuffer
	past     past
	seen     seenList
	fixtures
	walks [maxWalks]*walk // one slot per nesting depth, made on first use
}

// CreateState allocates a world and sets its columns to the defaults. The error wraps [ErrCount],
// [ErrKinds], [ErrKindTwice], [ErrNoKind], or [ErrMemory].
func CreateState(c Counts) (State, error) {
	if !buffer.LittleEndian() {
		return State{}, errByteOrder
	}
	objects, kinds, err := c.Room()
	if err != nil {
		return State{}, err
	}
	if c.Tasks < 0 || c.Tasks > maxTasks || c.Walks < 0 || c.Walks > maxWalks {
		return State{}, fmt.Errorf("flatecs: Counts of %d Tasks and %d Walks; "+
			"count 0 to %d, and 0 to %d: %w", c.Tasks, c.Walks, maxTasks, maxWalks, ErrCount)
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

// equip makes everything of a new world that lies beside its bytes.
func (j *job) equip(c *Counts) (err error) {
	j.furnish(c)
	if j.commands, err = newCommandBuffer(c.Commands); err != nil {
		return err
	}
	if err := j.prepare(); err != nil {
		return err
	}
	if err := j.addRecipes(slices.Clone(c.Recipes)); err != nil {
		return err
	}
	return j.addWatchers(c.Watchers)
}

// Room returns the number of game objects that a world of these counts has room for, and all its
// kinds with their rows: Counts.Kinds, and data not attached to objects. The error wraps [ErrCount]
// or [ErrKindTwice].
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

// objects returns the number of game objects that c asks for.
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
	return &job{Arena: a, to: math.MaxUint32}
}

// prepare makes the plans of the built-in systems and of the queries in Counts, and the memory for
// their walks, so that no step allocates.
func (j *job) prepare() error {
	queries, walks := slices.Concat(j.counts.Queries, j.heroQueries()), j.counts.Walks
	if len(queries) > 0 {
		if err := j.plan(queries); err != nil {
			return err
		}
	}
	if walks == 0 && len(j.counts.Queries) > 0 {
		walks = 2
	}
	for i := range j.counts.Tasks {
		part := j.part(i)
		if err := part.commands.hold(firstCommands); err != nil {
			return err
		}
		j.set.jobs = append(j.set.jobs, part)
	}
	for _, context := range slices.Concat(j.set.jobs, []*job{j}) {
		for context.depth = range min(max(walks, 1), maxWalks) {
			for _, q := range queries {
				context.level(j.planOf(q.spec))
			}
		}
		context.depth = 0
	}
	return nil
}

// Clone returns a copy of the world and of its recorded commands; s is unchanged. What the values
// of a [layout.Values] kind point to is shared. The error wraps [ErrMemory] or [ErrWalking].
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
	j.commands.take(&from.commands)
	if err = j.prepare(); err == nil {
		err = j.addRecipes(from.recipes)
	}
	if err != nil {
		arena.Free()
		return State{}, err
	}
	return newState(j), nil
}

// Close releases the memory of a world. Its States, and columns and bytes that they returned, must
// not be used afterwards: in a world of more than 4 MB, reading them crashes the program. It panics
// while a walk is open.
func Close(s State) {
	if s.job != nil {
		s.job.seen = seenList{} // not relevant any more
	}
	j := s.use()
	j.still()
	j.end()
}

// end makes j a closed world, and releases its memory.
func (j *job) end() {
	memory := j.Arena
	none := &manager.Arena{Objects: &gameobject.Registry{}} // for handles that were kept
	*j = job{Arena: none, guard: guard{turn: ended}, depth: math.MaxInt, commands: closed()}
	memory.Free()
}

// Size returns the number of bytes reserved for the world. [Used] returns how many of them were
// used.
func Size(s State) int { return len(s.look().Bytes) }

// Used returns how many of the world's bytes were ever used. The others still have their initial
// values, and in free room no memory.
func Used(s State) int { return s.look().Touched() }

// Bytes returns the bytes of the world, in place. Treat them as read-only.
func Bytes(s State) []byte { return s.look().Bytes }

// find returns the manager of a kind that objects can have. It panics if the world does not have
// it.
func (j *job) find(k *layout.KindSpec) *manager.Manager { return &j.Managers[j.slot(k)] }

// alive returns nil if id names a live object.
func (j *job) alive(id gameobject.ID) error {
	if j.Objects.Alive(id) {
		return nil
	}
	return j.refuse(id)
}

//go:noinline
func (j *job) refuse(id gameobject.ID) error { return j.Refuse(j.Objects.Check(id), id) }

//go:noinline
func (j *job) noKind(k *layout.KindSpec, id gameobject.ID) error {
	if k == NameKind.Spec() {
		return errNoNames
	}
	return &manager.Error{Err: manager.ErrNoKind, Kind: k.Name, ID: id}
}
