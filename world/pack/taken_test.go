package pack_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
)

// A number that another object has is taken, also when there is no room for more of them: a program
// that asks for a free number by trying goes on, and does not raise Counts.Globals for nothing.
func TestATakenNumberIsTakenAlsoWhenGlobalsAreUsedUp(t *testing.T) {
	ship := layout.NewComponent[float32]("taken ship")
	fleet := world.NewRecipe("taken fleet", ship)
	s := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(ship), Recipes: []world.Recipe{fleet}, Globals: 2,
	}))
	defer func() { world.Close(s) }()
	var ids []world.GameObject
	for number := range uint64(3) {
		var id world.GameObject
		s, id = world.Must2(world.Spawn(s, fleet))
		ids = append(ids, id)
		if number < 2 {
			s = world.Must(pack.SetGlobal(s, id, number+1))
		}
	}
	before := world.Digest(s)
	for number, want := range []error{pack.ErrGlobal, pack.ErrTaken, pack.ErrTaken, world.ErrFull} {
		var err error
		s, err = pack.SetGlobal(s, ids[2], uint64(number))
		require.ErrorIs(t, err, want, "number %d", number)
		assert.Equal(t, before, world.Digest(s), "a refused number leaves the world as it was")
	}
	_, err := pack.SetGlobal(s, ids[2], 2)
	require.ErrorContains(t, err, "another object has this global id, 1; give each")
}
