package scene

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// The kinds of the falling cubes. Each field has three lanes: x, y, z.
var (
	cubePosition     = layout.NewField[float32]("position", 3)     // world units
	cubeRotation     = layout.NewField[float32]("rotation", 3)     // radians
	cubeScale        = layout.NewField[float32]("scale", 3, 1)     // world units
	cubeVelocity     = layout.NewField[float32]("velocity", 3)     // world units per second
	cubeAcceleration = layout.NewField[float32]("acceleration", 3) // world units per second²
	cubeForce        = layout.NewField[float32]("force", 3)        // world units per second²

	cubeTransform = layout.NewKind("Transform", cubePosition, cubeRotation, cubeScale)
	cubeBody      = layout.NewKind("RigidBody", cubeVelocity, cubeAcceleration)
	cubeGravity   = layout.NewKind("Gravity", cubeForce)
	cubeMark      = layout.NewMark("Cube")
	cubeEye       = layout.NewMark("Camera")

	cubeFalls   = world.NewRecipe("cube", cubeTransform, cubeMark, cubeBody, cubeGravity)
	cubeStands  = world.NewRecipe("standing cube", cubeTransform, cubeMark)
	cubeWatches = world.NewRecipe("camera", cubeTransform, cubeEye)
	cubeDives   = world.NewRecipe("falling camera", cubeTransform, cubeEye, cubeBody, cubeGravity)

	cubeStepTime = layout.NewField[float32]("step time", 1) // seconds; 0 in the first step
	cubeTime     = world.NewResource("time", cubeStepTime)

	cubeFalling  = world.NewQuery(world.Write(cubePosition, cubeVelocity), world.Read(cubeForce))
	cubeWrapping = world.NewQuery(world.Write(cubePosition, cubeVelocity), world.With(cubeMark))
)

// Half the edge of the box in which the cubes begin, and how far from its centre the camera stands.
const (
	cubeBox      float32 = 100 // world units
	cubeDistance float32 = 300
)

// Variants of the cubes.
const (
	CubesCamera = "camera" // the cubes stand, and the camera falls
	CubesRain   = "rain"   // a cube that has fallen out of the box begins again at its top
)

// Cubes is the scene of falling cubes: each has a gravity of its own, and falls for ever.
var Cubes = &Scene{
	Name:      "cubes",
	About:     "Cubes fall, each by a gravity of its own.",
	Behaviour: 1,
	Defaults:  Options{Count: 10_000, Seed: 1},
	Variants:  []string{CubesCamera, CubesRain},
	View: View{
		Lo: [3]float32{-cubeBox, -cubeBox, -cubeBox}, Hi: [3]float32{cubeBox, cubeBox, cubeBox},
	},
	open: openCubes,
}

func openCubes(p *Play) error {
	n := p.Options.Count
	err := p.create(world.Counts{
		GameObjects: n + 1,
		Kinds: []layout.Count{
			cubeTransform.Count(n + 1), cubeBody.Count(n + 1), cubeGravity.Count(n + 1),
			cubeMark.Count(0), cubeEye.Count(0),
		},
		Recipes:   []world.Recipe{cubeFalls, cubeStands, cubeWatches, cubeDives},
		Resources: []world.ResourceKind{cubeTime},
	})
	if err != nil {
		return err
	}
	if p.First, err = createCubes(p.First, n, p.Options.Variant == CubesCamera); err != nil {
		return err
	}
	jobs := []world.Job{
		{Name: "Physics", Run: fallCubes, Queries: []world.Query{cubeFalling}, Local: true},
	}
	if p.Options.Variant == CubesRain {
		jobs = append(jobs, world.Job{
			Name: "Rain", Run: wrapCubes, Queries: []world.Query{cubeWrapping}, Local: true,
		})
	}
	return p.steps(append(jobs, world.Job{Name: "Time", Do: passTime})...)
}

// createCubes creates n cubes and the camera. Either the cubes have what it takes to fall, or the
// camera has. The cubes are the same for a seed.
func createCubes(s world.State, n int, cameraFalls bool) (world.State, error) {
	cube, camera := cubeFalls, cubeWatches
	if cameraFalls {
		cube, camera = cubeStands, cubeDives
	}
	s, r := world.NextStream(s)
	size := r.Range(3, 5)
	s, err := world.SpawnN(s, cube, n, func(b world.Batch) {
		position, rotation := world.Column3(b, cubePosition), world.Column3(b, cubeRotation)
		scale := world.Column(b, cubeScale)
		for i := range position {
			if pull := r.Range(-10, -1); !cameraFalls {
				world.Column3(b, cubeForce)[i][1] = pull
			}
			position[i] = threeOf(&r, -cubeBox, cubeBox)
			rotation[i] = threeOf(&r, 0, 3)
		}
		for i := range scale {
			scale[i] = size
		}
	})
	if err != nil {
		return s, err
	}
	return world.SpawnN(s, camera, 1, func(b world.Batch) {
		world.Column3(b, cubePosition)[0] = [3]float32{0, 0, cubeDistance}
		if cameraFalls {
			world.Column3(b, cubeForce)[0][1] = r.Range(-10, -1)
		}
	})
}

func threeOf(r *world.Stream, lo, hi float32) (xyz [3]float32) {
	for axis := range xyz {
		xyz[axis] = r.Range(lo, hi)
	}
	return xyz
}

// fallCubes moves everything that has a body by its velocity, and then pulls it down.
func fallCubes(s world.State) world.State {
	dt := world.Resource(s, cubeStepTime)[0]
	for b := range cubeFalling.In(s) {
		p, v := world.Column(b, cubePosition), world.Column(b, cubeVelocity)
		g := world.Column(b, cubeForce)
		for i := range p {
			p[i] += float32(v[i] * dt)
			v[i] += float32(g[i] * dt)
		}
	}
	return s
}

// wrapCubes puts cubes that have fallen out of the box back to its top, at rest.
func wrapCubes(s world.State) world.State {
	for b := range cubeWrapping.In(s) {
		p, v := world.Column3(b, cubePosition), world.Column3(b, cubeVelocity)
		for i := range p {
			if p[i][1] < -cubeBox {
				p[i][1], v[i][1] = cubeBox, 0
			}
		}
	}
	return s
}

// passTime lets time pass from the second step on: before the first one, none has passed.
func passTime(s world.State) (world.State, error) {
	return world.SetResource(s, cubeStepTime, stepSeconds), nil
}
