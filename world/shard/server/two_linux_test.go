package server

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// Two servers of one store would overwrite each other's messages: the second one is refused, until
// the first one has stopped.
func TestAStoreHasOneServer(t *testing.T) {
	dir := t.TempDir()
	first := world.Must(Start(Options{Dir: dir}))
	_, err := Start(Options{Dir: dir})
	require.ErrorIs(t, err, ErrNotReady)
	require.ErrorContains(t, err, "another server has the store "+dir+"; stop it first")
	require.NoError(t, first.Stop())
	second := world.Must(Start(Options{Dir: dir}))
	_, err = Start(Options{Dir: dir, Port: 1, Host: "0.0.0.0", User: "a", Password: "b"})
	require.ErrorIs(t, err, ErrNotReady)
	require.NoError(t, second.Stop())
}
