package save_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// TestRecipesGoOnInAFile: what is spawned gets the ids that it had got in the world that was saved,
// in slabs and beside them, wherever the program has its recipes now, or lacks one.
func TestRecipesGoOnInAFile(t *testing.T) {
	defer closeOpened()
	kinds := layout.Kinds(layout.NewComponent[uint8]("weight"))
	a, b, x := world.NewRecipe("a", kinds[0].Kind), world.NewRecipe("b", kinds[0].Kind), world.NewRecipe("x")
	for _, spawned := range [][2]int{{5, 7}, {3, 10}, {100, 1}} {
		s := world.Must(create(world.Counts{Kinds: kinds, Recipes: []world.Recipe{a, b}}))
		s = world.Must(world.SpawnN(s, b, spawned[1], nil))
		s = world.Must(world.SpawnN(s, a, spawned[0], nil))
		file := saved(t, s, save.Options{})
		for name, recipes := range map[string][]world.Recipe{
			"the same": {a, b}, "turned": {b, a}, "moved": {x, b, a}, "without a": {x, b},
		} {
			back, _, err := read(file, world.Counts{Kinds: kinds, Recipes: recipes}, save.Options{})
			require.NoError(t, err, name)
			require.NoError(t, tool.Verify(back))
			on := world.Must(world.Clone(s))
			for range 7 {
				for _, r := range []world.Recipe{a, b} {
					if !slices.Contains(recipes, r) {
						continue
					}
					var want, got world.GameObject
					on, want = world.Must2(world.Spawn(on, r))
					back, got = world.Must2(world.Spawn(back, r))
					require.Equal(t, want, got, "%v of %v, %s", r, spawned, name)
				}
			}
			require.NoError(t, tool.Verify(back))
			world.Close(on)
		}
	}
}
