package systems

import "math"

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

// A guard tells States that were used up from the valid one.
type guard struct {
	turn   uint64 // changes so far
	frozen bool   // the world of a snapshot
}

const snapshotOnly = "flatecs: this State is a snapshot's, which is only read; " +
	"restore it into a world, or Clone it"

const ended = math.MaxUint64 // the turn of a world that was closed

func newState(j *job) State { return State{j, j.turn} }

// look returns the world for a call that reads.
func (s State) look() *job {
	if checked && (s.job == nil || s.turn != s.job.turn) {
		s.refuse()
	}
	if watching {
		s.job.seen.check()
	}
	return s.job
}

// use returns the world for a call that writes, and is [State.done] when it has.
func (s State) use() *job {
	if checked && (s.job == nil || s.turn != s.job.turn || s.job.frozen) {
		s.refuse()
	}
	if watching {
		s.job.seen.check()
	}
	return s.job
}

// done returns the State after a change.
func (s State) done() State {
	s.job.turn++
	return State{s.job, s.job.turn}
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
		panic("flatecs: the zero State is no world; make one with CreateState")
	case s.job.turn == ended:
		panic("flatecs: this State was closed; use it before Close, or close later")
	case s.turn != s.job.turn:
		panic("flatecs: this State was used up by an earlier call; " +
			"write state = systems.F(state, …)")
	}
	panic(snapshotOnly)
}
