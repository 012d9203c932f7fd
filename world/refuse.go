package world

const (
	noGizmos   = "these Gizmos are nil; make some by NewGizmos"
	noHistory  = "this History is nil, or was not made; make one by NewHistory"
	noHooks    = "these Hooks are nil; hand in the address of some"
	noRoot     = "this Root is nil; hand in the address of one"
	noLauncher = "this Launcher is nil; hand in the address of one"
	noLoop     = "this TimedLoop is nil; hand in the address of one"
	noSchedule = "this Schedule is nil; make one by NewSchedule"
)

// there returns p. It panics when p is nil, with what that is and the cure.
func there[T any](p *T, what string) *T {
	if p == nil {
		refuse(what)
	}
	return p
}

// kept returns what a function of the program made of a State. It panics when it lost that.
func kept(before, after State, of, name string) State {
	if after == (State{}) && before != (State{}) {
		refuse(of + name + " returned the zero State; return the one that its last call returned")
	}
	return after
}

// refuse stands apart, so that what checks is inlined.
//
//go:noinline
func refuse(what string) { panic("world: " + what) }
