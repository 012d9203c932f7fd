package dropped

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

type game struct{ state world.State }

func rise(s world.State) world.State { return s }

var (
	height = layout.NewComponent[float32]("height")
	rising = world.NewQuery(world.Write(height))
)

// lift only walks.
func lift(s world.State) world.State {
	for b := range rising.In(s) {
		world.Column(b, height)[0]++
	}
	return s
}

// tally walks what it reads, and returns the State by name.
func tally(s world.State, n *int) (next world.State) {
	for b := range rising.In(s) {
		*n += b.Len()
	}
	next = s
	return next
}

func walks(g *game, state world.State, both []func(world.State) world.State) {
	n := 0
	lift(state)       // want `the State that lift returns is dropped, and its argument may be invalid; write state = lift\(state, …\)`
	_ = lift(state)   // want `the State that lift returns is dropped`
	_ = (lift(state)) // want `the State that lift returns is dropped`
	(lift(state))     // want `the State that lift returns is dropped`
	tally(state, &n)  // want `write state = tally\(state, …\)`
	lift(g.state)     // want `write g.state = lift\(g.state, …\)`
	for _, f := range both {
		f(state) // want `the State that f returns is dropped`
	}
	g.lift(state) // want `the State that g.lift returns is dropped`
}

func (g *game) lift(s world.State) world.State { return lift(s) }

func statements(state world.State, id world.GameObject) {
	world.Advance(state)              // want `the State that world.Advance returns is dropped, and its argument may be invalid; write state = world.Advance\(state, …\)`
	world.SetName(state, id, "Bob")   // want `write state, err = world.SetName\(state, …\)`
	world.Create(state)               // want `write state, _, err = world.Create\(state, …\)`
	rise(state)                       // want `the State that rise returns is dropped`
	defer rise(state)                 // want `the State that rise returns is dropped`
	go rise(state)                    // want `the State that rise returns is dropped`
	func(s world.State) world.State { // want `the State that this function returns is dropped`
		return s
	}(state)
}

func blanks(g *game, state world.State, id world.GameObject) (err error) {
	_ = world.Advance(state)                 // want `the State that world.Advance returns is dropped`
	_, err = world.SetName(state, id, "Bob") // want `write state, err = world.SetName`
	_, once := world.NextStream(g.state)     // want `write g.state, _ = world.NextStream\(g.state, …\)`
	_, _ = world.Dispose(state, id)          // want `the State that world.Dispose returns is dropped`
	var _ = rise(state)                      // want `the State that rise returns is dropped`
	a, _ := 1, rise(state)                   // want `the State that rise returns is dropped`
	_, _ = once, a
	return err
}

// What is not reported.

func assigned(g *game, state world.State, id world.GameObject) (world.State, error) {
	g.state = rise(world.Advance(state))
	state, _ = world.SetName(state, id, "Bob") // the error is dropped, the State is not
	return world.SetName(state, id, "Eve")
}

func readers(state world.State) {
	world.Clone(state)   // uses up nothing
	fork(state)          // nor does this
	_ = world.Len(state) // no State
	_, _ = world.CreateState(world.Counts{})
	between(state, state)
}

func between(_, b world.State) world.State { return b }

func fresh() { rise(make1()); _ = rise(make1()) }

func make1() (s world.State) { return s }

func fork(s world.State) (c world.State) { c, _ = world.Clone(s); return c }

/* want `dropped finds nothing here; delete this comment` */ //flatecs:allow dropped there is nothing
