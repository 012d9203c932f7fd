package world_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// Nobody is what a reference holds before it is set, and what clears it.
func TestNobodyIsTheZeroID(t *testing.T) {
	aim := layout.NewComponent[world.GameObject]("nobody aim")
	gunner := world.NewRecipe("nobody gunner", aim)
	s := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(aim), Recipes: []world.Recipe{gunner},
	}))
	defer func() { world.Close(s) }()
	s, first, err := world.Spawn(s, gunner)
	require.NoError(t, err)
	s, second, err := world.Spawn(s, gunner)
	require.NoError(t, err)
	s = world.Must(world.Set(s, second, aim, first))
	assert.Equal(t, world.Nobody, world.Must(world.Get(s, first, aim)))
	assert.Equal(t, first, world.Must(world.Get(s, second, aim)))
	s = world.Must(world.Set(s, second, aim, world.Nobody))
	assert.Equal(t, world.Nobody, world.Must(world.Get(s, second, aim)))
	assert.False(t, world.Alive(s, world.Nobody))
	assert.Equal(t, "nobody", fmt.Sprint(world.Nobody))
}
