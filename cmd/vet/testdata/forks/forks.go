package forks

import "github.com/flatecs/flatecs/world"

// Fork returns a copy of a world a step later.
func Fork(s world.State) world.State { // want Fork:"fork"
	c, err := world.Clone(s)
	if err != nil {
		panic(err)
	}
	return world.Advance(c)
}

// ForkOf finds functions that are declared later.
func ForkOf(s world.State) world.State { return second(s) } // want ForkOf:"fork"

func second(s world.State) world.State { // want second:"fork"
	world.Len(s)
	return world.Advance(Fork(s))
}

func same(s world.State) world.State { return s }

func through(s world.State) world.State { world.Len(Fork(s)); return world.Advance(s) }

func closes(s world.State) (c world.State) { c = Fork(s); world.Close(s); return c }

func kept(s world.State) world.State { old := s; return Fork(old) }

func hands(s world.State, step func(world.State) world.State) world.State { return step(s) }
