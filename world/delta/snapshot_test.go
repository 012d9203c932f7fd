//go:build !ecsrelease

package delta_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
)

// TestASnapshotIsNotChanged: a delta that fits is refused before a byte is written.
func TestASnapshotIsNotChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := stir(motley(100), r, 50)
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	before := p.Digest()
	d := world.Must(delta.Append(nil, s, stir(world.Must(world.Clone(s)), r, 50)))
	assert.Panics(t, func() { _, _ = delta.Apply(p.State(), d) })
	assert.Equal(t, before, p.Digest())
}
