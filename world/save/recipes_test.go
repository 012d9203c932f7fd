package save_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// TestLooseObjectsCountForTheirRecipesInAFile: as in the world that was saved, wherever the program
// has its recipes now, or that program lacks one.
func TestLooseObjectsCountForTheirRecipesInAFile(t *testing.T) {
	defer closeOpened()
	kinds := layout.Kinds(layout.NewComponent[uint8]("weight"))
	a, b, x := world.NewRecipe("a", kinds[0].Kind), world.NewRecipe("b", kinds[0].Kind), world.NewRecipe("x")
	s := world.Must(create(world.Counts{Kinds: kinds, Recipes: []world.Recipe{a, b}}))
	s = world.Must(world.SpawnN(s, b, 10, nil))
	s = world.Must(world.SpawnN(s, a, 3, nil))
	file := saved(t, s, save.Options{})
	for name, recipes := range map[string][]world.Recipe{
		"the same": {a, b}, "turned": {b, a}, "moved": {x, b, a}, "without a": {x, b},
	} {
		t.Run(name, func(t *testing.T) {
			s, _, err := read(file, world.Counts{Kinds: kinds, Recipes: recipes}, save.Options{})
			require.NoError(t, err)
			require.NoError(t, tool.Verify(s))
			for i := range uint32(7) {
				var id world.GameObject
				s, id = world.Must2(world.Spawn(s, b))
				require.Equal(t, i < 6, id.Index() < 64, "%d more", i+1)
			}
			require.NoError(t, tool.Verify(s))
		})
	}
}
