//go:build !ecsdebug

package systems

// A State is a whole world. A system takes one and returns it, with the contract of append: the
// system may have written in place, and from then on only the returned State is valid, also when it
// comes with an error. Under -tags ecsdebug a State that was used up panics. A State belongs to one
// goroutine. The zero State is no world.
type State struct{ job *job }

type guard struct{}

func newState(j *job) State { return State{j} }

// world returns the world as it is, changes that are pending left aside.
func (s State) world() *job { return s.job }

// done returns the State after a change.
func (s State) done() State { return s }

func (j *job) closed() guard { return j.guard }
