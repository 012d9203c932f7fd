package tool

import (
	"slices"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// MaxRows is the largest number of rows of a kind, and of game objects.
const MaxRows = manager.MaxRows

// A Shape is what a world has room for.
type Shape struct {
	Objects  int
	InOrder  bool
	Kinds    []layout.Count // of every kind: those of Counts, and what is on no object
	Recipes  []systems.Recipe
	Watchers []string // rules by the names of kinds; equal rules have the same
}

// ShapeOf returns what s has room for.
func ShapeOf(s systems.State) Shape {
	a := systems.ArenaOf(s)
	sizes := a.Sizes()
	return Shape{
		Objects: sizes.Objects, InOrder: sizes.InOrder, Kinds: slices.Clone(sizes.Kinds),
		Recipes: systems.CountsOf(s).Recipes, Watchers: a.Rules(),
	}
}

// Capacity returns how many objects may be alive at once.
func Capacity(s systems.State) int { return systems.ArenaOf(s).Objects.Cap() }

// Memory returns the bytes that this program may take: what the machine has in memory and swap, or
// less where a limit is set. A world of more is refused with [systems.ErrMemory].
func Memory() int64 { return buffer.Memory() }
