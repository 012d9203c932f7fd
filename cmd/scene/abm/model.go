package abm

import (
	"math"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A Model is what the models have in common: their counts, and how a world begins. Each has a
// step, a function of its own.
type Model interface {
	Counts() world.Counts
	Setup(s world.State) (world.State, error)
}

// cells returns the number of squares of a space of so many along each axis.
func cells[N int32 | int64](side N) int { return int(side) * int(side) }

// counts returns counts of so many objects, and of what else a model takes.
func counts(
	objects int, r world.ResourceKind, kinds []layout.Count, recipes ...world.Recipe,
) world.Counts {
	return world.Counts{
		GameObjects: objects, Resources: []world.ResourceKind{r}, Kinds: kinds, Recipes: recipes,
	}
}

// spawn creates n objects, for which Counts has the room.
func spawn(s world.State, r world.Recipe, n int) world.State {
	return world.Must(world.SpawnN(s, r, n, nil))
}

// number sets each element of the columns to its row.
func number(columns ...[]uint32) {
	for _, dst := range columns {
		for i := range dst {
			dst[i] = uint32(i)
		}
	}
}

// touch stamps the rows of a field's kind, after they were written by their columns.
func touch[T any](s world.State, f layout.Field[T], column []T) world.State {
	return tool.Touch(s, f.Kind(), 0, len(column))
}

type vector = [2]float64

func length(v vector) float64 { return math.Sqrt(float64(v[0]*v[0]) + float64(v[1]*v[1])) }
