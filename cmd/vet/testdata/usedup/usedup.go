package usedup

import (
	"errors"
	"log"

	"github.com/flatecs/flatecs/cmd/vet/testdata/forks"
	"github.com/flatecs/flatecs/world"
)

func rise(s world.State) world.State { return world.Advance(s) }

func twice(state world.State) world.State {
	next := rise(state)
	world.Live(state) // want `state was used up by rise on line 14; use what it returned, next`
	return next
}

func returned(state world.State) world.State {
	next := rise(state)
	_ = next
	return state // want `state was used up by rise on line 20`
}

func shadow(state world.State, bullet world.GameObject) (_ world.State, err error) {
	if state, err := world.DisposeGameObject(state, bullet); err != nil {
		return state, err
	}
	return world.Apply(state) // want `state was used up by world.DisposeGameObject on line 26; what it returned is another state, declared by := in an inner block: declare its other results before and write state, err = world.DisposeGameObject\(state, …\)`
}

func shadowInLoop(state world.State, bullets []world.GameObject) (world.State, error) {
	for _, bullet := range bullets {
		if world.Alive(state, bullet) { // want `state was used up by world.DisposeGameObject on line 35`
			state, err := world.DisposeGameObject(state, bullet)
			if err != nil {
				return state, err
			}
		}
	}
	return state, nil
}

func again(state world.State) {
	for range 3 {
		_ = rise(state) // want `state was used up by rise on line 46; write state = rise\(state, …\) there`
	}
}

func alias(state world.State) bool {
	before := state
	state = rise(state)
	return world.Equal(before, state) // want `before was used up by rise on line 52`
}

func aliasOfAlias(state world.State) int {
	a := state
	b := a
	a = rise(a)
	return world.Live(b) + world.Live(a) // want `b was used up by rise on line 59`
}

func checked(state world.State) int {
	next, err := world.SetName(state, 0, "Bob")
	check(err)
	_ = next
	return world.Live(state) // want `state was used up by world.SetName on line 64`
}

func refusedOrNot(state world.State) int {
	next, err := world.SetName(state, 0, "Bob")
	if err == nil {
		return world.Live(state) // want `state was used up by world.SetName`
	}
	return world.Live(state) + world.Live(next)
}

func both(state world.State) int {
	next, err := world.SetName(state, 0, "Bob")
	if err != nil || world.Live(next) > 9 {
		return 0
	}
	return world.Live(state) // want `state was used up by world.SetName`
}

func switched(state world.State) int {
	next, err := world.SetName(state, 0, "Bob")
	switch {
	case err != nil:
		return world.Live(state)
	case world.Live(next) > 9:
		return world.Live(state) // want `state was used up by world.SetName`
	}
	return 0
}

func nested(state world.State) bool {
	return world.Equal(rise(state), state) // want `state was used up by rise`
}

func ignored(state world.State) int {
	next, _ := world.SetName(state, 0, "Bob")
	return world.Live(state) + world.Live(next) // want `state was used up by world.SetName`
}

func once(state world.State) int {
	next, first := world.NextStream(state)
	if first.Uint64() > 0 {
		return world.Live(state) // want `state was used up by world.NextStream`
	}
	return world.Live(next)
}

func closed(state world.State) int {
	world.Close(state)
	return world.Live(state) // want `state was closed by world.Close on line 115; close it later`
}

func deferred(state world.State) int {
	defer world.Close(state) // want `defer gives world.Close the state of now, which is used up by rise on line 121; write defer func\(\) { world.Close\(state\) }\(\)`
	state = rise(state)
	return world.Live(state)
}

func inWalk(state world.State, q world.Query) world.State {
	next := rise(state)
	for range q.In(state) { // want `state was used up by rise on line 126`
	}
	return next
}

func inLiteral() func(world.State) int {
	return func(state world.State) int {
		next := rise(state)
		return world.Live(state) + world.Live(next) // want `state was used up by rise`
	}
}

func throughValue(state world.State, step func(world.State) world.State) int {
	next := step(state)
	return world.Live(state) + world.Live(next) // want `state was used up by step`
}

func alone(state world.State) int {
	world.SetName(state, 0, "Bob")
	return world.Live(state) // want `state was used up by world.SetName`
}

func severalAtOnce(state world.State) int {
	n, next := 3, rise(state)
	_ = next
	return n + world.Live(state) // want `state was used up by rise on line [0-9]+; use what it returned, next`
}

