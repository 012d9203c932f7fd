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

// A Shape describes what a world has room for.
type Shape struct {
	Objects  int
	InOrder  bool
	Kinds    []layout.Count // all kinds: those of Counts, and data not attached to objects
	Recipes  []systems.Recipe
	Watchers []string // rules with the names of kinds; equal rules have equal texts
}

// ShapeOf returns the shape of s.
func ShapeOf(s systems.State) Shape {
	t := systems.ToolsOf(s)
	sizes := t.Arena.Sizes()
	return Shape{
		Objects: sizes.Objects, InOrder: sizes.InOrder, Kinds: slices.Clone(sizes.Kinds),
		Recipes: systems.CountsOf(s).Recipes, Watchers: t.Rules(),
	}
}

// ElementTypes returns the types of elements. Their indexes plus 1 are their codes in files and in
// the caller's memory.
func ElementTypes() []string {
	return []string{
		"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
		"float64", "bool", "float16", "id",
	}
}

// RowsFit reports whether a world with room for room objects can use the rows by block of a file or
// world with room for had objects. The objects themselves must fit.
func RowsFit(had, room int) bool { return manager.RowsFit(had, room) }

// Capacity returns the number of objects that can be alive at once.
func Capacity(s systems.State) int { return systems.ArenaOf(s).Objects.Cap() }

// Memory returns the number of bytes that this program may use: the machine's memory and swap, or a
// lower limit. A larger world is refused with [systems.ErrMemory].
func Memory() int64 { return buffer.Memory() }
