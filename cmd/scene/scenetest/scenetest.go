// Package scenetest is what the tests of scenes have in common: a scene is opened by [Open], and
// drawn on a [Canvas].
package scenetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
)

// Open opens a scene, and closes its schedule when the test is over.
func Open(tb testing.TB, sc *scene.Scene, o scene.Options) (*scene.Play, world.State) {
	tb.Helper()
	p, err := sc.Open(o)
	require.NoError(tb, err)
	tb.Cleanup(p.Schedule.Close)
	return p, p.First
}
