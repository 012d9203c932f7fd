package world_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
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

func TestSeed_E1_EntitiesMayHaveAName(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 10, Names: 5}))
	s, bird := world.Must2(worldtest.CreateNamed(s, "bird"))
	s, nobody := world.Must2(world.Create(s))
	s, empty := world.Must2(worldtest.CreateNamed(s, ""))

	assert.Equal(t, "bird", world.Must(world.NameOf(s, bird)))
	_, err := world.NameOf(s, nobody)
	require.ErrorIs(t, err, world.ErrAbsent)
	assert.Empty(t, world.Must(world.NameOf(s, empty)))
	assert.Equal(t, []world.GameObject{empty}, named(s, ""), "no name is not the empty name")
	assert.Equal(t, []world.GameObject{bird, empty},
		slices.Collect(world.NewQuery(world.With(world.NameKind)).Objects(s)), "who has a name")
	require.NoError(t, tool.Verify(s))
}

func TestSeed_E1_NamesNeedNotBeUnique(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 10, Names: 10}))
	s, ids := worldtest.Create(s, 10)
	s = world.Must(world.Dispose(s, ids...))
	var pipes []world.GameObject
	for i := range uint32(5) { // indexes are used again, the last disposed first
		var id world.GameObject
		s, id = world.Must2(worldtest.CreateNamed(s, "pipe"))
		pipes = append(pipes, id)
		require.Equal(t, 9-2*i, id.Index())
		s, _ = world.Must2(worldtest.CreateNamed(s, "not a pipe"))
	}
	assert.Equal(t, pipes, named(s, "pipe"), "in creation order")
	assert.Len(t, named(s, "not a pipe"), 5)
	assert.Empty(t, named(s, "pip"))

	s = world.Must(world.SetName(s, pipes[1], "tube"))
	s = world.Must(world.Dispose(s, pipes[2]))
	assert.Equal(t, []world.GameObject{pipes[0], pipes[3], pipes[4]}, named(s, "pipe"))
	s = world.Must(world.SetName(s, pipes[1], "pipe"))
	s, last := world.Must2(worldtest.CreateNamed(s, "pipe"))
	order := []world.GameObject{pipes[0], pipes[1], pipes[3], pipes[4], last}
	assert.Equal(t, order, named(s, "pipe"), "renamed, and of a used index")
	s = world.Must(world.Remove(s, pipes[0], world.NameKind))
	assert.Equal(t, order[1:], named(s, "pipe"))

	copied := world.Must(world.Clone(s))
	assert.Equal(t, world.Bytes(s), world.Bytes(copied))
	assert.Equal(t, order[1:], named(copied, "pipe"))
	require.NoError(t, tool.Verify(s))
}

func TestSeed_E1_FaultsOfNames(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 3, Names: 1}))
	s, bird := world.Must2(worldtest.CreateNamed(s, "bird"))
	s, other := world.Must2(world.Create(s))
	s, dead := world.Must2(world.Create(s))
	s = world.Must(world.Dispose(s, dead))
	before := slices.Clone(world.Bytes(s))
	for _, c := range []struct {
		name string
		id   world.GameObject
		err  error
		text string
	}{
		{strings.Repeat("a", 64), bird, systems.ErrName, "at most 63 bytes"},
		{"a\xffb", bird, systems.ErrName, "UTF-8"},
		{"b", other, world.ErrFull, "Raise Counts.Names"},
		{"b", dead, world.ErrDead, "game object 2"},
	} {
		refused, err := world.SetName(s, c.id, c.name)
		require.ErrorIs(t, err, c.err)
		require.ErrorContains(t, err, c.text)
		assert.Equal(t, before, world.Bytes(refused))
		s = refused
	}
	assert.Equal(t, []world.GameObject{bird}, named(s, "bird"))
}

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
