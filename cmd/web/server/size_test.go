//go:build browser

package server_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/deflate"
)

// TestTheProgramStaysSmall is there to be noticed by whoever makes it larger. A program that calls
// JavaScript once has 1.9 MB, and 0.43 MB packed; fmt adds 0.7 and 0.13. Package slim makes 1.44 MB
// of packed bytes 1.13, and writes zeros to do so, 0.3 MB of them, which pack to nothing; package
// deflate makes 1.10 of them.
func TestTheProgramStaysSmall(t *testing.T) {
	p, err := build()
	require.NoError(t, err)
	packed := len(deflate.Gzip(p.Wasm))
	t.Logf("%d bytes, %d packed", len(p.Wasm), packed)
	assert.Less(t, len(p.Wasm), 5_800_000)
	assert.Less(t, packed, 1_100_000)
}
