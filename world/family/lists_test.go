package family_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/list"
)

const patrol = `patrol: runner
	errand.path [[5 6] [7 8] [9 10]]
	errand.motto "no # comment"
	scout: runner + crew
		errand.path []
		crew [{Owner:scout Slots:[patrol nobody] Mass:1 Ready:true Grade:0 Wear:[0 1]} ` +
	`{Owner:nobody Slots:[nobody nobody] Mass:2 Ready:false Grade:-1 Wear:[2 3]}]
`

// TestListsInText: a list is given as a whole, and is else that of the recipe; objects in it are
// called by their names.
func TestListsInText(t *testing.T) {
	trees := parsed(t, patrol+"\nmore: like patrol\n\terrand.motto \"\"\n\tscout:\n\t\tcrew []\n")
	assert.Equal(t, patrol, strings.ReplaceAll(written(t, trees[0]), " + childOf", ""))
	assert.Equal(t, trees, parsed(t, written(t, trees...)))
	for _, recorded := range []bool{false, true} {
		s := world.Must(world.CreateState(textCounts(20)))
		var err error
		for _, tree := range trees {
			if recorded {
				world.Record(s).SpawnTree(family.ChildOf, tree)
				s, err = world.Apply(s)
			} else {
				s, _, err = family.Spawn(s, tree)
			}
			require.NoError(t, err)
		}
		require.NoError(t, tool.Verify(s))
		var ids []world.GameObject
		for id := range world.GameObjects(s) {
			ids = append(ids, id)
		}
		assert.Equal(t, [][2]int16{{5, 6}, {7, 8}, {9, 10}}, world.Must(list.Of(s, ids[0], path)))
		assert.Equal(t, "no # comment", world.Must(list.Text(s, ids[0], motto)))
		assert.Empty(t, world.Must(list.Of(s, ids[1], path)))
		assert.Equal(t, "run", world.Must(list.Text(s, ids[1], motto)), "that of the recipe")
		members := world.Must(list.Of(s, ids[1], crew))
		require.Len(t, members, 2)
		assert.Equal(t, gear{
			Owner: ids[1], Slots: [2]world.GameObject{ids[0]}, Mass: 1, Ready: true,
			Wear: [2]uint8{0, 1},
		}, members[0])
		assert.Empty(t, world.Must(list.Text(s, ids[2], motto)))
		assert.Empty(t, world.Must(list.Of(s, ids[3], crew)))
		world.Close(s)
	}
}

// TestTreesWithoutRoomForLists: nothing changes, whether the elements are of the recipe or given.
func TestTreesWithoutRoomForLists(t *testing.T) {
	long := family.Tree{Recipe: runner, Values: []layout.FieldValue{
		path.Value(make([][2]int16, 16)...), path.Value(make([][2]int16, 300)...),
	}}
	short := family.Tree{Recipe: runner, Values: []layout.FieldValue{path.Value()}}
	plain := family.Tree{Recipe: runner}
	three := plain
	three.Children = []family.Tree{plain, short}
	c := world.Counts{GameObjects: 30, Recipes: []world.Recipe{runner}, Kinds: []layout.Count{
		{Kind: errand, Rows: 10, Elements: 64}, family.ChildOf.Count(20),
	}}
	s := world.Must(world.CreateState(c))
	defer func() { world.Close(s) }()
	for n := 0; ; n++ {
		require.Less(t, n, 20)
		before := world.Digest(s)
		var err error
		if s, _, err = family.Spawn(s, long); n == 0 {
			require.ErrorIs(t, err, world.ErrFull)
			require.ErrorContains(t, err, "errand.path: no room for another list of 300 elements")
			require.ErrorContains(t, err, "raise the elements")
			require.Equal(t, before, world.Digest(s))
		}
		if s, _, err = family.Spawn(s, three); err != nil {
			require.ErrorIs(t, err, world.ErrFull)
			require.Equal(t, before, world.Digest(s))
			break
		}
		require.NoError(t, tool.Verify(s))
	}
	world.Record(s).SpawnTree(family.ChildOf, long)
	s, err := world.Apply(s)
	require.ErrorIs(t, err, world.ErrFull)
	require.NoError(t, tool.Verify(s))
}

func TestWrongTextsOfLists(t *testing.T) {
	requireWrong(t, map[string]string{
		"t: runner\n\terrand.path 3":            "2:14: errand.path is a list; write its elements in brackets",
		"t: runner\n\terrand.path [[1 2] [3]]":  "2:23: 1 of 2 numbers",
		"t: runner\n\terrand.path [[1 2] [3 4]": "2:26: a bracket is open",
		"t: runner\n\terrand.motto run":         "2:15: errand.motto is a text; write it in quotes",
		"t: runner\n\terrand.motto \"\\xff\"":   "2:15: the text is not UTF-8",
		"t: runner\n\terrand.motto \"a\" \"b\"": "2:19: comes after the value of errand.motto",
		"t: + crew\n\tcrew [{Owner:t}]":         "2:17: crew.Slots is left out; give all parts",
	})
}

// At the limit a tree's lists are there as a whole or not at all, and what values replace makes
// room for them.
func TestTreesAtTheLimitOfLists(t *testing.T) {
	elements := func(n int) layout.FieldValue {
		all := make([][2]int16, n)
		for i := range all {
			all[i] = [2]int16{int16(i), 1}
		}
		return path.Value(all...)
	}
	member := func(n int, children ...family.Tree) family.Tree {
		return family.Tree{Recipe: runner, Values: []layout.FieldValue{elements(n)}, Children: children}
	}
	spawned := func(tree family.Tree, lengths []int, room uint32) bool {
		s := world.Must(world.CreateState(world.Counts{
			GameObjects: 8, Recipes: []world.Recipe{runner}, Kinds: []layout.Count{
				{Kind: errand, Rows: len(lengths), Elements: room},
				family.ChildOf.Count(8),
			},
		}))
		defer func() { world.Close(s) }()
		before := world.Digest(s)
		s, ids, err := family.SpawnTree(nil, s, family.ChildOf, tree)
		if err != nil {
			require.ErrorIs(t, err, world.ErrFull)
			require.Equal(t, before, world.Digest(s))
			return false
		}
		require.NoError(t, tool.Verify(s))
		for i, id := range ids {
			got := world.Must(list.Of(s, id, path))
			require.Len(t, got, lengths[i])
			for k := range got {
				require.Equal(t, [2]int16{int16(k), 1}, got[k])
			}
		}
		return true
	}
	for _, c := range []struct {
		tree    family.Tree
		lengths []int
		least   uint32 // elements
	}{
		// 16 elements have a row, 40 and 48 have three, 80 and 100 have 6 and 8. Of E elements the
		// world has, for n objects, n + 1.5 · E/16 rows, rounded up.
		{member(16, member(16, member(16, member(16)))), []int{16, 16, 16, 16}, 1},
		{member(40, member(40)), []int{40, 40}, 33},
		{member(80, member(3), member(100, member(48))), []int{80, 3, 100, 48}, 129},
	} {
		least := uint32(1) // 0: as much as is usual
		for !spawned(c.tree, c.lengths, least) {
			least++
			require.Less(t, least, uint32(1000))
		}
		assert.Equal(t, c.least, least, "%v", c.lengths)
	}
}
