package heroes

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// Position is the position of an object: x, y, z in world units, 0 by default.
var Position = manager.Position

// Velocity is the velocity of an object: world units per step along each axis, 1 by default.
var Velocity = manager.Velocity

// MaxVelocity is the velocity at which the speed of a flying object is capped: world units per step
// along each axis, 10 by default. Its kind is named fly.
var MaxVelocity = manager.MaxVelocity

// Instance is the kind of the objects that are drawn in one batch. It has no data, but it has a
// uid: its row.
var Instance = manager.Instance

// Counts returns the counts of a world of heroes, with as many instances as positions. It names the
// queries of the systems, so that none of them allocates, not even when first used.
func Counts(positions, velocities, flies int) systems.Counts {
	return systems.Counts{
		Kinds: layout.Kinds(
			Position.Count(positions), Velocity.Count(velocities), MaxVelocity.Count(flies),
			Instance.Count(positions),
		),
		Queries: []systems.Query{MoveQuery, FlyQuery, UpdateQuery, singly, instanced},
	}
}
