package act3

import (
	"github.com/flatecs/flatecs/cmd/acts/jsonout"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// Shown returns the printable state of a world, with the managers' names from the story. Buffers
// are printed as the values in their views.
func Shown(s world.State) jsonout.Object {
	position, velocity := heroes.Position.Kind(), heroes.Velocity.Kind()
	fly, instance := heroes.MaxVelocity.Kind(), heroes.Instance
	positions := layout.Flat[float32](heroes.Position, world.View(s, heroes.Position))
	return jsonout.Of(
		"gameObjectManagerState", jsonout.Of("maxUID", tool.MaxUID(s)),
		"positionComponentManagerState", jsonout.Of(
			"maxIndex", tool.MaxIndex(s, position), "buffer", jsonout.Of(),
			"positions", view(positions),
			"gameObjectMap", objects(s, position), "gameObjectPositionMap", rows(s, position)),
		"velocityComponentManagerState", jsonout.Of(
			"maxIndex", tool.MaxIndex(s, velocity), "buffer", jsonout.Of(),
			"velocitys", view(world.View(s, heroes.Velocity)),
			"gameObjectMap", objects(s, velocity), "gameObjectVelocityMap", rows(s, velocity)),
		"flyComponentManagerState", jsonout.Of(
			"maxIndex", tool.MaxIndex(s, fly), "buffer", jsonout.Of(),
			"maxVelocitys", view(world.View(s, heroes.MaxVelocity)),
			"gameObjectMap", objects(s, fly), "gameObjectFlyMap", rows(s, fly)),
		"instanceComponentManagerState", jsonout.Of("maxUID", tool.MaxIndex(s, instance),
			"gameObjectMap", objects(s, instance), "gameObjectInstanceMap", rows(s, instance)),
	)
}

func view(values []float32) jsonout.Object {
	return jsonout.Each(values, func(i int, x float32) (index, value any) { return i, x })
}

// objects returns the game objects of a kind, by row.
func objects(s world.State, kind layout.Kind) jsonout.Object {
	return func(yield func(row, object any) bool) {
		for row := range world.All(s, kind) {
			object, ok := world.ObjectOf(s, kind, row)
			if ok && !yield(row, object.Index()) {
				return
			}
		}
	}
}

// rows returns the rows of a kind, by game object.
func rows(s world.State, kind layout.Kind) jsonout.Object {
	return func(yield func(object, row any) bool) {
		for object := range world.GameObjects(s) {
			row, err := world.RowOf(s, object, kind)
			if err == nil && !yield(object.Index(), row) {
				return
			}
		}
	}
}
