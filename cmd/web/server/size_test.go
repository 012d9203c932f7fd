//go:build browser

package server_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheProgramStaysSmall is there to be noticed by whoever makes it larger. A program that calls
// JavaScript once has 1.9 MB, and 0.43 MB packed; fmt adds 0.7 and 0.13.
func TestTheProgramStaysSmall(t *testing.T) {
	p, err := build()
	require.NoError(t, err)
	var zipped, broth bytes.Buffer
	g, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	require.NoError(t, err)
	b := brotli.NewWriterLevel(&broth, brotli.BestCompression)
	for _, w := range []interface {
		Write(b []byte) (int, error)
		Close() error
	}{g, b} {
		_, err = w.Write(p.Wasm)
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
	t.Logf("%d bytes, %d by gzip, %d by brotli", len(p.Wasm), zipped.Len(), broth.Len())
	assert.Less(t, len(p.Wasm), 5_800_000)
	assert.Less(t, zipped.Len(), 1_600_000)
	assert.Less(t, broth.Len(), 1_300_000)
}
