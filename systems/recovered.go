package systems

import (
	"math"
	"sync/atomic"

	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/flatecs/flatecs/systems/internal/kin"
)

// Recovered returns a valid State of a world after a panic that the program recovered from, or
// after a system ended its goroutine. s is any State of the world, used up or not. The changes of
// all calls that returned before the panic stay. The others are completed or undone:
//
//   - Walks end as by return. Writers, batches and loops from before end too.
//   - [SpawnN] leaves no new object, and [UpdateValues] the values that its function returned.
//   - Recorded commands are dropped, and the ids that they returned are replaced by [Nobody].
//   - [Watcher.Notify] has looked: listeners that were not called yet are not called later.
//   - Steps of a history are not resimulated any more: restore the frame that you want.
//
// The world can be read, saved, cloned, restored, changed and closed then. Recovered checks its
// bytes, which takes as long as writing them. The error, with a valid State, says what is wrong
// with them, as after a panic within this library under -tags ecsdebug: close the world, and go on
// from a snapshot or a save. Recovered panics for the zero State, for a closed world, and while the
// world's tasks run: recover around [RunTasks], which returns or panics when all have ended.
func Recovered(s State) (State, error) {
	if s.job == nil || s.job.root().Closed {
		s.panicUsed()
	}
	j := s.job.root()
	if j.side != nil && j.side.running {
		panic("flatecs: Recovered while tasks of the world run; recover around the call that " +
			"runs them, when all have ended")
	}
	endAll(j)
	j.arrive(0)
	j.guard.Turn, j.guard.Shape = j.guard.Turn+1, j.guard.Shape+1
	s = newState(j)
	if j.guard.Frozen {
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
	kin.Reset(j.kin)
	if !j.guard.Frozen {
		command.Drop(&j.commands, j.Arena)
	}
}
