package world_test

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// The components of falling cubes, three floats each.
var (
	cubeForce        = layout.NewField[[3]float32]("force")
	cubeVelocity     = layout.NewField[[3]float32]("velocity")
	cubeAcceleration = layout.NewField[[3]float32]("acceleration")
	cubePosition     = layout.NewField[[3]float32]("position")
	cubeRotation     = layout.NewField[[3]float32]("rotation")
	cubeScale        = layout.NewField("scale", [3]float32{1, 1, 1})

	cubeGravity   = layout.NewKind("Gravity", cubeForce)
	cubeRigidBody = layout.NewKind("RigidBody", cubeVelocity, cubeAcceleration)
	cubeTransform = layout.NewKind("Transform", cubePosition, cubeRotation, cubeScale)

	// The signature of a system names the kinds it works on: here Gravity, RigidBody and Transform.
	cubesFalling = world.NewQuery(
		world.Read(cubeForce), world.Write(cubeVelocity, cubePosition))
)

// FallCubes is the physics system. dt is in seconds.
func FallCubes(s world.State, dt float32) world.State {
	for b := range cubesFalling.In(s) {
		p := layout.Flat[float32](cubePosition, world.Column(b, cubePosition))
		v := layout.Flat[float32](cubeVelocity, world.Column(b, cubeVelocity))
		g := layout.Flat[float32](cubeForce, world.Column(b, cubeForce))
		for i := range p {
			p[i] += float32(v[i] * dt)
			v[i] += float32(g[i] * dt)
		}
	}
	return s
}

// Where the words of an ECS with a coordinator went. The coordinator is the state.
func Example_coordinator() {
	coordinator, err := world.CreateState(world.Counts{
		GameObjects: 10_000, // MAX_ENTITIES
		InOrder:     true,   // ids are used again first in, first out
		Kinds: []layout.Count{ // RegisterComponent; Packed: the last row fills the hole
			{Kind: cubeGravity, Rows: 10_000, Packed: true},
			{Kind: cubeRigidBody, Rows: 10_000, Packed: true},
			{Kind: cubeTransform, Rows: 10_000, Packed: true},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	coordinator, cube, _ := world.Create(coordinator)                           // CreateEntity
	coordinator, _ = world.Add(coordinator, cube, cubeGravity)                  // AddComponent
	coordinator, _ = world.Add(coordinator, cube, cubeRigidBody, cubeTransform) // several
	coordinator, _ = world.Set(coordinator, cube, cubeForce, [3]float32{0, -8, 0})

	for range 2 { // RegisterSystem: nothing to do but to call it
		coordinator = FallCubes(coordinator, 0.5)
	}
	position, _ := world.Get(coordinator, cube, cubePosition) // GetComponent
	fmt.Println("the cube is at", position)

	system, _ := cubesFalling.Kinds(coordinator)       // SetSystemSignature
	entity, _ := tool.MaskOf(coordinator, cube)        // GetSignature
	kind, _ := tool.NumberOf(coordinator, cubeGravity) // GetComponentType
	fmt.Printf("%03b of %03b: %v\n", system[0], entity[0], system.SubsetOf(entity))
	fmt.Println("Gravity is number", kind)

	coordinator, _ = world.Remove(coordinator, cube, cubeGravity) // RemoveComponent
	fmt.Println(cubesFalling.Count(coordinator), "entities fall")
	coordinator, _ = world.Dispose(coordinator, cube) // DestroyEntity
	_, err = world.Dispose(coordinator, cube)
	fmt.Println("destroyed twice:", errors.Is(err, world.ErrDead))
	// Output:
	// the cube is at [0 -2 0]
	// 111 of 111: true
	// Gravity is number 0
	// 0 entities fall
	// destroyed twice: true
}
