package systems_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/save"
)

var (
	sizedKind   = layout.NewComponent("sized", uint32(7))
	sizedRecipe = systems.NewRecipe("sized", sizedKind)
)

// TestRowsByBlockInRoomsOfEverySize: a world whose blocks got their rows in any order goes on in
// one with another room, by Resized and by files.
func TestRowsByBlockInRoomsOfEverySize(t *testing.T) {
	sizes := []int{60, 64, 100, 128, 130, 192, 200}
	for _, had := range sizes {
		for _, room := range sizes {
			if min((min(had, room)+63)&^63, had) > room {
				continue // ids come by blocks
			}
			for _, more := range []int{-1, 0, 70} { // rows than objects; -1: no count
				for _, back := range []bool{false, true} {
					t.Run(fmt.Sprint(had, room, more, back), func(t *testing.T) {
						goesOnInRoom(t, had, room, more, back)
					})
				}
			}
		}
	}
}

func goesOnInRoom(t *testing.T, had, room, more int, back bool) {
	t.Helper()
	counts := func(objects int) systems.Counts {
		c := systems.Counts{GameObjects: objects, Recipes: []systems.Recipe{sizedRecipe}}
		if more >= 0 {
			c.Kinds = layout.Kinds(sizedKind.Count(objects + more))
		}
		return c
	}
	s, ids := systems.Must(systems.CreateState(counts(had))), make([]systems.GameObject, min(had, room))
	for i := range ids {
		s, ids[i] = systems.Must2(systems.Create(s))
	}
	if back {
		slices.Reverse(ids)
	}
	for _, id := range ids {
		s = systems.Must(systems.Add(s, id, sizedKind))
		s = systems.Must(systems.Set(s, id, sizedKind, id.Index()))
	}
	check := func(s systems.State, err error) {
		t.Helper()
		require.NoError(t, err)
		require.NoError(t, tool.Verify(s))
		for _, id := range ids {
			require.Equal(t, id.Index(), systems.Must(systems.Get(s, id, sizedKind)))
		}
		for systems.Len(s) < room {
			s, _ = systems.Must2(systems.Spawn(s, sizedRecipe))
		}
		require.NoError(t, tool.Verify(s))
		systems.Close(s)
	}
	check(systems.Resized(s, counts(room)))
	var b bytes.Buffer
	require.NoError(t, save.Write(&b, s, save.Options{}))
	r, n := bytes.NewReader(b.Bytes()), int64(b.Len())
	to, _, err := save.Read(r, n, counts(room), save.Options{})
	check(to, err)
	spare := systems.Must(systems.CreateState(counts(room)))
	to, _, err = save.Reread(r, n, spare, save.Options{})
	check(to, err)
	systems.Close(s)
}
