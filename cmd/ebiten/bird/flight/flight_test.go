package flight

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// The bird dies without flaps; back at the beginning the world has its initial bytes, and with
// flaps in time the bird flies on from there.
func TestTheBirdFliesBackwards(t *testing.T) {
	f := New()
	defer f.Close()
	first := world.Digest(f.state)
	for range 2 {
		for !f.Dead() {
			require.NoError(t, f.Fly(false))
		}
		died := world.Tick(f.state)
		require.NoError(t, f.Fly(true))
		assert.Equal(t, died, world.Tick(f.state), "the dead do not fly")
		for range died + 10 {
			require.NoError(t, f.Back())
		}
		assert.Equal(t, first, world.Digest(f.state))
	}
	for range 1_000 {
		require.NoError(t, f.Fly(f.Bird()[1] > f.aim()+10))
		require.False(t, f.Dead(), "at tick %d", world.Tick(f.state))
	}
}

// aim is the height of the next pipe's gap.
func (f *Flight) aim() (height float32) {
	next := float32(2 * Width)
	f.Pipes(func(x, y float32) {
		if x > f.Bird()[0]-Size && x < next {
			next, height = x, y
		}
	})
	return height
}
