package systems

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// Children goes on with the right one wherever its loop changes the world, in worlds with and
// without room for so many objects that ids are fetched ahead.
func TestChildrenOfManyMayBeChangedInTheirLoop(t *testing.T) {
	for _, room := range []int{400, 300_000} {
		for _, at := range []int{0, 1, 31, 32, 33, 63, 64, 95, 127, 128, 199} {
			for _, before := range []bool{false, true} {
				t.Run(fmt.Sprint(room, " ", at, " ", before), func(t *testing.T) {
					changeInLoop(t, room, at, before)
				})
			}
		}
	}
}

// changeInLoop disposes the child after the one at a place, and adds one at the end, and perhaps one
// before those that were visited, while it goes over 200.
func changeInLoop(t *testing.T, room, at int, before bool) {
	t.Helper()
	s := closedLater(t, sure(CreateState(Counts{
		GameObjects: room, Recipes: []Recipe{node},
		Kinds: layout.Kinds(childOf.Count(400), local.Count(400), global.Count(400),
			burden.Count(400)),
	})))
	ids := make([]GameObject, 300)
	for i := range ids {
		s, ids[i] = made(Spawn(s, node))
	}
	want := ids[50:250]
	for _, id := range want {
		s = sure(Set(s, id, childOf, ids[0]))
	}
	require.Equal(t, want, slices.Collect(Children(s, childOf, ids[0])))
	var got []GameObject
	for c := range Children(s, childOf, ids[0]) {
		if got = append(got, c); len(got) == at+1 {
			if at+1 < len(want) {
				s = sure(DisposeGameObject(s, want[at+1]))
			}
			if before {
				s = sure(Set(s, ids[1], childOf, ids[0]))
			}
			s = sure(Set(s, ids[299], childOf, ids[0]))
			ChildCount(s, childOf, ids[0]) // derives the lists anew
		}
	}
	want = append(slices.Clone(want), ids[299])
	if at < 199 {
		want = slices.Delete(want, at+1, at+2)
	}
	assert.Equal(t, want, got)
}
