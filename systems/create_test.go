package systems

import (
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scatteredHeroes returns a world whose rows lie in no order, so that walks gather them.
func scatteredHeroes(t *testing.T, n int) State {
	t.Helper()
	s := sure(CreateState(Counts{GameObjects: n, Kinds: layout.Kinds(
		Position.Count(n), Velocity.Count(n), MaxVelocity.Count(n),
	)}))
	kinds := []Kind{Position.Kind(), Velocity.Kind(), MaxVelocity.Kind()}
	for range n {
		for _, k := range kinds {
			s = changed(CreateComponent(s, k))
		}
	}
	for i := range n {
		var id GameObject
		s, id = made(CreateGameObject(s))
		for _, k := range kinds {
			s = sure(Mount(s, id, k, Row((i*7+3)%n)))
		}
	}
	return s
}

type nobody struct{}

func (nobody) Init()                        {}
func (nobody) DrawOne(uint32, []byte)       {}
func (nobody) DrawInstances(string, []byte) {}

// TestAllocsOfAFirstStep: the built-in systems allocate nothing, not even when first used.
func TestAllocsOfAFirstStep(t *testing.T) {
	for name, step := range map[string]func(State) State{
		"Move":            MoveAll,
		"Fly":             FlyAll,
		"Update":          Update,
		"RenderOneByOne":  func(s State) State { return RenderOneByOne(s, nobody{}) },
		"RenderInstances": func(s State) State { return RenderInstances(s, nobody{}) },
	} {
		t.Run(name, func(t *testing.T) {
			worlds := make([]State, 6)
			for i := range worlds {
				worlds[i] = scatteredHeroes(t, 20)
			}
			assert.Zero(t, testing.AllocsPerRun(len(worlds)-1, func() {
				step(worlds[0])
				worlds = worlds[1:]
			}))
		})
	}
}

// TestCommandsAreAllocatedWithTheFirst: also those of a copy and of a snapshot.
func TestCommandsAreAllocatedWithTheFirst(t *testing.T) {
	s, err := CreateState(Counts{GameObjects: 10})
	require.NoError(t, err)
	empty := taken(s)
	for _, commands := range []command.Buffer{s.use().commands, empty.commands} {
		assert.Zero(t, commands.Room())
	}
	Record(s).Create()
	assert.Equal(t, command.First, s.use().commands.Room())

	full := taken(s)
	copied := sure(Clone(s))
	s = sure(Restore(s, empty))
	require.NoError(t, settled(s), "nothing was recorded then")
	require.NoError(t, empty.Take(copied), "it has room for what is recorded now")
	for name, p := range map[string]*Snapshot{"full": full, "empty": empty} {
		s, err = Restore(s, p)
		require.NoError(t, err, name)
		s, err = Apply(s)
		require.NoError(t, err, name)
		assert.Equal(t, 1, Live(s), name)
	}
	copied = sure(Apply(copied))
	assert.Equal(t, 1, Live(copied))
}
