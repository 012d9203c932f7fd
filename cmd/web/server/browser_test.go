//go:build browser

package server_test

import (
	"context"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/browse"
	"github.com/flatecs/flatecs/cmd/web/server"
)

// build builds the page's program once for all tests.
var build = sync.OnceValues(func() (server.Program, error) {
	return server.Build(context.Background(), server.App)
})

// TestMain ends the browser after the tests.
func TestMain(m *testing.M) { os.Exit(browse.Main(m)) }

// serving serves the page until the test is over and returns its address.
func serving(t *testing.T, start server.Start) string {
	t.Helper()
	p, err := build()
	require.NoError(t, err)
	h, err := server.NewHandler(p, start, true)
	require.NoError(t, err)
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// A tab is a page that is open in the browser.
type tab struct{ browse.Tab }

// spying counts the instanced and the plain draws of WebGL, and the buffers' uploads, whatever the
// program says of itself. Draws are those of the latest frame.
const spying = `
globalThis.spied = { instanced: [], plain: 0, uploads: [], frames: 0 };
for (const [name, see] of Object.entries({
	drawArraysInstanced: (mode, first, count, n) => spied.instanced.push(n),
	drawArrays: (mode, first, count) => { if (count === 4) spied.plain++; },
	bufferSubData: (target, offset, source, at, n) =>
		spied.uploads.push({ bytes: n * 4, memory: source.buffer.byteLength }),
})) {
	const draw = WebGL2RenderingContext.prototype[name];
	WebGL2RenderingContext.prototype[name] = function (...args) {
		see(...args);
		return draw.apply(this, args);
	};
}
const next = requestAnimationFrame;
globalThis.requestAnimationFrame = (f) => next((at) => {
	Object.assign(spied, { instanced: [], plain: 0, uploads: [] });
	f(at);
	spied.frames++;
});
`

// visit opens the page, so many pixels large, runs a script before its own, and waits for a scene.
func visit(t *testing.T, url, script string, width, height int64, more ...chromedp.EmulateViewportOption) tab {
	t.Helper()
	b := open(t, url, script, width, height, more...)
	b.Until(`globalThis.flatecs?.now?.steps >= 0`)
	return b
}

// open opens any page.
func open(t *testing.T, url, script string, width, height int64, more ...chromedp.EmulateViewportOption) tab {
	t.Helper()
	return tab{browse.Open(t, url, script, width, height, more...)}
}

// value evaluates an expression on the page.
func value[T any](b tab, expression string, how ...chromedp.EvaluateOption) T {
	b.T.Helper()
	return browse.Value[T](b.Tab, expression, how...)
}

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
