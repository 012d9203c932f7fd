package systems

import (
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/flatecs/flatecs/systems/internal/index"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/names"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/structure"
	"github.com/flatecs/flatecs/systems/internal/walk"
	"github.com/flatecs/flatecs/systems/internal/work"
)

const lostState = "flatecs: a function returned the zero State; return the one of its last call"

// A State is a whole world. A system takes one and returns it, like append: a function that returns
// a State may write in place, and afterwards only the returned State is valid, also if it comes
// with an error. A call that returns an error changes nothing. Using a stale State panics, except
// in builds with -tags ecsrelease. The zero State is not a world.
//
// Calls that return no State leave the State valid: calls that read, [Record], [WriterOf], and
// walks such as [Query.In]. Ids, rows and Writers stay valid too, because walks and Writers change
// no structure; they write only the fields that the query or WriterOf names. A system that only
// walks returns the State that it was given.
//
// While no goroutine changes the world, several may read it at once: by id, by row, and by
// [Query.Count], [Query.Objects], [Query.First], [Query.Matches], [Digest] and the like. Walks,
// [Record] and snapshots belong to one goroutine.
type State struct {
	job  *job
	turn uint64 // turn of the job when this State was returned
}

// A job is a world as one goroutine sees it: the whole, or a task's part of it.
type job struct {
	world    world // what it is
	finding  finding
	guard    guard
	part     part // of a task
	walks    walk.Walks
	records  records
	lent     manager.Lent
	sets     kind.Sets // of kinds that objects were created with
	planting planting

	// Of the whole:
	past     manager.Past
	watchers watches
	again    bool // steps are taken again
	made     []madeBlock
	given    []filled // see spawning; both are used again
	side     *side    // made when tasks first run
}

// A world is what its bytes are, and what was found in them once. Tasks have a copy.
type world struct {
	arena    *manager.Arena
	kinds    kind.Table
	pools    pools
	plans    *query.Plans
	kin      *kin.World // nil: no relations
	orders   *index.World
	fixtures *fixtures
	recorded *command.Buffer // of the whole
}

// Records are the commands that a goroutine records.
type records struct {
	commands command.Buffer
	kinds    *kind.Table
	parent   layout.FieldValue // of the seed that is recorded
	unfilled []byte            // of the values of its recipe's kinds, in commands
}

// A planting is the tree that is spawned.
type planting struct {
	seeds   []kin.Seed
	further []*manager.Manager // kinds of seeds beside those of recipes
	beside  kin.Beside         // of SpawnTree
}

// Watches are the watchers of a world, by number.
type watches []watch

// A guard tells stale states from the valid one, and Writers that have ended from those that are
// open.
//
//	state    1 ──Add──▶ 2 ──Move──▶ 3     the world's turn is 3: the states of 1 and 2 are stale
//	shape    1          2           2     Writers that were opened before Add have ended
type guard struct {
	Turn     uint64 // changes so far
	Shape    uint64 // of them, those of structure
	invalid  any    // what calls panic with that get another State than the valid one
	readOnly any    // what calls panic with that write, or nil: ErrReadOnly, or snapshotOnly
}

// ended is the turn of a world that was closed.
const ended = math.MaxUint64

const statesChecked = kind.StatesChecked

// A part is what a task does, and where it does it.
type part struct {
	whole            *job // whose part it is; nil: the job is the whole
	systems          []func(State) State
	names            []string // of them, or shorter
	runs             int      // which of them
	allowed          []Query  // that they may walk
	walked           uint64   // a bit per allowed query
	strand           int      // the first task of the same system
	beside           uint64   // kinds that some task may write, by query.MaskOf
	first, end, fuse uint32   // as in a Task
}

// A side is the parts that run side by side.
type side struct {
	jobs    []*job
	set     work.Set
	run     func(task int) // made once, as is wrong
	wrong   func(task int, fault any) any
	running bool
	claims  claims
	written query.Written // by their queries, while they run
}

// claims say which task writes rows of which kind by id, so that no two stamp the same rows.
type claims struct {
	sync.Mutex
	list []claim
}

type claim struct {
	kind *manager.Manager
	job  *job // of the task
}

// pools are the world's recipes.
type pools struct {
	numbered []*structure.Pool // per number of a recipe
	counted  []*structure.Pool // in the order of the counts
	closed   bool              // the world is
}

