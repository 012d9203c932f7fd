package save_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/save"
)

// A loaded or resized world draws as the one before, whatever seed its counts have.
func TestRandomNumbersGoOn(t *testing.T) {
	counts := func(seed uint64) world.Counts {
		return world.Counts{Kinds: layout.Kinds(heroes.Position), Seed: seed}
	}
	for _, of := range []uint64{42, 0} {
		goesOn(t, counts, of)
	}
}

// goesOn is TestRandomNumbersGoOn for one seed.
func goesOn(t *testing.T, counts func(seed uint64) world.Counts, of uint64) {
	t.Helper()
	next := func(s world.State) (world.State, [2]uint64) {
		s, r := world.NextStream(s)
		here := world.Random(s, 5)
		return s, [2]uint64{r.Uint64(), here.Uint64()}
	}
	given := counts(of)
	given.Random = true
	s := world.Must(world.CreateState(given))
	s, _ = next(s)
	path := filepath.Join(t.TempDir(), "world.flat")
	require.NoError(t, save.Save(path, s, save.Options{}))
	for _, seed := range []uint64{42, 7, 0} {
		loaded, report := world.Must2(save.Load(path, counts(seed), save.Options{}))
		assert.Equal(t, of, report.Counts.Seed)
		assert.True(t, report.Counts.Random)
		assert.Empty(t, report.Kept)
		resized := world.Must(world.Resized(s, counts(seed)))
		fork := world.Must(world.Clone(s))
		var want, got [2]uint64
		fork, want = next(fork)
		for _, other := range []world.State{loaded, resized} {
			assert.Equal(t, of, world.CountsOf(other).Seed)
			other, got = next(other)
			assert.Equal(t, want, got, "seed %d", seed)
			world.Close(other)
		}
		world.Close(fork)
	}

	plain := world.Must(world.CreateState(counts(0)))
	require.NoError(t, save.Save(path, plain, save.Options{}))
	loaded, report := world.Must2(save.Load(path, counts(9), save.Options{}))
	assert.Equal(t, []string{"random source"}, report.New)
	assert.Equal(t, uint64(9), world.CountsOf(loaded).Seed)
	world.Close(loaded)
	world.Close(plain)
	world.Close(s)
}
