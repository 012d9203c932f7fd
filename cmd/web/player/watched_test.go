package player_test

import (
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// watched returns a scene whose steps note their inputs.
func watched(seen *[]scene.Input) *scene.Scene {
	return &scene.Scene{
		Name: "watched", Inputs: []string{"press"},
		Make: func(o scene.Options) (world.State, []schedule.Job, error) {
			s, err := world.CreateState(world.Counts{
				Resources: []world.ResourceKind{scene.Controls}, Seed: o.Seed, Random: true,
			})
			return s, []schedule.Job{{Name: "See", Run: func(s world.State) world.State {
				*seen = append(*seen, scene.Pressed(s))
				return s
			}}}, err
		},
	}
}