type holder struct{ world.State }

func (h holder) live() int { return world.Live(h.State) }

func hold(s world.State) holder { return holder{s} }

func chained(state world.State) int {
	n := hold(rise(state)).live()
	return n + world.Live(state) // want `state was used up by rise`
}

// What is not reported.

func logged(state world.State) (world.State, int) {
	next, err := world.SetName(state, 0, "Bob")
	logs(err)
	return next, world.Live(state)
}

func logs(err error) {
	if err != nil {
		log.Print(err)
	}
}

func fine(state world.State, ids []world.GameObject) (world.State, error) {
	var err error
	for _, id := range ids {
		if state, err = world.DisposeGameObject(state, id); err != nil {
			return state, err
		}
	}
	state, id, err := world.CreateGameObject(state)
	if err != nil {
		return state, err
	}
	if world.Alive(state, id) {
		state = rise(state)
	} else {
		state = world.Advance(state)
	}
	next := rise(state)
	state = next
	return rise(state), nil
}

func refused(state world.State) (world.State, error) {
	next, err := world.SetName(state, 0, "Bob")
	if err != nil {
		return state, err // a call that is refused leaves its State valid
	}
	return next, nil
}

func refusedSomehow(state world.State) (world.State, error) {
	next, err := world.SetName(state, 0, "Bob")
	if errors.Is(err, world.ErrDead) {
		return state, nil
	}
	return next, err
}

func otherError(state world.State, other error) (world.State, error) {
	next, err := world.SetName(state, 0, "Bob")
	if other == nil {
		return state, err
	}
	return next, err
}

func errorAgain(state world.State) (world.State, error) {
	next, err := world.SetName(state, 0, "Bob")
	err = errors.Join(err, errors.New("in the end"))
	if err == nil {
		return state, nil
	}
	return next, err
}

func branches(state world.State, fast bool) world.State {
	var next world.State
	if fast {
		next = rise(state)
	} else {
		next = world.Advance(state)
	}
	return next
}

func copies(state world.State) (world.State, error) {
	ghost, err := world.Clone(state)
	check(err)
	ghost = rise(ghost)
	fork(state)
	other := fork(state)
	forkOfFork(state)
	forks.Fork(state)
	if world.Equal(ghost, other) {
		return rise(state), nil
	}
	return state, nil
}

func fork(s world.State) world.State {
	c, err := world.Clone(s)
	check(err)
	return c
}

func forkOfFork(s world.State) world.State { return rise(fork(s)) }

func try(s world.State) (world.State, bool) { return s, world.Live(s) > 0 }

func tried(state world.State) world.State {
	next, ok := try(state)
	if !ok {
		return state
	}
	return next
}

func kept(before, after world.State) world.State { return after }

func compared(state world.State) world.State { return kept(state, rise(state)) }

func captured(state world.State) int {
	step := func() { state = rise(state) }
	next := rise(state)
	step()
	return world.Live(state) + world.Live(next)
}

func siblings(make1 func() world.State) int {
	state := make1()
	renew := func() { state = make1() }
	look := func() int {
		next := rise(state)
		renew()
		return world.Live(state) + world.Live(next)
	}
	return look()
}

func ranged(states []world.State) (n int) {
	for _, state := range states {
		n += world.Live(rise(state))
	}
	return n
}

func declaredInside(make1 func() world.State) {
	for range 3 {
		state := make1()
		_ = rise(state)
	}
	for range 3 {
		var state world.State
		_ = rise(state)
	}
}

func closesLater(state world.State) error {
	defer func() { world.Close(state) }()
	state = rise(state)
	return nil
}

func closesOne(state world.State) (int, error) {
	defer world.Close(state)
	return world.Live(state), nil
}

func closesAndReturns(state world.State, err error) (world.State, error) {
	if err != nil {
		world.Close(state)
	}
	return state, err
}

func aliasSetAnew(state world.State, make1 func() world.State) int {
	before := state
	before = make1()
	state = rise(state)
	return world.Live(before) + world.Live(state)
}

func addressed(state world.State) int {
	p := &state
	next := rise(state)
	*p = next
	return world.Live(state)
}

func stops(state world.State) int {
	next := rise(state)
	if world.Live(next) > 9 {
		log.Fatal(world.Live(next))
	}
	return world.Live(next)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

/* want `usedup finds nothing here; delete this comment` */ //flatecs:allow usedup there is nothing
