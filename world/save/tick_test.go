package save

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems"
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

func TestAWorldAtItsLastTickIsSavedAndLoaded(t *testing.T) {
	for _, tick := range []uint64{systems.MaxTick - 20, systems.MaxTick} {
		s, err := read(at(t, tick))
		require.NoError(t, err)
		s = disturb(s, 100)
		assert.Equal(t, uint64(systems.MaxTick), systems.Tick(s))
		back, err := read(write(t, s, smallOptions()))
		require.NoError(t, err)
		assert.Equal(t, systems.Digest(s), systems.Digest(back))
		systems.Close(s)
		systems.Close(back)
	}
}

func TestFramesAreInTheFileBesideTicks(t *testing.T) {
	s := small(t)
	for frame, want := range map[uint64]uint64{0: 0, 300: 300, 1<<64 - 1: maxFrame} {
		o := smallOptions()
		o.Frame = frame
		file := write(t, s, o)
		_, report, err := Read(bytes.NewReader(file), int64(len(file)), smallCounts(), smallOptions())
		require.NoError(t, err)
		assert.Equal(t, want, report.Frame)
		assert.Equal(t, systems.Tick(s), report.Tick)
	}
	file := forged(t, write(t, s, smallOptions()), func(h *header, _ [][]byte) {
		h.frame = maxFrame + 1
	})
	_, err := read(file)
	require.ErrorIs(t, err, ErrDamaged)
}

func TestASaverSavesTheFrameOfWhatIsOffered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.flat")
	s := small(t)
	v, err := NewSaver(path, s, smallOptions())
	require.NoError(t, err)
	for frame := uint64(1); frame < 4; frame++ {
		v.Frame = frame
		require.NoError(t, v.Offer(s))
		require.NoError(t, v.Wait())
		f, err := Open(path)
		require.NoError(t, err)
		assert.Equal(t, frame, f.Frame())
		require.NoError(t, f.Close())
	}
	require.NoError(t, v.Close())
}
