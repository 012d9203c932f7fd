//go:build unix

package gym

import (
	"errors"
	"fmt"

	"github.com/x448/float16"

	"github.com/flatecs/flatecs/world"
)

// A Value is an element of observations and actions.
type Value interface {
	uint8 | int32 | float32 | float16.Float16
}

// A Space says what an environment's observations or actions are, as Gymnasium's Box and Discrete.
type Space struct {
	Shape []int // nil: a single value
	N     int   // how many actions there are, if they are numbers from 0; 0: a box

	// Low and High are the bounds of a box, one or one for each element; math.MaxFloat32 is none.
	// nil: those of the type. They describe, and are not checked.
	Low, High []float32
}

// size returns the number of elements of a shape, or 0 if that is none.
func size(shape []int) int {
	n := 1
	for _, k := range shape {
		if k < 1 || k > 1<<24/n {
			return 0
		}
		n *= k
	}
	return n
}

// An Env is a game as environments. O are the elements of observations, A of actions. A world has n
// environments: one, where each has a world of its own. In a column, one world has all, and the
// lists have elements for each: environment i is the i-th object that Reset spawned. The functions
// depend on the world alone, and are called for several worlds at once.
type Env[O, A Value] struct {
	Name      string // of recordings, and of a scene that replays them
	Behaviour uint32 // version of what the steps do

	Observation, Action Space // of one environment

	// Counts returns the counts of a world. A source of random numbers is added.
	Counts func(n int) world.Counts

	// Reset begins n episodes in an empty world, whose random numbers are those of the seed.
	Reset func(s world.State, n int) world.State

	// Step takes the world one frame on, and calls [world.Advance].
	Step    func(s world.State, actions []A) world.State
	Observe func(dst []O, s world.State)                      // writes all of dst
	Reward  func(dst []float32, s world.State)                // of the last frame
	Done    func(terminated, truncated []bool, s world.State) // writes both

	// Again begins another episode in those environments of a column whose last one is over, after
	// Step. nil: the game has no column.
	Again func(s world.State, over []bool) world.State
}

// check returns an error if something is missing.
func (e *Env[O, A]) check(c *config) error {
	o, a := e.Observation.Shape, e.Action.Shape
	switch {
	case e.Counts == nil || e.Reset == nil || e.Step == nil || e.Observe == nil ||
		e.Reward == nil || e.Done == nil:
		return errors.New("gym: Counts, Reset, Step, Observe, Reward or Done is nil; give all")
	case size(o) == 0 || size(a) == 0 || e.Action.N < 0:
		return fmt.Errorf("gym: observations of shape %v, actions of %v, N %d; give each 1 to 2²⁴ "+
			"elements, and a positive N or 0", o, a, e.Action.N)
	case c.Envs < 1 || c.Envs > 1<<20 || c.Frames < 1 || c.Workers < 0 || c.Workers > 4096:
		return fmt.Errorf("gym: %d environments, %d frames, %d workers; give 1 to 2²⁰ "+
			"environments, 1 or more frames, 0 to 4096 workers", c.Envs, c.Frames, c.Workers)
	case c.Column && (e.Again == nil || c.Frames > 1):
		return errors.New("gym: a column needs Again, and frames=1; ask for column=False")
	}
	return nil
}
