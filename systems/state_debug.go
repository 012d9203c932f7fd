//go:build ecsdebug

package systems

// A State is a whole world. A system takes one and returns it, with the contract of append: the
// system may have written in place, and from then on only the returned State is valid, also when it
// comes with an error. Under -tags ecsdebug a State that was used up panics. A State belongs to one
// goroutine. The zero State is no world.
type State struct {
	job  *job
	turn uint64 // of the world, when this State was returned
}

type guard struct {
	turn  uint64 // changes so far
	ended bool
}

func newState(j *job) State { return State{j, j.turn} }

// world returns the world as it is, changes that are pending left aside.
func (s State) world() *job {
	switch {
	case s.job == nil:
		panic("systems: the zero State is no world; make one with CreateState")
	case s.job.ended:
		panic("systems: this State was closed; use it before Close, or close later")
	case s.turn != s.job.turn:
		panic("systems: this State was used up by an earlier call; " +
			"write state = systems.F(state, …)")
	}
	return s.job
}

// done returns the State after a change.
func (s State) done() State {
	s.job.turn++
	s.turn = s.job.turn
	return s
}

func (j *job) closed() guard { return guard{ended: true} }
