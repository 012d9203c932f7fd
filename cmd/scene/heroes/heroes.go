// Package heroes is the story's scene with many heroes: normal heroes move, and are drawn in one
// call; super heroes move and fly, and are drawn one by one. Two systems of the scene, besides the
// library's Move and Fly, steer them so that they stay visible:
//
//	Bounce → Move → Fly → Turn      the jobs of a step, each on its own object alone
package heroes

import (
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// The fields of an orbit, which keeps a hero around a vertical axis, y, through the middle.
var (
	home   = layout.NewField[float32]("home")    // distance from the axis, world units
	height = layout.NewField[float32]("height")  // above and below the middle, world units
	turn   = layout.NewField[[2]float32]("turn") // cosine and sine of the angle per step
	Orbit  = layout.NewKind("orbit", home, height, turn)

	hero  = world.NewRecipe("hero", heroes.Position, heroes.Velocity, heroes.Instance, Orbit)
	super = world.NewRecipe("super hero",
		heroes.Position, heroes.Velocity, heroes.MaxVelocity, Orbit)

	bouncing = world.NewQuery(world.Read(heroes.Position, height), world.Write(heroes.Velocity))
	heading  = world.NewQuery(
		world.Read(heroes.Position, heroes.Velocity, turn), world.With(heroes.MaxVelocity))
	turning = world.NewQuery(world.Write(heroes.Position), world.Read(home, turn))
	turns   = world.NewQuery(world.Write(turn))
)

const (
	radius = 100 // of the swarm, world units
	pull   = .04 // fraction of the way home per step
)

// Scene is the swarm of heroes.
var Scene = &scene.Scene{
	Name:      "heroes",
	About:     "Heroes swarm in two spiral arms; super heroes, a few and larger, fly above them.",
	Behaviour: 2,
	Defaults:  scene.Options{Count: 100_000, Supers: 60, Seed: 1},
	Make:      open,
	Look:      look,
	Aim:       scene.Circle(1.0 / 900),
	Draw:      draw,

	DrawGizmos: drawHeadings,
	Fork:       turnBack,
}

// open creates the world and the jobs of a step.
func open(o scene.Options) (world.State, []schedule.Job, error) {
	all := o.Count + o.Supers
	s, err := world.CreateState(world.Counts{
		GameObjects: all,
		Kinds: layout.Kinds(
			Orbit.Count(all), heroes.Position.Count(all), heroes.Velocity.Count(all),
			heroes.MaxVelocity.Count(o.Supers), heroes.Instance.Count(o.Count),
		),
		Recipes: []world.Recipe{hero, super},
		Seed:    o.Seed,
		Random:  true,
	})
	if err != nil {
		return s, nil, err
	}
	if s, err = create(s, o.Count, o.Supers); err != nil {
		return s, nil, err
	}
	return s, []schedule.Job{
		{Name: "Bounce", Run: bounce, Queries: []world.Query{bouncing}, Local: true},
		{Name: "Move", Run: heroes.MoveAll, Queries: []world.Query{heroes.MoveQuery}, Local: true},
		{Name: "Fly", Run: heroes.FlyAll, Queries: []world.Query{heroes.FlyQuery}, Local: true},
		{Name: "Turn", Run: turnAll, Queries: []world.Query{turning}, Local: true},
	}, nil
}
