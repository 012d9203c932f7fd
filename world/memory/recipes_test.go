package memory_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/memory"
)

var heavy = layout.NewComponent[float32]("heavy")

// TestOpenWithOtherRecipes: a program is built anew with other kinds in a recipe of the same name,
// and opens the world. What it spawns has the kinds of its recipe, and all that were there theirs.
func TestOpenWithOtherRecipes(t *testing.T) {
	kinds := []layout.Kind{body, target.Kind(), heavy.Kind()}
	all := layout.Kinds(body.Count(500), target.Count(500), heavy.Count(500))
	program := func(which int) (world.Counts, world.Recipe) {
		var in []layout.AnyKind
		for i, k := range kinds {
			if which>>i&1 != 0 {
				in = append(in, k)
			}
		}
		r := world.NewRecipe("crate", in...)
		return world.Counts{GameObjects: 500, Kinds: all, Recipes: []world.Recipe{r}}, r
	}
	for before := range 8 {
		for after := range 8 {
			t.Run(fmt.Sprint(before, " ", after), func(t *testing.T) {
				c, old := program(before)
				b := room(t, c)
				s := world.Must(memory.CreateState(c, b))
				var ids []world.GameObject
				for range 200 {
					var id world.GameObject
					s, id = world.Must2(world.Spawn(s, old))
					ids = append(ids, id)
				}
				for i := 20; i < 200; i += 3 {
					s = world.Must(world.Dispose(s, ids[i]))
				}
				world.Close(s)
				left := slices.Clone(b)

				c, r := program(after)
				s = world.Must(memory.Open(c, b))
				require.NoError(t, tool.Verify(s))
				if before == after {
					assert.True(t, slices.Equal(left, b), "opening writes")
				}
				for range 100 {
					var id world.GameObject
					s, id = world.Must2(world.Spawn(s, r))
					for i, k := range kinds {
						assert.Equal(t, after>>i&1 != 0, world.Has(s, id, k), "%v has %v", id, k)
					}
				}
				require.NoError(t, tool.Verify(s))
				for i, id := range ids {
					if !world.Alive(s, id) || i >= 20 && (i-20)%3 == 0 {
						continue
					}
					for i, k := range kinds {
						assert.Equal(t, before>>i&1 != 0, world.Has(s, id, k), "%v has %v", id, k)
					}
				}
				for _, id := range ids {
					if world.Alive(s, id) {
						s = world.Must(world.Dispose(s, id))
					}
				}
				require.NoError(t, tool.Verify(s))
			})
		}
	}
}
