package server

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/shard"
)

// A store that stops, which NATS does where the disk is full, ends the wait for it.
func TestAStoreThatStopsIsNamed(t *testing.T) {
	dir := t.TempDir()
	s, err := Start(Options{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Stop()) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, s.Wait(ctx))
	require.NoError(t, s.s.ShutdownJetStream())
	err = s.Wait(t.Context())
	require.ErrorIs(t, err, ErrStore)
	assert.ErrorContains(t, err, dir)
}

func TestAUserWithoutAPasswordIsNobody(t *testing.T) {
	_, err := Start(Options{Dir: t.TempDir(), Host: "0.0.0.0", User: "crowd"})
	require.ErrorIs(t, err, shard.ErrOpen)
}