// fixtures are a world's data not attached to objects. Their managers come after those of its
// kinds, and all their rows are in use: first the resources, then the rings of events.
type fixtures struct {
	counts    Counts       // that the world was made with
	resources int          // managers of resources
	rings     []*ring      // per number of an Events
	readers   []ringReader // per number of an EventReader
	searches  *names.Lists
}

// A ring is the events of one type in one world. Event n, counted from 0, is in row n modulo rows:
//
//	event   4   5   6   7   8   9     the last 6 of 10 events; where the next goes, 4 is lost
//	row     4   5   0   1   2   3     a reader that is done with 7 of the 10 receives 7, 8, 9
//
// In the one row of cursors are sent, 10; oldest, 0; and how many each reader is done with.
type ring struct {
	rows    *manager.Manager // one per event
	cursors *manager.Manager
	sent    *uint64 // number of events sent
	oldest  *uint64 // first one that may be in a row, whatever there is room for
	keepers []*EventKeeper
}

// A ringReader is one of a ring's.
type ringReader struct {
	ring *ring
	read *uint64 // number of events read
}

// A watch is a watcher in one world.
type watch struct {
	*manager.Watcher
	slot      int    // among Counts.Watchers
	called    string // its name, and its rules by the names of kinds
	listeners []*listener
	open      *atomic.Int32 // loops over what the last look found, of several goroutines at once
}

type listener struct {
	enter, leave func(State, GameObject) State
	off          bool
}

// A madeBlock is new objects of a block, a bit each.
type madeBlock struct {
	objects uint64
	block   uint32
}

// A filled is a reference that fill wrote.
type filled struct {
	relation *kin.Lists
	from, to GameObject
}

const (
	zeroState   = "flatecs: the zero State is not a world; call CreateState"
	usedUpState = "flatecs: this State is stale: an earlier call invalidated it; " +
		"write state = world.F(state, …)"
	closedState = "flatecs: this State was closed; use it before Close, or close later"
)

const snapshotOnly = "flatecs: this State is a snapshot's or a timeline's, which is only read; " +
	"restore it into a world, or Clone it"

// ErrReadOnly is the panic value of writes to a world over borrowed memory.
var ErrReadOnly = errors.New(borrowedOnly)

const borrowedOnly = "flatecs: this world is over bytes that are only read; Clone it, and write " +
	"to the copy"

func newState(j *job) State { return State{j, j.guard.Turn} }

// check panics unless s is the valid State of its world. It calls nothing, so that it is inlined
// and the compiler keeps nothing on the stack for it.
func (s State) check() {
	if statesChecked && s.job == nil {
		panic(zeroState)
	}
	if statesChecked && s.turn != s.job.guard.Turn {
		panic(s.job.guard.invalid)
	}
}

// look returns the world for a call that only reads.
func (s State) look() *job {
	s.check()
	if manager.LendsWatched {
		s.job.lent.Check()
	}
	return s.job
}

// use returns the world for a call that writes, which ends with State.done.
func (s State) use() *job {
	s.check()
	if statesChecked && s.job.guard.readOnly != nil {
		panic(s.job.guard.readOnly)
	}
	if manager.LendsWatched {
		s.job.lent.Check()
		s.job.past.Called()
	}
	return s.job
}

// done returns the State after a change of values.
func (s State) done() State {
	s.job.guard.Turn++
	return State{s.job, s.job.guard.Turn}
}

// reshaped returns the State after a change of structure, which ends the Writers.
func (s State) reshaped() State {
	s.job.guard.Shape++
	if manager.LendsWatched {
		s.job.world.arena.CheckFreed()
	}
	return s.done()
}

// returned returns s, which a function of the program returned. It panics if that is not a valid
// State.
func (s State) returned() State {
	if s.job == nil {
		panic(lostState)
	}
	return s
}

// root returns the context of the whole world.
func (j *job) root() *job {
	if j.part.whole != nil {
		return j.part.whole
	}
	return j
}

// alive returns nil if id names a live object.
func (w *world) alive(id gameobject.ID) error {
	if w.arena.Objects.Alive(id) {
		return nil
	}
	return w.refuse(id)
}

