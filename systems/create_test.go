package systems

import (
	"testing"

	"github.com/flatecs/flatecs/systems/internal/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCommandsAreAllocatedWithTheFirst: also those of a copy and of a snapshot.
func TestCommandsAreAllocatedWithTheFirst(t *testing.T) {
	s, err := CreateState(Counts{GameObjects: 10})
	require.NoError(t, err)
	empty := taken(s)
	for _, commands := range []command.Buffer{s.use().records.commands, empty.commands} {
		assert.Zero(t, commands.Room())
	}
	Record(s).Create()
	assert.Equal(t, command.First, s.use().records.commands.Room())

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
		assert.Equal(t, 1, Len(s), name)
	}
	copied = sure(Apply(copied))
	assert.Equal(t, 1, Len(copied))
}
