//go:build browser

package server_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// saidOfSizes is what docs/BROWSER.md says of the program's size, in megabytes.
var saidOfSizes = regexp.MustCompile(`program has ([0-9.]+) MB: ([0-9.]+) MB packed by gzip, ` +
	"which `serve` sends, and ([0-9.]+) MB by brotli")

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

	page, err := os.ReadFile("../../../docs/BROWSER.md")
	require.NoError(t, err)
	said := saidOfSizes.FindSubmatch(page)
	require.NotNil(t, said)
	for i, n := range []int{len(p.Wasm), zipped.Len(), broth.Len()} {
		megabytes, err := strconv.ParseFloat(string(said[1+i]), 64)
		require.NoError(t, err)
		assert.InDelta(t, megabytes, float64(n)/1e6, .06, "figure %d of docs/BROWSER.md", i)
	}
}
