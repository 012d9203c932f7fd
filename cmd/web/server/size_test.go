//go:build browser

package server_test

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/deflate"
	"github.com/flatecs/flatecs/cmd/web/server"
)

// TestTheProgramStaysSmall is there to be noticed by whoever makes it larger. A program that calls
// JavaScript once has 2.0 MB, and 0.41 MB packed; fmt adds 0.7 and 0.13. Package slim makes 1.50 MB
// of bytes packed as usual 1.16, and writes zeros to do so, 0.3 MB of them, which pack to nothing;
// package deflate makes 1.10 of them.
func TestTheProgramStaysSmall(t *testing.T) {
	p, err := build()
	require.NoError(t, err)
	packed := len(deflate.Gzip(p.Wasm))
	t.Logf("%d bytes, %d packed", len(p.Wasm), packed)
	assert.Less(t, len(p.Wasm), 5_800_000)
	assert.Less(t, packed, 1_100_000)
}

// The page on the browser says how large what is sent is, to a hundredth of a megabyte or two.
func TestSizesOfThePage(t *testing.T) {
	text, err := os.ReadFile("../../../docs/BROWSER.md")
	require.NoError(t, err)
	said := regexp.MustCompile(`(?s)writes is ([0-9.]+) MB packed with gzip, and ([0-9.]+) MB with brotli; ` +
		"`serve` sends ([0-9.]+) MB").FindSubmatch(text)
	require.NotNil(t, said)
	p, err := build()
	require.NoError(t, err)
	list, err := server.Export(p, start("heroes"), t.TempDir())
	require.NoError(t, err)
	sent := [3]int{}
	for _, e := range list {
		sent[0], sent[1] = sent[0]+e.Gzip, sent[1]+e.Brotli
	}
	site := serving(t, start("heroes"))
	for _, name := range []string{
		"", "app.wasm", "wasm_exec.js", "heap.js", "start.json", "page.js", "page.css", "icon.svg",
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site+"/"+name, nil)
		require.NoError(t, err)
		r.Header.Set("Accept-Encoding", "gzip") // so that nothing unpacks it here
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		n, err := io.Copy(io.Discard, answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		sent[2] += int(n)
	}
	for i, n := range sent {
		megabytes, err := strconv.ParseFloat(string(said[1+i]), 64)
		require.NoError(t, err)
		assert.InDelta(t, megabytes, float64(n)/1e6, .02, "figure %d of docs/BROWSER.md", i)
	}
}
