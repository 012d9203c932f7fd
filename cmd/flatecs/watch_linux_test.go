package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWatchLooksAtWhatIsPublished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	r := playArgs("run", "cubes", "--count", "100", "--frames", "5", "--publish", path)
	require.Zero(t, r.code, r.err)
	r = playArgs("watch", path, "--lines", "3")
	require.Zero(t, r.code, r.err)
	assert.Contains(t, r.out, "frame 6  tick ")
	assert.Contains(t, r.out, "Cube 100")
	assert.Contains(t, r.err, "has ended")
	r = playArgs("watch", filepath.Join(t.TempDir(), "none"))
	assert.Equal(t, 1, r.code)
	assert.Contains(t, r.err, "none")
}
