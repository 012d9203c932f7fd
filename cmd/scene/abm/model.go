package abm

import (
	"math"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A Model is the common interface of the models: their counts, and the set-up of a world. Each
// model has a step function of its own.
type Model interface {
	Counts() world.Counts
	Setup(s world.State) (world.State, error)
}

// cells returns the number of squares of a space with side squares along each axis.
func cells[N int32 | int64](side N) int { return int(side) * int(side) }

// counts returns counts for a number of objects, and for the other kinds of a model.
func counts(
	objects int, r world.ResourceKind, kinds []layout.Count, recipes ...world.Recipe,
) world.Counts {
	return world.Counts{
		GameObjects: objects, Resources: []world.ResourceKind{r}, Kinds: kinds, Recipes: recipes,
	}
}

// spawn creates n objects. Counts has room for them.
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

// touch stamps the rows of a field's kind after writes to its columns.
func touch[T any](s world.State, f layout.Field[T], column []T) world.State {
	return tool.Touch(s, f.Kind(), 0, len(column))
}

type vector = [2]float64

func length(v vector) float64 { return math.Sqrt(float64(v[0]*v[0]) + float64(v[1]*v[1])) }
