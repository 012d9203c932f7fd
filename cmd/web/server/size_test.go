//go:build browser

package server_test

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/server"
)

// saidOfSizes is what docs/BROWSER.md says of the program's size, in megabytes.
var saidOfSizes = regexp.MustCompile(`program has ([0-9.]+) MB: ([0-9.]+) MB packed by gzip, ` +
	"which `serve` sends, and ([0-9.]+) MB by brotli")

// checkSize is there to be noticed by whoever makes the page's program larger. A program that calls
// JavaScript once has 1.9 MB, and 0.43 MB packed; fmt adds 0.7 and 0.13.
func checkSize(t *testing.T, program server.Exported) {
	t.Helper()
	assert.Less(t, program.Plain, 5_800_000)
	assert.Less(t, program.Gzip, 1_600_000)
	assert.Less(t, program.Brotli, 1_300_000)

	page, err := os.ReadFile("../../../docs/BROWSER.md")
	require.NoError(t, err)
	said := saidOfSizes.FindSubmatch(page)
	require.NotNil(t, said)
	for i, n := range []int{program.Plain, program.Gzip, program.Brotli} {
		megabytes, err := strconv.ParseFloat(string(said[1+i]), 64)
		require.NoError(t, err)
		assert.InDelta(t, megabytes, float64(n)/1e6, .06, "figure %d of docs/BROWSER.md", i)
	}
}
