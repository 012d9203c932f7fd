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

// A Space describes observations or actions of an environment, like Gymnasium's Box and Discrete.
type Space struct {
	Shape []int // nil: a single value
	N     int   // number of actions, if actions are numbers from 0; 0: a box

	// Low and High are the bounds of a box, one value or one per element; math.MaxFloat32 means no
	// bound. nil: the bounds of the type. They are descriptions, and not checked.
	Low, High []float32
}

// size returns the number of elements of a shape, or 0 if the shape is invalid.
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

// An Env describes a game as environments. O is the type of elements of observations, A of actions.
// A world contains n environments: one if each has its own world. In a column one world contains
// all environments, and the lists have elements for each: environment i is the i-th object that
// Reset spawned. The functions depend only on the world, and several goroutines call them for
// different worlds.
type Env[O, A Value] struct {
	Name      string // for recordings, and for the scene that replays them
	Behaviour uint32 // version of the steps

	Observation, Action Space // of one environment

	// Counts returns the counts of a world. A source of random numbers is added.
	Counts func(n int) world.Counts

	// Reset starts n episodes in an empty world, whose random numbers are derived from the seed.
	Reset func(s world.State, n int) world.State

	// Step takes a frame, and calls [world.Advance].
	Step    func(s world.State, actions []A) world.State
	Observe func(dst []O, s world.State)                      // writes all of dst
	Reward  func(dst []float32, s world.State)                // of the last frame
	Done    func(terminated, truncated []bool, s world.State) // writes both

	// Again starts new episodes, after Step, in the environments of a column whose episodes are
	// over. nil: the game does not support columns.
	Again func(s world.State, over []bool) world.State
}

// check returns an error if the Env is incomplete.
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
