package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// The user data of the document's world. What is flat lies in the world's bytes, pictures beside.
var (
	birdCanvas   = layout.NewField[[2]float32]("canvas") // pixels; width, height
	birdOver     = layout.NewField[uint8]("game over")
	birdSpeed    = layout.NewField[float32]("speed", 2) // pixels per frame
	birdGap      = layout.NewField[float32]("gap")      // pixels between two pipes
	birdGame     = world.NewResource("flappy bird", birdCanvas, birdOver, birdSpeed, birdGap)
	birdPictures = world.NewShared("pictures", map[string]string(nil))
)

// birdWorld sets the user data up for a canvas.
func birdWorld(width, height float32, pictures map[string]string) world.State {
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 10, Resources: []world.ResourceKind{birdGame, birdPictures.Kind()},
	}))
	s = world.SetResource(s, birdCanvas, [2]float32{width, height})
	s = world.SetResource(s, birdGap, height/4)
	return birdPictures.Set(s, pictures)
}

func TestSeed_E5_UserData(t *testing.T) {
	pictures := map[string]string{"bird": "bird.png", "pipe": "pipe.png"}
	s := birdWorld(288, 512, pictures)
	assert.Equal(t, [2]float32{288, 512}, world.Resource(s, birdCanvas))
	assert.Equal(t, uint8(0), world.Resource(s, birdOver), "game over is false")
	assert.Equal(t, float32(2), world.Resource(s, birdSpeed))
	assert.Equal(t, float32(128), world.Resource(s, birdGap), "canvas height / 4")
	assert.Equal(t, pictures, birdPictures.Of(s))

	copied := world.Must(world.Clone(s))
	s = world.SetResource(s, birdOver, 1)
	s = world.SetResource(s, birdSpeed, world.Resource(s, birdSpeed)*1.5)
	s = birdPictures.Set(s, nil)
	assert.Equal(t, uint8(1), world.Resource(s, birdOver))
	assert.Equal(t, float32(3), world.Resource(s, birdSpeed))
	assert.Equal(t, uint8(0), world.Resource(copied, birdOver), "the copy goes its own way")
	assert.Equal(t, pictures, birdPictures.Of(copied))
	require.NoError(t, tool.Verify(s))

	none := world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	worldtest.PanicsWith(t, func() { world.Resource(none, birdSpeed) }, "flappy bird", "Counts.Resources")
	worldtest.PanicsWith(t, func() { birdPictures.Of(none) }, "pictures", "Counts.Resources")
}
