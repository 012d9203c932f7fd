package world_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// TestWorldsThatAreGivenUpReturnTheirMemory: of a hundred large worlds whose step panicked, as many
// mappings remain as Close keeps for the next world.
func TestWorldsThatAreGivenUpReturnTheirMemory(t *testing.T) {
	mappings := func() int {
		text, err := os.ReadFile("/proc/self/maps")
		require.NoError(t, err)
		return bytes.Count(text, []byte("\n"))
	}
	room := layout.NewComponent[[64]uint64]("room")
	before := mappings()
	for range 100 {
		s := world.Must(world.CreateState(world.Counts{
			GameObjects: 20_000, Kinds: layout.Kinds(room.Count(20_000)),
		}))
		func() {
			defer func() {
				if recover() == nil {
					return
				}
				var err error
				s, err = world.Recovered(s)
				require.NoError(t, err)
				world.Close(s)
			}()
			next, _ := world.Must2(world.CreateWith(s, room))
			_ = world.Advance(next)
			panic("a bug")
		}()
	}
	require.Less(t, mappings(), before+60)
}
