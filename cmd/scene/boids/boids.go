// Package boids is a scene of birds that flock: each bird looks only at its neighbours, flies
// towards them and in their direction, and avoids those that are too near. Cells of package space
// find the neighbours:
//
//	Cells → Steer → Move      the jobs of a step; all birds look before any of them moves
package boids

import (
	"runtime"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/space"
)

var (
	// Velocity is the velocity of a boid, in world units per step.
	Velocity = layout.NewComponent[vec]("velocity")

	// Tail is the end of a boid's tail, in world units.
	Tail = layout.NewComponent[[3]float32]("tail")

	boid = world.NewRecipe("boid", heroes.Position, Velocity, Tail, heroes.Instance)

	steering = world.NewQuery(world.Read(heroes.Position), world.Write(Velocity))
	moving   = world.NewQuery(world.Write(heroes.Position, Tail), world.Read(Velocity))
)

const behind = 5 // length of tails in steps

// Variants of the birds, by their range of vision.
const (
	Flock = "flock"
	Short = "short"
	Wide  = "wide"
)

// Scene is the flock.
var Scene = &scene.Scene{
	Name:      "boids",
	About:     "Birds flock: each follows its neighbours, but avoids those too near.",
	Behaviour: 4,
	Defaults:  scene.Options{Count: usual(), Seed: 1},
	Variants: []scene.Variant{
		{Name: Flock, About: "they see 4 units far"},
		{Name: Short, About: "2 units: many small flocks"},
		{Name: Wide, About: "6 units: a few large ones"},
	},
	Make: open,
	Look: look,
	Aim:  scene.Circle(1.0 / 1500),
	Draw: draw,

	DrawGizmos: drawVelocities,
}

// usual returns the default number of birds: fewer in a browser, which runs them on one processor.
func usual() int {
	if runtime.GOARCH == "wasm" {
		return 10_000
	}
	return 100_000
}

// A flock is the systems' data outside of the world.
type flock struct {
	cells   *space.Cells[[3]float32]
	workers *systems.Workers
	sight   float32 // world units
	home    float32 // distance from the middle at which birds turn back, world units
}

// open creates the world and the jobs of a step.
func open(o scene.Options) (world.State, []schedule.Job, error) {
	s, err := world.CreateState(world.Counts{
		GameObjects: o.Count,
		Kinds: layout.Kinds(
			heroes.Position.Count(o.Count), Velocity.Count(o.Count), Tail.Count(o.Count),
			heroes.Instance.Count(o.Count),
		),
		Recipes: []world.Recipe{boid},
		Seed:    o.Seed,
		Random:  true,
	})
	if err != nil {
		return s, nil, err
	}
	f := &flock{workers: o.Crew, home: homeOf(o.Count), sight: 4}
	switch o.Variant {
	case Short:
		f.sight = 2
	case Wide:
		f.sight = 6
	}
	if s, err = f.create(s, o.Count); err != nil {
		return s, nil, err
	}
	edge := float64(f.home)
	f.cells, err = space.NewCells(s, heroes.Position, space.Options{
		Size:  float64(f.sight),
		Low:   []float64{-edge, -edge, -edge},
		High:  []float64{edge, edge, edge},
		Carry: []space.Carried{space.Carry(Velocity)},
		Parts: min(o.Workers, 16),
	})
	return s, []schedule.Job{
		{Name: "Cells", Do: func(s world.State) (world.State, error) {
			return f.cells.Build(s, f.workers), nil // the cells also contain velocities
		}},
		{Name: "Steer", Run: f.steer, Queries: []world.Query{steering}, Split: true, Part: 32},
		{Name: "Move", Run: move, Queries: []world.Query{moving}, Local: true},
	}, err
}

// homeOf returns the radius of a ball with the same room for each of the birds.
func homeOf(birds int) float32 {
	const room = 24 // world units³ per bird, if a ball were a cube
	radius := int64(8)
	for radius*radius*radius < int64(birds)*room {
		radius++
	}
	return float32(radius)
}

const flocked = 250 // birds of a flock at the beginning

// create creates the birds, in flocks at random places of the home that fly in random directions.
func (f *flock) create(s world.State, birds int) (world.State, error) {
	s, r := world.NextStream(s)
	reach := homeOf(flocked)
	created := 0
	var middle, course vec
	return world.SpawnN(s, boid, birds, func(b world.Batch) {
		p, v := world.Column(b, heroes.Position), world.Column(b, Velocity)
		tails := world.Column(b, Tail)
		for i := range p {
			if created%flocked == 0 {
				middle, course = within(&r, max(f.home-reach, 0)), paced(within(&r, fastest))
			}
			created++
			at := middle.plus(within(&r, reach))
			p[i], v[i] = [3]float32{at.x, at.y, at.z}, course.plus(within(&r, slowest/2))
			tails[i] = p[i] // until it moves
		}
	})
}
