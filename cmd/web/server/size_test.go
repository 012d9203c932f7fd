//go:build browser

package server_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheProgramStaysSmall is there to be noticed by whoever makes it larger. A program that calls
// JavaScript once has 1.9 MB, and 0.43 MB packed; fmt adds 0.7 and 0.13. Package slim makes 1.44 MB
// of packed bytes 1.13, and writes zeros to do so, 0.3 MB of them, which pack to nothing.
func TestTheProgramStaysSmall(t *testing.T) {
	p, err := build()
	require.NoError(t, err)
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	require.NoError(t, err)
	_, err = z.Write(p.Wasm)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	t.Logf("%d bytes, %d packed", len(p.Wasm), packed.Len())
	assert.Less(t, len(p.Wasm), 5_700_000)
	assert.Less(t, packed.Len(), 1_140_000)
}
