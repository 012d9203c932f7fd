//go:build browser

package browse

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

var (
	shots = flag.String("shots", filepath.Join(os.TempDir(), "flatecs-shots"),
		"folder for pictures of the pages, to be looked at")
	patience = flag.Duration("patience", 5*time.Minute, "how long a page is open at most")
)

// browser starts chromium once for all tests, with Mesa's software rendering.
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

// Main runs the tests of a package, for its TestMain, and closes the browser after them. It returns
// the exit code.
func Main(m *testing.M) int {
	code := m.Run()
	_ = chromedp.Cancel(browser())
	return code
}

// A Tab is an open page. It is closed when the test ends.
type Tab struct {
	T       *testing.T
	Ctx     context.Context
	console *console
}

// A console collects the page's console output, and failed loads.
type console struct {
	mu    sync.Mutex
	lines []string
}

func (c *console) add(event any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		c.lines = append(c.lines, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	case *runtime.EventConsoleAPICalled:
		c.lines = append(c.lines, string(e.Type))
	}
}

// Console returns the page's console output: warnings, errors and messages.
func (b Tab) Console() []string {
	b.console.mu.Lock()
	defer b.console.mu.Unlock()
	return slices.Clone(b.console.lines)
}

// Open opens a page with a size in pixels, and runs a script before the page's own. An exception on
// the page fails the test.
func Open(
	t *testing.T, url, script string, width, height int64, more ...chromedp.EmulateViewportOption,
) Tab {
	t.Helper()
	browser := browser()
	_, err := chromedp.Run(browser, chromedp.Evaluate[int]("1"))
	require.NoError(t, err,
		"Debian's packages chromium, libegl1, libgl1, libgles2 and libgl1-mesa-dri are needed")
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, *patience)
	t.Cleanup(stop)
	b := Tab{t, ctx, &console{}}
	require.NoError(t, chromedp.Listen(ctx, func(event any) {
		b.console.add(event)
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

// Value evaluates an expression on the page.
func Value[T any](b Tab, expression string, how ...chromedp.EvaluateOption) T {
	b.T.Helper()
	v, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](expression, how...))
	require.NoError(b.T, err, expression)
	return v
}

// Until waits for an expression to be true.
func (b Tab) Until(expression string) {
	b.T.Helper()
	for !Value[bool](b, "Boolean("+expression+")") {
		select {
		case <-b.Ctx.Done():
			require.Fail(b.T, "timed out", expression)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Shot takes a screenshot of the page and stores it in the folder.
func (b Tab) Shot(name string) image.Image {
	b.T.Helper()
	content, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
	require.NoError(b.T, err)
	require.NoError(b.T, os.MkdirAll(*shots, 0o755))
	path := filepath.Join(*shots, name+".png")
	require.NoError(b.T, os.WriteFile(path, content, 0o644))
	b.T.Log("see", path)
	picture, err := png.Decode(bytes.NewReader(content))
	require.NoError(b.T, err)
	return picture
}
