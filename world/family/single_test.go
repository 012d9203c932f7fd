package family_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

var (
	weight = layout.NewComponent[float32]("weight")
	nearby = layout.NewComponent[world.GameObject]("nearby")
	stone  = world.NewRecipe("stone", weight, nearby)
)

// TestSingleObjectsNeedNoRelation: neither they nor their world; a child does.
func TestSingleObjectsNeedNoRelation(t *testing.T) {
	for name, kinds := range map[string][]layout.Count{
		"no relation": layout.Kinds(weight, nearby),
		"another one": layout.Kinds(weight, nearby, under),
		"childOf":     layout.Kinds(weight, nearby, family.ChildOf),
	} {
		t.Run(name, func(t *testing.T) {
			s := world.Must(world.CreateState(world.Counts{
				Kinds: kinds, Recipes: []world.Recipe{stone},
			}))
			defer func() { world.Close(s) }()
			single := family.Tree{Recipe: stone, Values: []layout.FieldValue{
				nearby.Value(family.Member(0)),
			}}
			s, id, err := family.Spawn(s, single, weight.Value(3))
			require.NoError(t, err)
			assert.Equal(t, float32(3), world.Must(world.Get(s, id, weight)))
			assert.Equal(t, id, world.Must(world.Get(s, id, nearby)))

			recorded := world.Record(s).SpawnTree(family.ChildOf, single, weight.Value(4))
			s = world.Must(world.Apply(s))
			made := world.Must(world.Applied(s, recorded))
			assert.Equal(t, made, world.Must(world.Get(s, made, nearby)))

			tree := family.Tree{Recipe: stone, Children: []family.Tree{{Recipe: stone}}}
			lacks := "flatecs: recipe stone has no kind childOf; add it to the recipe"
			if name != "childOf" {
				lacks = "flatecs: this world has no kind childOf; name it in Counts.Kinds"
				_, _, err = family.Spawn(s, tree)
				require.ErrorIs(t, err, world.ErrNoKind)
				require.EqualError(t, err, lacks)
			} else {
				assert.PanicsWithValue(t, lacks, func() { _, _, _ = family.Spawn(s, tree) })
			}
			assert.PanicsWithValue(t, lacks, func() {
				world.Record(s).SpawnTree(family.ChildOf, tree)
			})
			assert.Panics(t, func() { _, _, _ = family.SpawnTree(nil, s, nearby, single) })
			assert.Equal(t, 2, world.Len(s))
			require.NoError(t, tool.Verify(s))
		})
	}
}

// TestMessagesOfRings: say who refers to whom.
func TestMessagesOfRings(t *testing.T) {
	s := world.Must(world.CreateState(leafCounts(0)))
	defer func() { world.Close(s) }()
	tree := family.Tree{Recipe: leaf}
	for range 10 {
		tree = family.Tree{Recipe: leaf, Children: []family.Tree{tree}}
	}
	for to, want := range []string{
		"under member 0 → 0: a tree has no rings",
		"under member 0 → 1 → 0: a tree has no rings",
		"under member 0 → 2 → 1 → 0: a tree has no rings",
		8: "under member 0 → 8 → 7 → 6 → 5 → 4 → 3 → 2 → … → 0: a tree has no rings",
	} {
		if want == "" {
			continue
		}
		_, _, err := family.SpawnTree(nil, s, under, tree, under.Value(family.Member(to)))
		require.ErrorIs(t, err, family.ErrRing)
		require.ErrorContains(t, err, want)
	}
}
