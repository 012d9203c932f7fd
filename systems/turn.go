package systems

import "math"

// A State is a whole world. A system takes one and returns it, like append: a function that returns
// a State may write in place, and afterwards only the returned State is valid, also if it comes
// with an error. A call that returns an error changes nothing. Using a State that was used up
// panics, unless built with -tags ecsrelease. The zero State is not a world.
//
// While no goroutine changes the world, several may read it at once: by id, by row, and by
// [Query.Count], [Query.Objects], [Query.First], [Query.Matches], [Digest] and the like. Walks,
// [Record] and snapshots belong to one goroutine.
type State struct {
	job  *job
	turn uint64 // turn of the job when this State was returned
}

// A guard detects stale States.
type guard struct {
	turn   uint64 // changes so far
	frozen bool   // a snapshot's world
}

const snapshotOnly = "flatecs: this State is a snapshot's, which is only read; " +
	"restore it into a world, or Clone it"

const ended = math.MaxUint64 // the turn of a closed world

func newState(j *job) State { return State{j, j.turn} }

// look returns the world for a call that only reads.
func (s State) look() *job {
	if checked && (s.job == nil || s.turn != s.job.turn) {
		s.refuse()
	}
	if watching {
		s.job.seen.check()
	}
	return s.job
}

// use returns the world for a call that writes, which ends with [State.done].
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

// kept returns s, which a function of the program returned. It panics if that is not a valid State.
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
			"write state = world.F(state, …)")
	}
	panic(snapshotOnly)
}
