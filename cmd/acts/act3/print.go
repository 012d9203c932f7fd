package act3

import (
	"github.com/flatecs/flatecs/cmd/acts/jsonout"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// WriteState prints the world as one line of JSON, each manager by the names of the story. The
// buffers are printed as the values their views show.
func WriteState(out *jsonout.Writer, s world.State) {
	out.Open()
	out.Name("gameObjectManagerState")
	out.Open()
	out.Name("maxUID")
	out.Int(tool.MaxUID(s))
	out.Close()

	out.Name("positionComponentManagerState")
	openManager(out, s, heroes.Position.Kind())
	positions := world.View(s, heroes.Position)
	writeView(out, "positions", layout.Flat[float32](heroes.Position, positions))
	writeMaps(out, s, heroes.Position.Kind(), "gameObjectPositionMap")

	out.Name("velocityComponentManagerState")
	openManager(out, s, heroes.Velocity.Kind())
	writeView(out, "velocitys", world.View(s, heroes.Velocity))
	writeMaps(out, s, heroes.Velocity.Kind(), "gameObjectVelocityMap")

	out.Name("flyComponentManagerState")
	openManager(out, s, heroes.MaxVelocity.Kind())
	writeView(out, "maxVelocitys", world.View(s, heroes.MaxVelocity))
	writeMaps(out, s, heroes.MaxVelocity.Kind(), "gameObjectFlyMap")

	out.Name("instanceComponentManagerState")
	out.Open()
	out.Name("maxUID")
	out.Int(tool.MaxIndex(s, heroes.Instance))
	writeMaps(out, s, heroes.Instance, "gameObjectInstanceMap")
	out.Close()
	out.EndLine()
}

func openManager(out *jsonout.Writer, s world.State, kind layout.Kind) {
	out.Open()
	out.Name("maxIndex")
	out.Int(tool.MaxIndex(s, kind))
	out.Name("buffer")
	out.Open()
	out.Close()
}

func writeView(out *jsonout.Writer, name string, view []float32) {
	out.Name(name)
	out.Open()
	for i, value := range view {
		out.Index(i)
		out.Float32(value)
	}
	out.Close()
}

// writeMaps prints both maps of a kind, row to game object and game object to row, and ends its
// manager.
func writeMaps(out *jsonout.Writer, s world.State, kind layout.Kind, name string) {
	out.Name("gameObjectMap")
	out.Open()
	for row := range world.All(s, kind) {
		if object, ok := world.ObjectOf(s, kind, row); ok {
			out.Index(int(row))
			out.Int(int(object.Index()))
		}
	}
	out.Close()
	out.Name(name)
	out.Open()
	for object := range world.GameObjects(s) {
		if row, err := world.RowOf(s, object, kind); err == nil {
			out.Index(int(object.Index()))
			out.Int(int(row))
		}
	}
	out.Close()
	out.Close()
}
