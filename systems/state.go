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

// Counts says how much a world has room for. Everything is allocated from it, once, by
// [CreateState] and never grows: choose counts that are large enough.
type Counts struct {
	GameObjects int // objects alive at once; 0: as many as the largest of the other counts
	Positions   int
	Velocities  int
	Flies       int
	Instances   int            // 0: as many as GameObjects
	Kinds       []layout.Count // of your own kinds, numbered in this order; a mark takes no rows
	Recipes     []Recipe       // by which objects are spawned
	Queries     []Query        // planned at once, so that not even their first walk allocates
	Walks       int            // of those, open at once, one inside the other; 0: 2, at most 8
	Tasks       int            // made ready at once, so that not even the first RunTasks allocates
	Watchers    []Watcher      // that hear what enters and leaves
	InOrder     bool           // indexes are used again the first disposed first, not the last
	Commands    int            // recorded until [Apply], 40 bytes each; room grows with them
	Names       int            // objects that have a name; about 100 bytes each
	Resources   []ResourceKind // what the world has one of
	Events      []EventCount   // that the world remembers
	Seed        uint64         // of random numbers; 0: the world has none
}

// maxTasks is the most tasks whose contexts are made at once.
const maxTasks = 1 << 16

// A job is a world as one goroutine sees it.
type job struct {
	*manager.Arena
	guard
	positions  manager.Positions
	velocities manager.Velocities
	flies      manager.Flies
	instances  manager.Instances
	recipes    []Recipe
	pools      []*pool // per number of a recipe
	plans      plans
	watchers   []watch // per number of a watcher
	from, to   uint32  // blocks that walks see
	depth      int     // walks open
	again      bool    // steps are taken again
	whole      *job    // of a task: the context that it is a part of
	allowed    []Query // of a task: what it may walk
	walked     uint64  // of a task: a bit per allowed query
	set        taskSet
	commands   commandBuffer
	past       past
	seen       seenList
	fixtures
	walks [maxWalks]*walk // a slot per nesting depth, made when first used
}

// CreateState allocates a world and fills its columns with the defaults. The error wraps
// [ErrCount], [ErrKinds], [ErrKindTwice], [ErrNoKind], [ErrMemory] or [ErrByteOrder].
func CreateState(c Counts) (State, error) {
	if !buffer.LittleEndian() {
		return State{}, ErrByteOrder
	}
	kinds, err := CountedKinds(c)
	if err != nil {
		return State{}, err
	}
	arena, err := manager.NewArena(manager.Sizes{
		Objects: c.objects(), Pools: len(c.Recipes), InOrder: c.InOrder,
		Watchers: len(c.Watchers), Kinds: kinds,
	})
	if err != nil {
		return State{}, err
	}
	if c.Tasks < 0 || c.Tasks > maxTasks || c.Walks < 0 {
		return State{}, fmt.Errorf("systems: Counts of %d Tasks and %d Walks; "+
			"count 0 to %d, and 0 to %d: %w", c.Tasks, c.Walks, maxTasks, maxWalks, ErrCount)
	}
	j := newJob(arena)
	j.furnish(&c)
	if j.commands, err = newCommandBuffer(c.Commands); err != nil {
		return State{}, err
	}
	if err := j.prepare(); err != nil {
		return State{}, err
	}
	if err := j.addRecipes(slices.Clone(c.Recipes)); err != nil {
		return State{}, err
	}
	if err := j.addWatchers(c.Watchers); err != nil {
		return State{}, err
	}
	return newState(j), nil
}

// CountedKinds returns every kind that a world of these counts has, and its rows: Counts.Kinds, the
// built-in ones, and what is on no object. The error wraps [ErrCount] or [ErrKindTwice].
func CountedKinds(c Counts) ([]layout.Count, error) {
	instances := c.Instances
	if instances == 0 {
		instances = c.objects()
	}
	rows, err := c.rows()
	return slices.Concat(c.Kinds, []layout.Count{
		manager.PositionKind.Count(c.Positions), manager.VelocityKind.Count(c.Velocities),
		manager.FlyKind.Count(c.Flies), manager.InstanceKind.Count(instances),
	}, rows), err
}

// CountedObjects returns how many game objects a world of these counts has room for.
func CountedObjects(c Counts) int { return c.objects() }

// objects returns how many game objects c asks for.
func (c *Counts) objects() int {
	if c.GameObjects != 0 {
		return c.GameObjects
	}
	n := max(c.Positions, c.Velocities, c.Flies, c.Instances, c.Names)
	for _, k := range c.Kinds {
		if spec := k.Kind.Spec(); spec != nil && !spec.Mark {
			n = max(n, k.Rows)
		}
	}
	return n
}

func newJob(a *manager.Arena) *job {
	j := &job{
		Arena: a, to: math.MaxUint32, fixtures: fixtures{kinds: kindsIn(a)},
		positions:  manager.PositionsOf(a.Find(manager.PositionKind.Spec())),
		velocities: manager.VelocitiesOf(a.Find(manager.VelocityKind.Spec())),
		flies:      manager.FliesOf(a.Find(manager.FlyKind.Spec())),
		instances:  manager.InstancesOf(a.Find(manager.InstanceKind.Spec())),
	}
	return j
}

// heroQueries are those of the built-in systems, the one that asks for most last.
var heroQueries = []Query{UpdateQuery, instanced, singly, MoveQuery, FlyQuery}

// prepare makes the plans of the built-in systems and of the queries in Counts, and what walks of
// them need, so that none of their steps allocates. A world without positions never runs the
// built-in systems.
func (j *job) prepare() error {
	queries, walks := j.counts.Queries, j.counts.Walks
	if j.positions.Cap() > 0 {
		queries = slices.Concat(queries, heroQueries)
	}
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
	j.commands.take(&from.commands)
	if err := j.prepare(); err != nil {
		return State{}, err
	}
	return newState(j), j.addRecipes(from.recipes)
}

// Close ends a world. Its states may not be used again. It panics while a walk is open.
func Close(s State) {
	if s.job != nil {
		s.job.seen = seenList{} // it is of no matter any more
	}
	j := s.use()
	j.still()
	none := &manager.Arena{Objects: &gameobject.Registry{}} // for handles that were kept
	*j = job{Arena: none, guard: guard{turn: ended}, depth: math.MaxInt, commands: closed()}
}

// Verify checks everything that the world's bytes say twice, such as who has a component and which
// rows are free, and returns an error that names the first place where it differs. It is slow and
// allocates: for tests, tools and loaded bytes.
func Verify(s State) error { return s.look().Verify() }

// Size returns the bytes of the world, all that it will ever take.
func Size(s State) int { return len(s.look().Bytes) }

// Bytes returns the bytes of the world, in place. Treat them as read-only, and ask again after a
// change of structure: changes of several objects in a row are carried out together, before the
// next call of another sort.
func Bytes(s State) []byte { return s.look().Bytes }

// find returns the manager of a kind that objects may have; it panics when the world has none.
func (j *job) find(k *layout.KindSpec) *manager.Manager { return &j.Managers[j.slot(k)] }

// alive returns nil when id names a live object.
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
