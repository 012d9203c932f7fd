// Package prey makes scenes games for [hunt.Run].
package prey

import (
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/schedule"
)

// Of returns a scene as a game. Its only property is that no value is NaN.
func Of(sc *scene.Scene, o scene.Options) hunt.Game {
	o.Crew = nil // its schedule ends before the hunt's
	return hunt.Game{
		New: func() (world.State, error) {
			s, _, err := sc.Make(o)
			return s, err
		},
		Inputs: 1,
		Step: func(s world.State, input []byte) (world.State, error) {
			return sc.Press(s, scene.Input(input[0])), nil
		},
		Jobs: func() []schedule.Job {
			s, jobs, err := sc.Make(o) // again, because they may have data outside their world
			if err == nil {
				world.Close(s)
			}
			return jobs
		},
		Play: func(r *world.Stream, s world.State, input []byte) {
			const seldom = 8 // ticks between changes, on average
			if len(sc.Inputs) > 0 && r.IntN(seldom) == 0 {
				input[0] = byte(r.Uint64())
			}
		},
		Rarely: []hunt.Property{hunt.NoNaN},
		Cover: func(s world.State, note func(uint64)) {
			note(uint64(world.Used(s)) >> 12) // the world uses more memory than before
		},
	}
}
