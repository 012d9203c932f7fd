package world_test

import (
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// named returns the objects of a name.
func named(s world.State, name string) []world.GameObject {
	return slices.Collect(world.Named(s, name))
}

// Names need not be unique.
func TestSeed_E1_EntitiesMayHaveAName(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 6, Names: 6}))
	s, ids := worldtest.Create(s, 6)
	s = world.Must(world.Dispose(s, ids...))
	var pipes [3]world.GameObject
	for i := range pipes { // indexes are used again, the last disposed first
		s, pipes[i] = world.Must2(worldtest.CreateNamed(s, "pipe"))
	}
	s, nobody := world.Must2(world.Create(s))
	s, empty := world.Must2(worldtest.CreateNamed(s, ""))
	assert.Equal(t, "pipe", world.Must(world.NameOf(s, pipes[0])))
	_, err := world.NameOf(s, nobody)
	require.ErrorIs(t, err, world.ErrAbsent)
	assert.Equal(t, []world.GameObject{empty}, named(s, ""), "no name is not the empty name")
	assert.Equal(t, pipes[:], named(s, "pipe"), "in creation order")

	s = world.Must(world.SetName(s, pipes[0], "tube"))
	s = world.Must(world.Remove(s, pipes[1], world.NameKind))
	assert.Equal(t, pipes[2:], named(s, "pipe"))
	s = world.Must(world.SetName(s, pipes[0], "pipe"))
	assert.Equal(t, []world.GameObject{pipes[0], pipes[2]}, named(s, "pipe"))
	require.NoError(t, tool.Verify(s))
}

// The user data of the document's world. What is flat lies in the world's bytes, pictures beside.
var (
	birdOver     = layout.NewField[uint8]("game over")
	birdSpeed    = layout.NewField[float32]("speed", 2) // pixels per frame
	birdGame     = world.NewResource("flappy bird", birdOver, birdSpeed)
	birdPictures = world.NewShared("pictures", map[string]string(nil))
)

func TestSeed_E5_UserData(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 10, Resources: []world.ResourceKind{birdGame, birdPictures.Kind()},
	}))
	pictures := map[string]string{"bird": "bird.png", "pipe": "pipe.png"}
	s = birdPictures.Set(s, pictures)
	assert.Zero(t, world.Resource(s, birdOver), "game over is false")
	copied := world.Must(world.Clone(s))
	s = world.SetResource(s, birdOver, 1)
	s = world.SetResource(s, birdSpeed, world.Resource(s, birdSpeed)*1.5)
	s = birdPictures.Set(s, nil)
	assert.Equal(t, uint8(1), world.Resource(s, birdOver))
	assert.Equal(t, float32(3), world.Resource(s, birdSpeed))
	assert.Zero(t, world.Resource(copied, birdOver), "the copy goes its own way")
	assert.Equal(t, pictures, birdPictures.Of(copied))
}
