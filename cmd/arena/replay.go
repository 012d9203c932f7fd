package arena

import (
	"fmt"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// SceneName is that of replays.
const SceneName = "arena"

// Scene returns a scene that plays a recording: each step is a tick of it, and after the last one
// nobody presses anything. It is seen as a whole.
func (r *Recording) Scene() *scene.Scene {
	return &scene.Scene{
		Name: SceneName, About: "A recording of an arena.", Behaviour: Behaviour,
		Defaults: r.Options(),
		Make: func(scene.Options) (world.State, []schedule.Job, error) {
			s, err := world.CreateState(Counts(r.Players, r.Seed))
			if err != nil {
				return s, nil, err
			}
			f := &field{}
			if err := f.open(s, r.Players); err != nil {
				world.Close(s)
				return s, nil, err
			}
			first := world.Tick(s) + 1
			return s, []schedule.Job{{Name: "tick", Do: func(s world.State) (world.State, error) {
				t := &moves{}
				if n := world.Tick(s) - first; n < uint64(len(r.turns)) {
					t = &r.turns[n]
				}
				f.find(s, nil)
				return f.step(s, t), nil
			}}}, nil
		},
		Look: Look,
		Draw: func(s world.State, c render.Canvas) world.State {
			draw(s, c, [2]float32{fieldWide / 2, fieldHigh / 2}, float32(planeHigh)/fieldHigh)
			c.DrawText(render.Text{
				Text: fmt.Sprint("tick ", world.Tick(s)), X: 12, Y: 28, Size: 20,
				Colour: render.RGB(0xffffff),
			})
			return s
		},
	}
}

// Options are those that the scene is opened with.
func (r *Recording) Options() scene.Options {
	return scene.Options{Count: r.Players, Seed: r.Seed}
}