//go:noinline
func (w *world) refuse(id gameobject.ID) error {
	err := w.arena.Refuse(w.arena.Objects.Check(id), id)
	if statesChecked && id.Recorded() && id.Origin() != gameobject.Members { // a release is small
		return &placedError{prefix + fateOf(w.recorded, id), err}
	}
	return err
}

// A finding is what finds the values of objects by id, in one world.
//
//	id ──▶ generations: is it alive?         field ──▶ places ──▶ Place: is a walk writing it?
//	   └─▶ Place's block of the object: has it the component, and in which row?
type finding struct {
	generations []uint32         // of the objects, by index
	alive       []uint64         // a bit per object, 64 to a word
	places      []*manager.Place // by FieldSpec.Number
	written     []*manager.Place // the same of fields that Set writes; of a task none
}

// has reports whether index i exists and has the generation of id. Those that are alive or will be
// next have it: a component tells that an object is alive.
func (f *finding) has(i uint, id GameObject) bool {
	return i < uint(len(f.generations)) && f.generations[i] == id.Generation()
}

// isAlive reports whether id names a live object.
func (f *finding) isAlive(id GameObject) bool {
	i := uint(uint32(id)) // by hand, so that Alive is inlined
	return i < uint(len(f.generations)) && uint64(f.generations[i]) == uint64(id)>>32 &&
		f.alive[i>>6]>>(i&63)&1 != 0
}

// placeOf returns the place of a field that may be read by id, or nil where locate must look.
func (j *job) placeOf(f *layout.FieldSpec) *manager.Place {
	if n := uint(f.Number); n < uint(len(j.finding.places)) {
		if p := j.finding.places[n]; p != nil && (j.walks.Writes|j.part.beside)&p.Mask == 0 {
			return p
		}
	}
	return nil
}

// placeToWrite is placeOf for a field that is written by id.
func (j *job) placeToWrite(f *layout.FieldSpec) *manager.Place {
	if n := uint(f.Number); n < uint(len(j.finding.written)) {
		if p := j.finding.written[n]; p != nil && j.walks.Writes&p.Mask == 0 {
			return p
		}
	}
	return nil
}

// Recovered returns a valid State of a world after a panic that the program recovered from, or
// after a system ended its goroutine. s may be stale. The changes of all calls that returned before
// the panic stay. The others are completed or undone:
//
//   - Open walks end as by return; Writers and batches become invalid.
//   - [SpawnN] leaves no new object.
//   - Recorded commands are dropped, and the ids that they returned are replaced by [Nobody].
//   - [Watcher.Notify] has looked: listeners that were not called yet are not called later.
//   - A history stops resimulating: restore the frame that you want.
//
// All calls work on the world then. Recovered checks the world's bytes, which takes as long as
// writing them. If the bytes are damaged, as after a panic within this library under -tags
// ecsdebug, it returns a valid State and an error: close the world, and continue from a snapshot or
// a save. Recovered panics for the zero State, for a closed world, and while the world's tasks run:
// recover around [RunTasks], which returns or panics when all have ended.
func Recovered(s State) (State, error) {
	if s.job == nil {
		panic(zeroState)
	}
	j := s.job.root()
	if j.guard.Turn == ended {
		panic(closedState)
	}
	if j.side != nil && j.side.running {
		panic("flatecs: Recovered while tasks of the world run; recover around the call that " +
			"runs them, when all have ended")
	}
	endAll(j)
	j.arrive(0)
	j.guard.Turn, j.guard.Shape = j.guard.Turn+1, j.guard.Shape+1
	s = newState(j)
	if j.guard.readOnly != nil {
		return s, nil // its bytes are not of this world alone
	}
	if err := ArenaOf(s).Verify(); err != nil {
		const cure = "; close this world, and go on from a snapshot or a save"
		return s, placed("Recovered", err, cure)
	}
	return s, nil
}

// endAll ends what was under way in a world.
func endAll(j *job) {
	j.walks.Abandon()
	j.walks.From, j.walks.To = 0, math.MaxUint32
	if j.side != nil {
		for _, task := range j.side.jobs {
			task.walks.Abandon()
			task.guard.Shape++ // ends its Writers
		}
	}
	for i := range j.watchers {
		j.watchers[i].open = new(atomic.Int32) // of loops that were left open
	}
	j.again = false
	kin.Reset(j.world.kin)
	if j.guard.readOnly == nil {
		command.Drop(&j.records.commands, j.world.arena)
	}
}
