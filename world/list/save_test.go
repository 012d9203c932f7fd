package list_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/save"
)

// full returns a world with lists of several objects.
func full(t *testing.T) (world.State, []world.GameObject) {
	t.Helper()
	s, err := world.CreateState(counts(100, 1000))
	require.NoError(t, err)
	var ids []world.GameObject
	for i := range 20 {
		var id world.GameObject
		s, id, err = world.Spawn(s, hero)
		require.NoError(t, err)
		ids = append(ids, id)
		for k := range i {
			s, err = list.Append(s, id, bag, item{What: uint32(i), Count: uint16(k)})
			require.NoError(t, err)
			s, err = list.Append(s, id, seen, ids[k])
			require.NoError(t, err)
		}
	}
	s, err = list.Append(s, 0, best, 3, 1, 4)
	require.NoError(t, err)
	return s, ids
}

func written(t *testing.T, s world.State) []byte {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, save.Write(&file, s, save.Options{}))
	return file.Bytes()
}

func read(b []byte, c world.Counts, o save.Options) (world.State, save.Report, error) {
	return save.Read(bytes.NewReader(b), int64(len(b)), c, o)
}

func TestFilesWithAndWithoutLists(t *testing.T) {
	s, _ := full(t)
	b := written(t, s)
	few := counts(100, 1000)
	few.Kinds[0] = bag.Count(20, 1)
	_, _, err := read(b, few, save.Options{})
	require.ErrorIs(t, err, world.ErrFull)
	require.ErrorContains(t, err, "Raise the elements in the Count of the list")
	without := counts(100, 1000)
	without.Kinds, without.Recipes, without.Queries = without.Kinds[1:],
		[]world.Recipe{world.NewRecipe("hero", mind)}, nil
	kept, report, err := read(b, without, save.Options{DropFields: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"bag", "free runs of bag", "elements of bag"}, report.Kept)
	require.NoError(t, tool.Verify(kept))
	back, report, err := read(b, without, save.Options{
		Migrations: []save.Migration{save.Drop("bag")},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"bag", "free runs of bag", "elements of bag"}, report.Dropped)
	require.NoError(t, tool.Verify(back))

	again, _, err := read(written(t, back), counts(100, 1000), save.Options{})
	require.NoError(t, err, "a list that the file lacks is empty")
	require.NoError(t, tool.Verify(again))

	spare, err := world.CreateState(counts(100, 1000))
	require.NoError(t, err)
	b2 := written(t, back)
	spare, _, err = save.Reread(bytes.NewReader(b2), int64(len(b2)), spare, save.Options{})
	require.NoError(t, err)
	require.NoError(t, tool.Verify(spare))
}

// TestElementsThatHaveChanged: parts are found by their names, however many elements are in a row.
func TestElementsThatHaveChanged(t *testing.T) {
	type narrow struct {
		Count uint16
		Grade uint8
		Rare  bool
	}
	type wide struct {
		Owner world.GameObject
		What  uint32
		Grade uint8
		Rare  bool
		Count uint16
		Price [9]uint64
	}
	s, ids := full(t)
	b := written(t, s)
	c := counts(100, 1000)
	wides := layout.NewList[wide]("bag")
	c.Kinds[0] = wides.Count(100, 1000)
	c.Recipes, c.Queries = []world.Recipe{world.NewRecipe("hero", wides, mind)}, nil
	few := c
	few.Kinds = slices.Clone(c.Kinds)
	few.Kinds[0] = wides.Count(100, 1)
	_, _, err := read(b, few, save.Options{})
	require.ErrorIs(t, err, world.ErrFull)
	require.ErrorContains(t, err, "Raise the elements")
	back, report, err := read(b, c, save.Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"bag.Owner", "bag.Price"}, report.New)
	require.NoError(t, tool.Verify(back))
	for i, id := range ids {
		got, err := list.Of(back, id, wides)
		require.NoError(t, err)
		require.Len(t, got, i)
		for k := range got {
			require.Equal(t, wide{What: uint32(i), Count: uint16(k)}, got[k])
		}
		require.Equal(t, world.Must(list.Of(s, id, seen)), world.Must(list.Of(back, id, seen)))
	}

	narrows := layout.NewList[narrow]("bag")
	c.Kinds[0] = narrows.Count(100, 1000)
	c.Recipes = []world.Recipe{world.NewRecipe("hero", narrows, mind)}
	b = written(t, back)
	_, _, err = read(b, c, save.Options{})
	require.ErrorIs(t, err, save.ErrMigration)
	require.ErrorContains(t, err, `Drop("bag.bag.Owner")`)
	for _, drop := range []save.Options{
		{DropFields: true},
		{Migrations: []save.Migration{
			save.Drop("bag.bag.Owner"), save.Drop("bag.bag.What"), save.Drop("bag.bag.Price"),
		}},
	} {
		spare, err := world.CreateState(c)
		require.NoError(t, err)
		spare, report, err = save.Reread(bytes.NewReader(b), int64(len(b)), spare, drop)
		require.NoError(t, err)
		assert.Equal(t, []string{"bag.Owner", "bag.What", "bag.Price"}, report.Dropped)
		require.NoError(t, tool.Verify(spare))
		require.Equal(t, narrow{Count: 6}, world.Must(list.Of(spare, ids[9], narrows))[6])
	}
}

func TestListsOfOtherElements(t *testing.T) {
	s, _ := full(t)
	b := written(t, s)
	c := counts(100, 1000)
	c.Recipes, c.Queries = []world.Recipe{world.NewRecipe("hero", mind)}, nil
	c.Kinds[0] = layout.NewList[[2]uint32]("bag").Count(100, 1000)
	_, _, err := read(b, c, save.Options{DropFields: true})
	require.ErrorIs(t, err, save.ErrMigration)
	require.ErrorContains(t, err, "the elements of bag are ")

	c.Kinds[0] = layout.NewText("bag").Count(100, 1000)
	_, _, err = read(b, c, save.Options{DropFields: true})
	require.ErrorIs(t, err, save.ErrSchema)
	require.ErrorContains(t, err, "bag is a text in one of the file and the program")

	plain := layout.NewKind("bag", layout.NewField[layout.Run]("bag"))
	c.Kinds[0] = plain.Count(100)
	_, _, err = read(b, c, save.Options{DropFields: true})
	require.ErrorIs(t, err, save.ErrSchema)
	require.ErrorContains(t, err, "bag is a list in the file and not in the program")
}
