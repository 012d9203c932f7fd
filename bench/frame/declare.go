package frame

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
)

// Declarations of the program.
var (
	slots         = layout.NewComponent[Slot]("slot")
	sprites       = layout.NewComponent[Sprite]("sprite")
	positions     = layout.NewComponent[Position]("position")
	velocities    = layout.NewComponent[Velocity]("velocity")
	accelerations = layout.NewComponent[Acceleration]("acceleration")
	lifetimes     = layout.NewComponent[Lifetime]("lifetime")
	healths       = layout.NewComponent[Health]("health")
	bodies        = layout.NewComponent[Body]("body")
	targets       = layout.NewComponent[world.GameObject]("target")
	heats         = layout.NewComponent[Burning]("burning")
	colds         = layout.NewComponent[Chilled]("chilled")
	frozen        = layout.NewMark("frozen")

	recipes = [SortCount]world.Recipe{
		Rock: world.NewRecipe("rock", slots, sprites, positions, bodies),
		Part: world.NewRecipe("part", slots, sprites, positions, family.ChildOf, pose.Local2,
			pose.Global2),
		Debris: world.NewRecipe("debris", slots, sprites, positions, velocities, accelerations),
		Bullet: world.NewRecipe("bullet", slots, sprites, positions, velocities, lifetimes),
		Creature: world.NewRecipe("creature", slots, sprites, positions, velocities,
			accelerations, healths, bodies, heats),
		Hunter: world.NewRecipe("hunter", slots, sprites, positions, velocities, healths,
			targets),
		Drone: world.NewRecipe("drone", slots, sprites, positions, velocities, accelerations,
			healths, colds),
	}

	aging   = world.NewQuery(world.Read(slots), world.Write(lifetimes))
	hunting = world.NewQuery(world.Read(slots, positions), world.Write(velocities, targets))
	faster  = world.NewQuery(world.Write(velocities), world.Read(accelerations))
	moving  = world.NewQuery(world.Write(positions), world.Read(velocities),
		world.Without(frozen), world.RowWise())
	healing  = world.NewQuery(world.Write(healths))
	drawn    = world.NewQuery(world.Write(sprites))
	turning  = world.NewQuery(world.Write(pose.Local2))
	placed   = world.NewQuery(world.Write(positions), world.Read(pose.Global2))
	massive  = world.NewQuery(world.Read(positions), world.With(bodies))
	everyone = world.NewQuery(world.Read(slots, sprites, positions))
)
