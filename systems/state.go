package systems

import (
	"errors"
	"math"
	"sync/atomic"

	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/kind"
)

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

// A guard tells stale States from the valid one, and Writers that have ended from open ones.
//
//	state    1 ──Add──▶ 2 ──Move──▶ 3     the world's turn is 3: the states of 1 and 2 are stale
//	shape    1          2           2     Writers that were opened before Add have ended
type guard struct {
	Turn     uint64 // changes so far
	Shape    uint64 // the changes of structure among them
	invalid  any    // the panic value of calls that get a stale State
	readOnly any    // the panic value of calls that write, or nil: ErrReadOnly, or snapshotOnly
}

// ended is the turn of a closed world.
const ended = math.MaxUint64

const statesChecked = kind.StatesChecked

const (
	zeroState   = "flatecs: the zero State is not a world; call CreateState"
	usedUpState = "flatecs: this State is stale: an earlier call invalidated it; " +
		"write state = world.F(state, …)"
	closedState = "flatecs: this State was closed; use it before Close, or close later"
	lostState   = "flatecs: a function returned the zero State; return the one of its last call"

	snapshotOnly = "flatecs: this State is a snapshot's or a timeline's, which is only read; " +
		"restore it into a world, or Clone it"
	borrowedOnly = "flatecs: this world is over bytes that are only read; Clone it, and write " +
		"to the copy"
)

// ErrReadOnly is the panic value of writes to a world over borrowed memory.
var ErrReadOnly = errors.New(borrowedOnly)

func newState(j *job) State { return State{j, j.guard.Turn} }

// mustBeValid panics unless s is the valid State of its world. It makes no calls, so that it is
// inlined and needs no stack.
func (s State) mustBeValid() {
	if statesChecked && s.job == nil {
		panic(zeroState)
	}
	if statesChecked && s.turn != s.job.guard.Turn {
		panic(s.job.guard.invalid)
	}
}

// look returns the world for a call that only reads.
func (s State) look() *job {
	s.mustBeValid()
	if manager.LendsWatched {
		s.job.lent.Check()
	}
	return s.job
}

// use returns the world for a call that writes, which ends with State.done.
func (s State) use() *job {
	s.mustBeValid()
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

// returned returns s, which a function of the program returned. It panics if s is not valid.
func (s State) returned() State {
	if s.job == nil {
		panic(lostState)
	}
	return s
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
// Afterwards all calls work on the world again. Recovered checks the world's bytes, which takes as
// long as writing them. If the bytes are damaged, as after a panic within this library under -tags
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
		return s, nil // the bytes are shared with other worlds
	}
	if err := ToolsOf(s).Verify(); err != nil {
		const cure = "; close this world, and go on from a snapshot or a save"
		return s, placed("Recovered", err, cure)
	}
	return s, nil
}

// endAll ends the open walks, tasks and loops of a world.
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
		j.watchers[i].open = new(atomic.Int32) // for loops that were left open
	}
	j.again = false
	kin.Reset(j.world.kin)
	if j.guard.readOnly == nil {
		command.Drop(&j.records.commands, j.world.arena)
	}
}
