package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWatchLooksAtWhatIsPublished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	out, errs, code := call(t, "run", "cubes", "--count", "100", "--frames", "5", "--publish", path)
	require.Zero(t, code, out+errs)
	out, errs, code = call(t, "watch", path, "--lines", "3")
	require.Zero(t, code, out+errs)
	assert.Contains(t, out, "frame 6  tick ")
	assert.Contains(t, out, "Cube 100")
	assert.Contains(t, errs, "has ended")
	_, errs, code = call(t, "watch", filepath.Join(t.TempDir(), "none"))
	assert.Equal(t, 1, code)
	assert.Contains(t, errs, "none")
}
