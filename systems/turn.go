package systems

import (
	"github.com/flatecs/flatecs/systems/internal/seen"
	"github.com/flatecs/flatecs/systems/internal/turn"
)

// A State is a whole world. A system takes one and returns it, with the contract of append: what
// returns a State may write in place, and from then on only the returned State is valid, also when
// it comes with an error. A call that is refused changes nothing, and returns the State that it
// was given. A State that was used up panics, which -tags ecsrelease leaves unchecked. The zero
// State is no world.
//
// While nobody changes the world, several goroutines may read it at once: by id, by row, and by
// [Query.Count], [Query.Objects], [Query.First], [Query.Matches], [Digest] and the like. Walks,
// [Record] and snapshots belong to one goroutine.
type State struct {
	job  *job
	turn uint64 // of the job, when this State was returned
}

const snapshotOnly = "systems: this State is a snapshot's, which is only read; " +
	"restore it into a world, or Clone it"

func newState(j *job) State { return State{j, j.guard.Turn} }

// look returns the world for a call that reads.
func (s State) look() *job {
	if turn.Checked && (s.job == nil || s.turn != s.job.guard.Turn) {
		s.refuse()
	}
	if seen.Watching {
		s.job.seen.Check()
	}
	return s.job
}

// use returns the world for a call that writes, and is [State.done] when it has.
func (s State) use() *job {
	if turn.Checked && (s.job == nil || s.turn != s.job.guard.Turn || s.job.guard.Frozen) {
		s.refuse()
	}
	if seen.Watching {
		s.job.seen.Check()
	}
	return s.job
}

// done returns the State after a change.
func (s State) done() State {
	s.job.guard.Turn++
	return State{s.job, s.job.guard.Turn}
}

// kept returns s, which a function of the program returned. It panics when that is no State.
func (s State) kept() State {
	if s.job == nil {
		panic(lostState)
	}
	return s
}

//go:noinline
func (s State) refuse() {
	switch {
	case s.job == nil:
		panic("systems: the zero State is no world; make one with CreateState")
	case s.job.guard.Turn == turn.Ended:
		panic("systems: this State was closed; use it before Close, or close later")
	case s.turn != s.job.guard.Turn:
		panic("systems: this State was used up by an earlier call; " +
			"write state = systems.F(state, …)")
	}
	panic(snapshotOnly)
}
