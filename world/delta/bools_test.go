package delta_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
)

// TestDeltasBringNoOtherBools: a delta that leads to a bool that is neither 0 nor 1 is refused, and
// leaves the world as it was.
func TestDeltasBringNoOtherBools(t *testing.T) {
	s := motley(70)
	s, id, err := world.CreateWith(s, thing)
	require.NoError(t, err)
	forged := world.Must(world.Clone(s))
	parts := tool.Parts(forged)
	i := slices.IndexFunc(parts, func(p tool.Part) bool { return p.Name == "mixed" })
	row := world.Must(world.RowOf(s, id, thing))
	open := parts[i].Field.Parts[4]
	require.Equal(t, "Open", open.Name)
	for _, value := range []byte{2, 1, 0} {
		open.Bytes(parts[i].Bytes[int(row)*parts[i].Unit:])[0] = value
		d := world.Must(delta.Append(nil, s, forged))
		before := world.Must(world.Clone(s))
		next, err := delta.Apply(s, d)
		if s = next; value > 1 {
			require.ErrorIs(t, err, delta.ErrDamaged)
			require.True(t, world.Equal(before, s))
			continue
		}
		require.NoError(t, err)
		require.Equal(t, value == 1, world.Must(world.Get(s, id, mixed)).Open)
	}
}
