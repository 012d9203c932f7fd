//go:build browser

package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/flappy"
	"github.com/flatecs/flatecs/cmd/web/browse"
	"github.com/flatecs/flatecs/cmd/web/server"
)

// build builds the page's program once for all tests.
var build = sync.OnceValues(func() (server.Program, error) {
	return server.Build(context.Background(), server.App, nil)
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

// spying counts the instanced and the plain draws of WebGL, and the buffers' uploads, independently
// of the program's own report. Draws belong to the latest frame.
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

// visit opens the page with a size in pixels, runs a script before its own, and waits for a scene.
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

// checkSize fails if the page's program grows. A program that calls JavaScript once has 1.9 MB, and
// 0.43 MB packed; fmt adds 0.7 and 0.13.
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

// script is what the pilot presses in a game without a browser.
func script(t *testing.T, o scene.Options, steps int) (inputs []scene.Input) {
	t.Helper()
	p, err := flappy.Scene.Open(o)
	require.NoError(t, err)
	s := p.First
	for range steps {
		inputs = append(inputs, flappy.Scene.Pilot(s))
		s = p.Step(s, inputs[len(inputs)-1])
	}
	p.Close(s)
	return inputs
}

func TestAScriptedGame(t *testing.T) {
	const steps = 900
	b := visit(t, serving(t, start("flappy"))+"?paused&variant=passed", spying, 960, 640)
	o := scene.Options{Seed: 1, Variant: flappy.Passed}
	inputs := script(t, o, steps)
	text, err := json.Marshal(asInts(inputs))
	require.NoError(t, err)
	value[bool](b, fmt.Sprintf(`(flatecs.step(%s), true)`, text))
	change := func(to *scene.Options) { *to = o }
	pressed := func(step int) scene.Input { return inputs[step] }
	assert.Equal(t, played(t, "flappy", change, steps, pressed), b.digest())
	assert.Equal(t, "Score 7", b.report().Words)
	assert.Equal(t, 1, b.report().Texts)
	b.frames(2)
	flying := b.Shot("flappy")
	assert.Greater(t, lit(flying), 100_000)
	b.fine()

	value[bool](b, `(flatecs.step(300), true)`)
	assert.Contains(t, b.report().Words, "GAME OVER", "nobody flaps")
	b.frames(2)
	assert.Greater(t, differing(flying, b.Shot("flappy-over")), 10_000)
	digest := b.digest()
	value[bool](b, `(flatecs.step(30), true)`)
	shown := b.report().Words

	require.NoError(t, chromedp.Do(b.Ctx, chromedp.KeyEvent(" ")))
	value[bool](b, `(flatecs.step(2), true)`)
	assert.NotEqual(t, digest, b.digest())
	assert.NotEqual(t, shown, b.report().Words)
	assert.Contains(t, b.report().Words, "Score 0\nGET READY", "another game, by the space bar")
	b.frames(2)
	b.Shot("flappy-again")
}

// The document's own text is a variant.
func TestTheVariantOfTheDocument(t *testing.T) {
	b := visit(t, serving(t, start("flappy"))+"?paused&variant=document", spying, 960, 640)
	value[bool](b, `(flatecs.step(8), true)`)
	assert.Equal(t, "【ECS实现】得分:7", b.report().Words)
	assert.Contains(t, value[string](b, `document.getElementById("seen").textContent`), "Chinese")
	b.frames(2)
	b.Shot("flappy-document")
}

func asInts(inputs []scene.Input) (all []int) {
	for _, i := range inputs {
		all = append(all, int(i))
	}
	return all
}

func TestTheSpaceBarAndTheMouseFlapOnce(t *testing.T) {
	b := visit(t, serving(t, start("flappy"))+"?paused", spying, 960, 640)
	require.NoError(t, chromedp.Do(b.Ctx, chromedp.KeyEvent(" ")))
	value[bool](b, `(flatecs.step(10), true)`)
	require.NoError(t, chromedp.Do(b.Ctx, chromedp.MouseClickXY(480, 320)))
	value[bool](b, `(flatecs.step(10), true)`)
	twice := func(step int) scene.Input {
		if step == 0 || step == 10 {
			return flappy.Flap
		}
		return 0
	}
	assert.Equal(t, played(t, "flappy", func(*scene.Options) {}, 20, twice), b.digest())
}

// shownOtherwise is how many sprites another future's canvas shows that the first one's does not.
const shownOtherwise = `(() => {
	const [first, other] = ["#stage canvas:not(.ghost, .other, .rings)", ".ghost, .other:not(.rings)"]
		.map((s) => document.querySelector(s)?.sprites ?? []);
	const has = new Set(first.map((s) => s.key));
	return other.filter((s) => !has.has(s.key)).length;
})()`

// A bird that has died stays as a ghost where time went back and it flies on.
func TestAGhostStays(t *testing.T) {
	b := visit(t, serving(t, start("flappy"))+"?fork=465", spying, 960, 640)
	b.Until(`document.querySelector(".ghost") && flatecs.now.steps >= 550`)
	assert.Positive(t, value[int](b, shownOtherwise), "another future is seen")
	b.Until(`flatecs.now.steps >= 620`)
	flies := `flatecs.now.words.startsWith("Score ") && !flatecs.now.words.includes("OVER")`
	assert.True(t, value[bool](b, flies))
	b.Shot("flappy-ghost")
	b.fine()
	value[bool](b, `(document.getElementById("past").value = 500,
		document.getElementById("past").oninput(), true)`)
	assert.False(t, value[bool](b, `!!document.querySelector(".ghost")`), "back in time alone")
}

// Without a player, a random number is drawn after going back, and both futures are seen.
func TestTwoFuturesSideBySide(t *testing.T) {
	b := visit(t, serving(t, start("tanks"))+"?count=20&fork=465", spying, 960, 640)
	b.Until(`document.querySelector(".other:not(.rings)") && flatecs.now.steps >= 600`)
	assert.Greater(t, value[int](b, shownOtherwise), 10)
	assert.Equal(t, []string{"ANOTHER FUTURE", "PAST"}, value[[]string](b,
		`[...document.querySelectorAll(".rings")].map((c) => c.ariaLabel)`))
	assert.True(t, value[bool](b, `(() => {
		const [future, past] = [...document.querySelectorAll(".rings")];
		const inks = (c) => {
			const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.width * .06);
			return data.filter((v, i) => i % 4 === 3 && v > 0).length;
		};
		return past.getBoundingClientRect().left < future.getBoundingClientRect().left &&
			inks(past) > 100 && inks(future) > 1.5 * inks(past);
	})()`), "words above both")
	assert.Positive(t, b.report().Bytes, "sprites have places")
	b.Shot("tanks-futures")
	b.fine()
	value[bool](b, `(document.getElementById("again").click(), true)`)
	assert.False(t, value[bool](b, `!!document.querySelector(".other")`))
}
