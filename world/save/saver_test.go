package save_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/save"
)

func TestASaverSavesWhatTheWorldWas(t *testing.T) {
	s, c := busy(t)
	path := filepath.Join(t.TempDir(), "a.flat")
	o := options()
	v := world.Must(save.NewSaver(path, s, o))
	for i := range 5 {
		s = stir(t, s, 3)
		digest, tick := world.Digest(s), world.Tick(s)
		require.NoError(t, v.Offer(s))
		s = stir(t, s, 3) // while it is written
		require.NoError(t, v.Wait())
		assert.Equal(t, save.SaverCounts{Saved: uint64(i + 1)}, v.Counts())
		back, report := world.Must2(save.Load(path, c, o))
		assert.Equal(t, tick, report.Tick)
		assert.Equal(t, digest, world.Digest(back))
		world.Close(back)
	}
	require.NoError(t, v.Close())
}

// A gate is a codec that waits until it may go on.
func gated(gate chan struct{}) save.Options {
	o := options()
	o.Codecs[0] = save.Values(label,
		func(dst []byte, _ string) ([]byte, error) { <-gate; return dst, nil },
		func([]byte) (string, error) { return "", nil })
	return o
}

// TestAClosedSaverSavesNothing: closing twice is closing once, and an offer is refused.
func TestAClosedSaverSavesNothing(t *testing.T) {
	s, _ := busy(t)
	v := world.Must(save.NewSaver(filepath.Join(t.TempDir(), "a.flat"), s, options()))
	require.NoError(t, v.Close())
	require.NoError(t, v.Close())
	require.ErrorIs(t, v.Offer(s), save.ErrClosed)
	require.NoError(t, v.Wait())
}

func TestALateSaveIsTold(t *testing.T) {
	s, _ := busy(t)
	gate := make(chan struct{})
	v, err := save.NewSaver(filepath.Join(t.TempDir(), "a.flat"), s, gated(gate))
	require.NoError(t, err)
	require.NoError(t, v.Offer(s))
	s = world.Advance(s)
	err = v.Offer(s)
	require.ErrorIs(t, err, save.ErrLate)
	require.ErrorContains(t, err, "at tick 902: the previous save is still being written, that of tick 901")
	close(gate)
	require.NoError(t, v.Wait())
	require.NoError(t, v.Offer(s))
	require.NoError(t, v.Close())
	assert.Equal(t, save.SaverCounts{Saved: 2, Late: 1}, v.Counts())
}

func TestASaveThatFailsIsTold(t *testing.T) {
	s, _ := busy(t)
	dir := filepath.Join(t.TempDir(), "gone")
	require.NoError(t, os.Mkdir(dir, 0o755))
	v, err := save.NewSaver(filepath.Join(dir, "a.flat"), s, options())
	require.NoError(t, err)
	require.NoError(t, os.Remove(dir))
	require.NoError(t, v.Offer(s))
	require.ErrorIs(t, v.Wait(), os.ErrNotExist)
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, v.Offer(s))
	require.NoError(t, v.Close())
	assert.Equal(t, save.SaverCounts{Saved: 1, Failed: 1}, v.Counts())
	_, err = save.NewSaver(filepath.Join(dir, "no", "a.flat"), s, options())
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestWhatIsNotSettledIsNotSaved(t *testing.T) {
	s, _ := busy(t)
	v := world.Must(save.NewSaver(filepath.Join(t.TempDir(), "a.flat"), s, options()))
	for range world.NewQuery(world.Write(heroes.Position)).In(s) {
		require.ErrorIs(t, v.Offer(s), world.ErrWalking)
	}
	world.Record(s).Create()
	require.ErrorIs(t, v.Offer(s), tool.ErrUnapplied)
	require.EqualError(t, save.Write(nil, s, options()),
		"flatecs: 1 commands are recorded and not applied; call Apply first")
	s = world.Must(world.Apply(s))
	require.NoError(t, v.Offer(s))
	require.NoError(t, v.Close())
}

func TestAllocsOffer(t *testing.T) {
	s, _ := busy(t)
	gate := make(chan struct{})
	v := world.Must(save.NewSaver(filepath.Join(t.TempDir(), "a.flat"), s, gated(gate)))
	p := world.Must(world.NewSnapshot(s))
	assert.Zero(t, testing.AllocsPerRun(20, func() {
		require.NoError(t, p.Take(s)) // what Offer does in the loop's time
	}))
	close(gate)
	require.NoError(t, v.Close())
}
