package usedup

import (
	"errors"
	"log"

	"github.com/flatecs/flatecs/cmd/vet/testdata/forks"
	"github.com/flatecs/flatecs/world"
)

func rise(s world.State) world.State { return world.Advance(s) }

func live(s world.State) func() int { return func() int { return world.Len(s) } }

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func straight(
	a, b, c, d, e, f, g, h, i, j, k world.State, step func(world.State) world.State, q world.Query,
) world.State {
	next := rise(a)
	world.Len(a) // want `a was invalidated by rise on line 24; use its result, next`
	next = step(b)
	world.Len(b) // want `b was invalidated by step`
	next, _ = world.SetName(c, 0, "Bob")
	world.Len(c) // want `c was invalidated by world.SetName`
	world.SetName(d, 0, "Bob")
	world.Len(d) // want `d was invalidated by world.SetName`
	n, next := 3, rise(e)
	n += world.Len(e)       // want `e was invalidated by rise on line [0-9]+; use its result, next`
	world.Equal(rise(f), f) // want `f was invalidated by rise`
	n += live(rise(g))()
	world.Len(g) // want `g was invalidated by rise`
	world.Close(h)
	world.Len(h) // want `h was closed by world.Close on line 37; close it later`
	next = rise(i)
	for range q.In(i) { // want `i was invalidated by rise on line 39`
	}
	next, first := world.NextStream(j)
	if first.Uint64() > 0 {
		world.Len(j) // want `j was invalidated by world.NextStream`
	}
	_, next = n, rise(k)
	_ = next
	return k // want `k was invalidated by rise on line 46`
}

func aliases(state, other world.State) int {
	before := state
	state = rise(state)
	world.Equal(before, state) // want `before was invalidated by rise on line 53`
	a := other
	b := a
	a = rise(a)
	return world.Len(b) // want `b was invalidated by rise on line 57`
}

func shadow(state world.State, bullet world.GameObject) (_ world.State, err error) {
	if state, err := world.Dispose(state, bullet); err != nil {
		return state, err
	}
	return world.Apply(state) // want `state was invalidated by world.Dispose on line 62; its result is another state, declared by := in an inner block: declare its other results before, and write state, err = world.Dispose\(state, …\)`
}

func loops(state, other world.State, bullets []world.GameObject) (world.State, error) {
	for _, bullet := range bullets {
		if world.Alive(state, bullet) { // want `state was invalidated by world.Dispose on line 71`
			state, err := world.Dispose(state, bullet)
			if err != nil {
				return state, err
			}
		}
		_ = rise(other) // want `other was invalidated by rise on line 76; write other = rise\(other, …\) there`
	}
	return world.State{}, nil
}

func errorsLookedAt(a, b, c, d world.State) int {
	next, err := world.SetName(a, 0, "Bob")
	check(err)
	world.Len(a) // want `a was invalidated by world.SetName on line 82`
	next, err = world.SetName(b, 0, "Bob")
	if err == nil {
		return world.Len(b) // want `b was invalidated by world.SetName`
	}
	world.Len(b)
	next, err = world.SetName(c, 0, "Bob")
	switch {
	case err != nil:
		world.Len(c)
	case world.Len(next) > 9:
		world.Len(c) // want `c was invalidated by world.SetName`
	}
	next, err = world.SetName(d, 0, "Bob")
	if err != nil || world.Len(next) > 9 {
		return 0
	}
	return world.Len(d) // want `d was invalidated by world.SetName`
}

func deferred(state world.State) world.State {
	defer world.Close(state) // want `defer passes world.Close the present state, which is invalidated by rise on line 106; write defer func\(\) { world.Close\(state\) }\(\)`
	state = rise(state)
	return world.State{}
}

var literal = func(state world.State) int {
	next := rise(state)
	return world.Len(state) + world.Len(next) // want `state was invalidated by rise`
}

// What is not reported.

func logs(err error) {
	if err != nil {
		log.Print(err)
	}
}

func fine(state world.State, ids []world.GameObject) (next world.State, err error) {
	for _, id := range ids {
		if state, err = world.Dispose(state, id); err != nil {
			return state, err
		}
	}
	state, id, err := world.Create(state)
	if err != nil {
		return state, err // a call that is refused leaves its State valid
	}
	if world.Alive(state, id) {
		next = rise(state)
	} else {
		next = world.Advance(state)
	}
	state = next
	return rise(state), nil
}

func errorsUnknown(a, b, c, d world.State, other error) {
	_, err := world.SetName(a, 0, "Bob")
	logs(err)
	world.Len(a)
	if _, err := world.SetName(b, 0, "Bob"); errors.Is(err, world.ErrDead) {
		world.Len(b)
	}
	if _, err := world.SetName(c, 0, "Bob"); other == nil {
		logs(err)
		world.Len(c)
	}
	_, err = world.SetName(d, 0, "Bob")
	err = errors.Join(err, errors.New("in the end"))
	if err == nil {
		world.Len(d)
	}
}

func copies(state world.State) world.State {
	ghost, err := world.Clone(state)
	check(err)
	fork(state)
	forkOfFork(state)
	forks.Fork(state)
	between(state, rise(ghost))
	return rise(state)
}

func fork(s world.State) world.State { c, err := world.Clone(s); check(err); return c }

func forkOfFork(s world.State) world.State { return rise(fork(s)) }

func between(_, b world.State) world.State { return b }

func compared(s world.State) world.State { return between(s, rise(s)) }

func try(s world.State) (world.State, bool) { return s, world.Len(s) > 0 }

func tried(s world.State) bool { next, _ := try(s); return world.Equal(next, s) }

// captured are set by renew, which the function and the other literal call.
func captured(state, other world.State) (look func() int) {
	renew := func(s, o world.State) { state, other = s, o }
	renew(rise(state), other)
	world.Len(state)
	return func() int {
		renew(state, rise(other))
		return world.Len(other)
	}
}

func addressed(s world.State) int { p := &s; *p = rise(s); return world.Len(s) }

func setAnew(states []world.State, first func() world.State) (n int) {
	for _, state := range states {
		n += world.Len(rise(state))
		own := first()
		_ = rise(own)
		var zero world.State
		_ = rise(zero)
	}
	state := first()
	before := state
	before = first()
	return world.Len(rise(state)) + world.Len(before)
}

func closes(state, other world.State, err error) (world.State, error) {
	defer func() { world.Close(state) }()
	defer world.Close(other)
	state = rise(state)
	if err != nil {
		world.Close(state)
	}
	return state, err
}

/* want `usedup finds nothing here; delete this comment` */ //flatecs:allow usedup there is nothing

// Two ways that lead to one place.

func sameOnBoth(state world.State, n int) int {
	last := state
	for range n {
		state = rise(state)
		last = state
	}
	next := rise(state)
	return world.Len(next) + world.Len(last) // want `last was invalidated by rise on line 229`
}

func sameOnOne(state, other world.State, n int) int {
	before := state
	if n > 0 {
		before = other
	}
	state = rise(state)
	return world.Len(state) + world.Len(before)
}

func deferredOnOne(state world.State, n int) world.State {
	if n > 0 {
		defer world.Close(state) // want `defer passes world.Close the present state, which is invalidated by rise on line 246`
	}
	state = rise(state)
	return state
}

func recovers(state world.State) world.State {
	next := rise(state)
	state, err := world.Recovered(state)
	check(err)
	last := state
	state, err = world.Recovered(next)
	check(err)
	got, err := world.Recovered(state)
	check(err)
	world.Len(state) // want `state was invalidated by world.Recovered on line 257; use its result, got`
	world.Len(last)
	return world.Advance(got)
}
