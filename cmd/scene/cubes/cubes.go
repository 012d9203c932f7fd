// Package cubes is a scene of ten thousand falling cubes, each with its own gravity. Two kinds make
// an object fall, and a third is its position; objects without a body do not move.
package cubes

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// The kinds. Each field has three lanes: x, y, z.
var (
	position     = layout.NewField[[3]float32]("position")       // world units
	rotation     = layout.NewField[[3]float32]("rotation")       // radians
	scale        = layout.NewField("scale", [3]float32{1, 1, 1}) // world units
	velocity     = layout.NewField[[3]float32]("velocity")       // world units per second
	acceleration = layout.NewField[[3]float32]("acceleration")   // world units per second²
	force        = layout.NewField[[3]float32]("force")          // world units per second²

	Transform = layout.NewKind("Transform", position, rotation, scale)
	RigidBody = layout.NewKind("RigidBody", velocity, acceleration)
	Gravity   = layout.NewKind("Gravity", force)
	Cube      = layout.NewMark("Cube")
	Camera    = layout.NewMark("Camera")

	fallingCube    = world.NewRecipe("cube", Transform, Cube, RigidBody, Gravity)
	standingCube   = world.NewRecipe("standing cube", Transform, Cube)
	standingCamera = world.NewRecipe("camera", Transform, Camera)
	fallingCamera  = world.NewRecipe("falling camera", Transform, Camera, RigidBody, Gravity)

	stepTime = layout.NewField[float32]("step time") // seconds; 0 in the first step
	clock    = world.NewResource("time", stepTime)

	falling  = world.NewQuery(world.Write(position, velocity), world.Read(force))
	drawn    = world.NewQuery(world.Read(position), world.With(Cube))
	speeding = world.NewQuery(world.Read(position, velocity), world.With(Cube))
	watching = world.NewQuery(world.Read(position), world.With(Camera))
	fallen   = world.NewQuery(world.Write(position, rotation, velocity), world.With(Cube))
	wrapping = world.NewQuery(world.Write(position, velocity), world.With(Cube))
)

// Half the edge of the box in which the cubes begin, and the distance of the camera from its
// centre.
const (
	box      float32 = 100 // world units
	distance float32 = 300
	ground   float32 = -4 * box // below the view
	fastest  float32 = 40       // world units per second, of a cube that re-enters
)

// Variants of the cubes.
const (
	Fall          = "fall"
	FallingCamera = "camera"
	Rain          = "rain" // a cube that has left the box re-enters at its top
)

// Scene is the scene of falling cubes.
var Scene = &scene.Scene{
	Name:      "cubes",
	About:     "Cubes fall, each with its own gravity.",
	Behaviour: 3,
	Defaults:  scene.Options{Count: 10_000, Seed: 1},
	Variants: []scene.Variant{
		{Name: Fall, About: "the cubes fall, and begin again when all have fallen"},
		{Name: FallingCamera, About: "they stand, and the camera falls"},
		{Name: Rain, About: "they come in again at the top"},
	},
	Make: open,
	Look: look,
	Aim:  aim,
	Draw: draw,

	DrawGizmos: drawVelocities,
}

// open creates the world and the jobs of a step.
func open(o scene.Options) (world.State, []schedule.Job, error) {
	s, err := world.CreateState(world.Counts{
		GameObjects: o.Count + 1, // one for the camera
		Kinds: []layout.Count{
			Transform.Count(o.Count + 1), RigidBody.Count(o.Count + 1),
			Gravity.Count(o.Count + 1), Cube.Count(0), Camera.Count(0),
		},
		Recipes:   []world.Recipe{fallingCube, standingCube, standingCamera, fallingCamera},
		Resources: []world.ResourceKind{clock},
		Seed:      o.Seed,
		Random:    true,
	})
	if err != nil {
		return s, nil, err
	}
	s, err = create(s, o.Count, o.Variant == FallingCamera)
	jobs := []schedule.Job{
		{Name: "Physics", Run: fall, Queries: []world.Query{falling}, Local: true},
	}
	time := schedule.Job{Name: "Time", Do: passTime}
	switch o.Variant {
	case Rain:
		jobs = append(jobs, schedule.Job{
			Name: "Rain", Run: wrap, Queries: []world.Query{wrapping}, Local: true,
		})
	case "", Fall:
		time.Do = func(s world.State) (world.State, error) { return passTime(beginAgain(s)) }
	}
	return s, append(jobs, time), err
}

// create creates n cubes and the camera. Either the cubes can fall, or the camera. The cubes depend
// only on the seed.
func create(s world.State, n int, cameraFalls bool) (world.State, error) {
	cube, camera := fallingCube, standingCamera
	if cameraFalls {
		cube, camera = standingCube, fallingCamera
	}
	s, r := world.NextStream(s)
	size := r.Range(3, 5)
	s, err := world.SpawnN(s, cube, n, func(b world.Batch) {
		position, rotation := world.Column(b, position), world.Column(b, rotation)
		scale := world.Column(b, scale)
		for i := range position {
			if pull := r.Range(-10, -1); !cameraFalls {
				world.Column(b, force)[i][1] = pull
			}
			position[i] = randomVector(&r, -box, box)
			rotation[i] = randomVector(&r, 0, 3)
			scale[i] = [3]float32{size, size, size}
		}
	})
	if err != nil {
		return s, err
	}
	return world.SpawnN(s, camera, 1, func(b world.Batch) {
		world.Column(b, position)[0] = [3]float32{0, 0, distance}
		if cameraFalls {
			world.Column(b, force)[0][1] = r.Range(-10, -1)
		}
	})
}

func randomVector(r *world.Stream, lo, hi float32) (xyz [3]float32) {
	for axis := range xyz {
		xyz[axis] = r.Range(lo, hi)
	}
	return xyz
}

// fall moves every object that has a body by its velocity, and then accelerates it downwards.
func fall(s world.State) world.State {
	dt := world.Resource(s, stepTime)
	for b := range falling.In(s) {
		p := layout.Flat[float32](position, world.Column(b, position))
		v := layout.Flat[float32](velocity, world.Column(b, velocity))
		kernel.Axpy(p, dt, v)
		kernel.Axpy(v, dt, layout.Flat[float32](force, world.Column(b, force)))
	}
	return s
}

// wrap moves cubes that have left the box to its top, at a plausible speed.
func wrap(s world.State) world.State {
	for b := range wrapping.In(s) {
		p, v := world.Column(b, position), world.Column(b, velocity)
		for i := range p {
			if p[i][1] < -box {
				p[i][1] += 2 * box
				v[i][1] = max(v[i][1], -fastest)
			}
		}
	}
	return s
}

// beginAgain moves all cubes to starting places when the last one has fallen out of sight.
func beginAgain(s world.State) world.State {
	for b := range drawn.In(s) {
		for _, p := range world.Column(b, position) {
			if p[1] > ground {
				return s
			}
		}
	}
	s, r := world.NextStream(s)
	for b := range fallen.In(s) {
		position, rotation := world.Column(b, position), world.Column(b, rotation)
		clear(world.Column(b, velocity))
		for i := range position {
			position[i], rotation[i] = randomVector(&r, -box, box), randomVector(&r, 0, 3)
		}
	}
	return s
}

// passTime advances the time from the second step on.
func passTime(s world.State) (world.State, error) {
	return world.SetResource(s, stepTime, scene.StepSeconds), nil
}
