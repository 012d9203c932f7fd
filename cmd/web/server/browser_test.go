//go:build browser

package server_test

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/server"
)

var shots = flag.String("shots", filepath.Join(os.TempDir(), "flatecs-shots"),
	"folder for pictures of the pages, to be looked at")

// build builds the page's program once for all tests.
var build = sync.OnceValues(func() (server.Program, error) {
	return server.Build(context.Background(), server.App, nil)
})

// browser starts chromium once for all tests; the card is Mesa's, which draws with the processor.
var browser = sync.OnceValue(func() context.Context {
	ctx, _ := chromedp.NewExecAllocator(context.Background(), append(
		chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox,
		chromedp.Flag("use-gl", "angle"), chromedp.Flag("use-angle", "gl-egl"),
		chromedp.Flag("ignore-gpu-blocklist", true),
	)...)
	ctx, _ = chromedp.NewContext(ctx)
	return ctx
})

// TestMain ends the browser after the tests.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	_ = chromedp.Cancel(browser())
	os.Exit(code)
}

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
type tab struct {
	t   *testing.T
	ctx context.Context
}

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
	b.until(`globalThis.flatecs?.now?.steps >= 0`)
	return b
}

// open opens any page.
func open(t *testing.T, url, script string, width, height int64, more ...chromedp.EmulateViewportOption) tab {
	t.Helper()
	browser := browser()
	_, err := chromedp.Run(browser, chromedp.Evaluate[int]("1"))
	require.NoError(t, err, "Debian's packages chromium, libegl1, libgl1, libgles2 and libgl1-mesa-dri are needed")
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(stop)
	b := tab{t, ctx}
	require.NoError(t, chromedp.Listen(ctx, func(event any) {
		if e, thrown := event.(*runtime.EventExceptionThrown); thrown {
			t.Errorf("the page failed: %v", e.ExceptionDetails)
		}
	}))
	_, err = chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, height, more...),
		chromedp.Navigate(url)))
	return b
}

// value evaluates an expression on the page.
func value[T any](b tab, expression string, how ...chromedp.EvaluateOption) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, how...))
	require.NoError(b.t, err, expression)
	return v
}

// until waits for an expression to be true.
func (b tab) until(expression string) {
	b.t.Helper()
	for !value[bool](b, "Boolean("+expression+")") {
		select {
		case <-b.ctx.Done():
			require.Fail(b.t, "waited in vain", expression)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// shot takes a picture of the page and keeps it in the folder.
func (b tab) shot(name string) image.Image {
	b.t.Helper()
	content, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b.t, err)
	require.NoError(b.t, os.MkdirAll(*shots, 0o755))
	path := filepath.Join(*shots, name+".png")
	require.NoError(b.t, os.WriteFile(path, content, 0o644))
	b.t.Log("see", path)
	picture, err := png.Decode(bytes.NewReader(content))
	require.NoError(b.t, err)
	return picture
}
