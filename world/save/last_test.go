package save

import (
	"testing"

	"github.com/flatecs/flatecs/systems"
	"github.com/stretchr/testify/require"
)

// at returns the small file as it would be at a tick.
func at(t *testing.T, tick uint64) []byte {
	t.Helper()
	return forged(t, write(t, small(t), smallOptions()), func(h *header, parts [][]byte) {
		h.tick = tick
		little.PutUint64(parts[find(h, "world.tick")], tick)
	})
}

func TestTicksThatNoWorldIsAtAreRefused(t *testing.T) {
	for _, tick := range []uint64{0, systems.MaxTick + 1, 1<<64 - 1} {
		_, err := read(at(t, tick))
		require.ErrorIs(t, err, ErrDamaged, "%d", tick)
		require.ErrorContains(t, err, "no world is at tick")
	}
}
