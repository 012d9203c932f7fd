package save_test

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/save"
)

// TestErrorsOnCountsNameWhatWasCounted: each in the words of the program's Counts.
func TestErrorsOnCountsNameWhatWasCounted(t *testing.T) {
	defer closeOpened()
	drop, pond := layout.NewComponent[uint8]("drop"), layout.NewComponent[uint8]("pond")
	rain := world.NewRecipe("rain", drop)
	rings := world.NewEvents("splash", layout.NewField[uint8]("loud"))
	ear := rings.NewReader("ear")
	thing := world.NewResource("pond", layout.NewField[uint8]("pond"))
	counts := world.Counts{
		Kinds: layout.Kinds(drop, pond), Recipes: []world.Recipe{rain}, Names: 9, Globals: 9,
		Events: []world.EventCount{rings.Count(4, ear)},
	}
	s, err := create(counts)
	require.NoError(t, err)
	s, _ = world.Must2(world.Spawn(s, rain))
	for i := range 5 {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, pond))
		s = world.Must(world.SetName(s, id, fmt.Sprint("pond ", i)))
		s = world.Must(pack.SetGlobal(s, id, uint64(i+1)))
	}
	file := saved(t, s, save.Options{})
	refuse := func(text string, wrapped error, change func(c *world.Counts)) {
		t.Helper()
		c := counts.Clone()
		change(&c)
		_, _, err := read(file, c, save.Options{})
		require.ErrorIs(t, err, wrapped)
		require.ErrorContains(t, err, text)
	}
	const objects = "save: the file has 64 indexes of game objects, of which 6 are alive (those of a recipe come by " +
		"blocks of 64), and "
	refuse(objects+"the largest of Counts.Kinds, drop, has room for 20: Too many entities in existence. Set Counts.GameObjects to 64 at least",
		world.ErrTooMany, func(c *world.Counts) { c.Kinds = layout.Kinds(drop.Count(20), pond.Count(7)) })
	refuse(objects+"Counts.GameObjects has room for 30: Too many entities in existence. Raise Counts.GameObjects to 64 at least",
		world.ErrTooMany, func(c *world.Counts) { c.GameObjects = 30 })
	refuse("save: pond: 5 rows are in use or reserved for recipes in the file, and there is room for 3: Too many "+
		"components in existence. Raise its Count in Counts.Kinds to 5 at least", world.ErrFull, func(c *world.Counts) { c.Kinds[1] = pond.Count(3) })
	refuse("save: name: 5 rows are in use or reserved for recipes in the file, and there is room for 3: Too many "+
		"components in existence. Raise Counts.Names to 5 at least", world.ErrFull, func(c *world.Counts) { c.Names = 3 })
	refuse("there is room for 2: Too many components in existence. Raise Counts.Globals to 5 at least", world.ErrFull,
		func(c *world.Counts) { c.Globals = 2 })
	refuse("pond has 5 rows in the file, and is a resource in the program, with one; give one of them another name",
		save.ErrSchema, func(c *world.Counts) {
			c.Kinds, c.Resources = layout.Kinds(drop), []world.ResourceKind{thing}
		})
	small, err := create(world.Counts{GameObjects: 64, Kinds: counts.Kinds, Recipes: counts.Recipes})
	require.NoError(t, err)
	s = world.Must(create(world.Counts{Kinds: counts.Kinds, Recipes: counts.Recipes}))
	s = world.Must(world.SpawnN(s, rain, 17, nil))
	file = saved(t, s, save.Options{})
	_, _, err = save.Reread(bytes.NewReader(file), int64(len(file)), small, save.Options{})
	require.ErrorContains(t, err, "the spare world has room for 64: Too many entities in existence. Make one with Counts.GameObjects raised to 128 at least")
}

// TestManyKindsThatAreKept: however many objects the program has room for.
func TestManyKindsThatAreKept(t *testing.T) {
	defer closeOpened()
	var kinds []layout.Count
	for i := range 200 {
		kinds = append(kinds, layout.NewComponent[uint8](fmt.Sprint("k", i)).Counted())
	}
	room := 0 // as it is without
	if strconv.IntSize == 32 {
		room = 1 << 16
	}
	s, err := create(world.Counts{GameObjects: room, Kinds: kinds})
	require.NoError(t, err)
	s, _ = world.Must2(world.CreateWith(s, kinds[3].Kind))
	s, report, err := read(saved(t, s, save.Options{}), world.Counts{
		GameObjects: room, Kinds: layout.Kinds(home),
	}, save.Options{})
	require.NoError(t, err)
	assert.Len(t, report.Kept, 200)
	require.NoError(t, tool.Verify(s))
}

// TestRelationsThatAProgramDidNotKnow: it disposed objects that others referred to.
func TestRelationsThatAProgramDidNotKnow(t *testing.T) {
	defer closeOpened()
	for _, p := range []layout.Policy{layout.Clear, layout.Cascade, layout.Refuse} {
		rope := layout.NewRelation("rope", layout.Relation{Disposed: p, Tree: true})
		counts := world.Counts{Kinds: layout.Kinds(rope)}
		s, err := create(counts)
		require.NoError(t, err)
		s, first, err := world.Create(s)
		require.NoError(t, err)
		s, second, err := world.Create(s)
		require.NoError(t, err)
		var held []world.GameObject
		for _, at := range []world.GameObject{first, second, second} {
			var id world.GameObject
			s, id = world.Must2(world.CreateWith(s, rope))
			s = world.Must(world.Set(s, id, rope, at))
			held = append(held, id)
		}
		s, _, err = read(saved(t, s, save.Options{}), world.Counts{Kinds: layout.Kinds(home)}, save.Options{})
		require.NoError(t, err)
		s = world.Must(world.Dispose(s, second))
		s, _, err = world.Create(s) // of the same index
		require.NoError(t, err)
		s, report, err := read(saved(t, s, save.Options{}), counts, save.Options{})
		require.NoError(t, err)
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, []string{"rope: 2"}, report.Cleared)
		for i, want := range []world.GameObject{first, 0, 0} {
			got, err := world.Get(s, held[i], rope)
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
	}
}
