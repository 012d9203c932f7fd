package family_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
