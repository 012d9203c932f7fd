//go:build browser

package server_test

import (
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/browse"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world"
)

// area returns where an element is on the page; nothing where it is not shown.
func (b tab) area(selector string) image.Rectangle {
	b.T.Helper()
	r := value[[]float64](b, fmt.Sprintf(`(() => {
		const r = document.querySelector(%q).getBoundingClientRect();
		return [r.left, r.top, r.right, r.bottom];
	})()`, selector))
	return image.Rect(int(r[0]), int(r[1]), int(r[2]), int(r[3]))
}

// A window is the shape of one.
type window struct {
	name       string
	wide, high int64
	mobile     bool
}

// windows are the shapes in which a scene is looked at.
var windows = []window{
	{"desktop", 1280, 720, false},
	{"large", 1920, 1080, false},
	{"portrait", 390, 844, true},
	{"landscape", 844, 390, true},
	{"small-landscape", 667, 375, true},
	{"smallest-landscape", 640, 360, true},
}

// In every shape of window the figures are beside the scene, and what plays it is on the page. The
// window of an open page gets one shape after the other.
func TestNothingCoversTheScene(t *testing.T) {
	for _, name := range []string{"heroes", "boids", "tanks", "cubes", "flappy"} {
		// Each page is closed before the next: it draws for as long as it is open.
		t.Run(name, func(t *testing.T) {
			count := map[string]int{"heroes": 20_000, "boids": 2000, "tanks": 200, "cubes": 1000}[name]
			url := fmt.Sprintf("%s?count=%d&paused", serving(t, start(name)), count)
			b := visit(t, url, spying, windows[0].wide, windows[0].high)
			value[bool](b, `(flatecs.step(120), true)`)
			for _, w := range windows {
				if !strings.HasPrefix(w.name, "small") || name == "tanks" { // which has the most below it
					t.Run(w.name, func(t *testing.T) {
						w.showsAll(tab{browse.Tab{T: t, Ctx: b.Ctx}}, name)
					})
				}
			}
		})
	}
}

// showsAll requires that nothing covers a scene in the window.
func (w window) showsAll(b tab, name string) {
	t := b.T
	t.Helper()
	how := []chromedp.EmulateViewportOption{}
	if w.mobile {
		how = append(how, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	}
	require.NoError(t, chromedp.Do(b.Ctx, chromedp.EmulateViewport(w.wide, w.high, how...)))
	b.Until(fmt.Sprintf(`innerWidth === %d && innerHeight === %d`, w.wide, w.high))
	b.Until(`!document.getElementById("timeline").hidden`)
	b.frames(2)
	b.Shot(fmt.Sprintf("%s-%s", w.name, name))
	if value[bool](b, `document.body.classList.contains("plain")`) {
		b.click("show-report")
		b.frames(3)
		b.Shot(fmt.Sprintf("%s-%s-figures", w.name, name))
		defer b.click("show-report") // as the next window has it
	}
	page := image.Rect(0, 0, int(w.wide), int(w.high))
	scene := b.area("#stage canvas")
	assert.True(t, scene.In(page), scene)
	share := float64(scene.Dx()*scene.Dy()) / float64(page.Dx()*page.Dy())
	assert.Greater(t, share, .2, "of the window")
	middle := scene.Min.Add(scene.Max).Div(2)
	assert.InDelta(t, w.wide/2, middle.X, float64(w.wide)/4, "the field's place")
	for _, shown := range []string{"#report", "#timeline", "#controls", "#about"} {
		at := b.area(shown)
		assert.True(t, !at.Empty() && at.In(page), "%s at %v", shown, at)
	}
	assert.False(t, b.area("#report").Overlaps(scene))
	assert.False(t, b.area("#report").Overlaps(b.area("#controls")))
	assert.LessOrEqual(t, value[int](b, `document.documentElement.scrollWidth`), int(w.wide))
	assert.Empty(t, b.unlabelled())
	bar := b.area("#controls")
	for i := range value[int](b, `document.getElementById("controls").children.length`) {
		at := b.area(fmt.Sprintf("#controls > :nth-child(%d)", i+1))
		assert.True(t, at.In(bar), "control %d at %v", i, at)
	}
	b.fine()
}

// unlabelled returns the ids of sliders and lists that are shown without words beside them.
func (b tab) unlabelled() (ids []string) {
	b.T.Helper()
	return value[[]string](b, `[...document.querySelectorAll("input, select")].filter((e) =>
		e.offsetWidth > 0 && !(e.labels.length === 1 &&
			e.labels[0].querySelector("span")?.offsetWidth > 0)).map((e) => e.id)`)
}

func TestWhatIsSeenIsSaid(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=100&paused&variant=rain", spying, 960, 540)
	seen := value[string](b, `document.getElementById("about").textContent`)
	assert.Contains(t, seen, "Cubes fall")
	assert.Contains(t, seen, "they come in again at the top")
	assert.Contains(t, seen, "Guide")
	assert.Contains(t, seen, "Source")
	assert.Equal(t, []string{"fall", "camera", "rain"},
		value[[]string](b, `[...document.getElementById("variant").options].map((o) => o.value)`))
	assert.Equal(t, "rain", value[string](b, `document.getElementById("variant").value`))
}

// Who asked for less motion gets a scene that stands still, and a game that waits anyway.
func TestReducedMotion(t *testing.T) {
	const calm = spying + `
		const query = globalThis.matchMedia;
		globalThis.matchMedia = (text) =>
			text.includes("prefers-reduced-motion") ? { matches: true } : query(text);`
	for name, still := range map[string]bool{"heroes": true, "flappy": false} {
		t.Run(name, func(t *testing.T) {
			b := visit(t, serving(t, start(name))+"?count=2000", calm, 640, 360)
			b.frames(3)
			assert.Equal(t, still, value[bool](b, `flatecs.now.paused`), name)
			assert.Equal(t, still, !value[bool](b, `document.getElementById("notice").hidden`), name)
			if still {
				assert.Zero(t, b.report().Steps)
				b.Shot("reduced-motion")
				require.NoError(t, chromedp.Do(b.Ctx, chromedp.Click("#notice button")))
				assert.True(t, value[bool](b, `document.getElementById("notice").hidden`))
				b.keys("p")
				b.Until(`flatecs.now.steps > 0`)
			}
		})
	}
}

// The exported page runs from any server of files, in any folder; what was changed is refused.
func TestTheExportedPage(t *testing.T) {
	p := world.Must(build())
	root := t.TempDir()
	dir := filepath.Join(root, "some", "where")
	for _, e := range world.Must(server.Export(p, server.Start{Scene: "heroes", Seed: 1}, dir)) {
		t.Logf("%d bytes, %d gzip, %d brotli: %s", e.Plain, e.Gzip, e.Brotli, e.Name)
		if strings.HasSuffix(e.Name, ".wasm") {
			checkSize(t, e)
		}
	}
	plain := http.FileServer(http.Dir(root))
	for name, files := range map[string]http.Handler{
		"known": plain,
		"unknown types": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if filepath.Ext(r.URL.Path) == ".wasm" {
				w.Header().Set("Content-Type", "application/octet-stream")
			}
			plain.ServeHTTP(w, r)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(files)
			t.Cleanup(s.Close)
			b := visit(t, s.URL+"/some/where/?count=2000&paused", spying, 960, 540)
			value[bool](b, `(flatecs.step(300), true)`)
			assert.Equal(t, played(t, "heroes", few, 300, nothing), b.digest(), name)
			b.fine()
			b.frames(2)
			b.Shot("exported")
		})
	}

	wasm := world.Must(filepath.Glob(filepath.Join(dir, "app-*.wasm")))
	content := world.Must(os.ReadFile(wasm[0]))
	content[len(content)-1] ^= 1
	require.NoError(t, os.WriteFile(wasm[0], content, 0o600))
	s := httptest.NewServer(plain)
	t.Cleanup(s.Close)
	b := open(t, s.URL+"/some/where/", spying, 640, 360)
	b.Until(`!document.getElementById("notice").hidden`)
	assert.Contains(t, value[string](b, `document.getElementById("notice").textContent`),
		"could not be started")
}

// The graph of frames has one scale, whatever they cost.
func TestTheGraphKeepsItsScale(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=100&paused", spying, 960, 540)
	b.frames(5)
	b.click("show-report")
	var before, after []int
	line := `JSON.stringify((() => {
		const graph = document.getElementById("graph"), pen = graph.getContext("2d");
		drawn = pen.getImageData(graph.width - 1, 0, 1, graph.height).data;
		return [...Array(graph.height).keys()].filter((y) => drawn[4 * y + 3] > 0);
	})())`
	b.Until(`(() => {
		const graph = document.getElementById("graph"), pen = graph.getContext("2d");
		return pen.getImageData(graph.width - 1, 0, 1, graph.height).data.some((v) => v > 0);
	})()`)
	require.NoError(t, json.Unmarshal([]byte(value[string](b, "globalThis.drawn = 0, "+line)), &before))
	value[bool](b, `(() => { // a frame that takes long
		const frame = flatecs.frame;
		flatecs.frame = (at) => {
			frame(at);
			for (const begin = performance.now(); performance.now() - begin < 60;);
			flatecs.now.drawMs = 60;
		};
		return true;
	})()`)
	b.frames(20)
	require.NoError(t, json.Unmarshal([]byte(value[string](b, line)), &after))
	b.Shot("slow-frames")
	assert.NotEmpty(t, before)
	assert.Subset(t, after, before)
}

// A scene that is a plane lies in the middle between the bars, as large as fits there, in every
// shape of window, whether it hears inputs or not; a field without words on its side in a high one.
func TestPlanesLieBetweenTheBars(t *testing.T) {
	for _, w := range []window{
		{"phone", 390, 844, true},
		{"phone-on-its-side", 844, 390, true},
		{"desktop", 1280, 720, false},
		{"large", 1920, 1080, false},
	} {
		for _, name := range []string{"tanks", "flappy"} {
			t.Run(w.name+"-"+name, func(t *testing.T) { w.showsPlane(t, name) })
		}
	}
}

func (w window) showsPlane(t *testing.T, name string) {
	t.Helper()
	how := []chromedp.EmulateViewportOption{}
	if w.mobile {
		how = append(how, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	}
	b := visit(t, serving(t, start(name))+"?count=200&paused", spying, w.wide, w.high, how...)
	value[bool](b, `(flatecs.step(240), true)`)
	b.Until(`!document.getElementById("timeline").hidden`)
	b.frames(2)
	b.Shot(fmt.Sprintf("plane-%s-%s", w.name, name))
	page := image.Rect(0, 0, int(w.wide), int(w.high))
	plane, stage := b.area("#stage canvas"), b.area("#stage")
	assert.True(t, plane.In(page) && plane.In(stage), "%v in %v", plane, stage)
	for _, bar := range []string{"#scenes", "#about", "#report", "#timeline", "#controls"} {
		assert.False(t, b.area(bar).Overlaps(plane), "%s at %v, the plane at %v", bar, b.area(bar), plane)
	}
	off := plane.Min.Add(plane.Max).Sub(stage.Min.Add(stage.Max)) // twice from middle to middle
	assert.True(t, off.In(image.Rect(-2, -2, 3, 3)), "%v is not in the middle of %v", plane, stage)
	share := max(float64(plane.Dx())/float64(stage.Dx()), float64(plane.Dy())/float64(stage.Dy()))
	assert.Greater(t, share, .98, "%v in %v", plane, stage)
	high := name == "tanks" && w.wide < w.high
	assert.Equal(t, high, plane.Dy() > plane.Dx(), "%v on its side", plane)
	if high {
		assert.Greater(t, plane.Dx()*plane.Dy(), page.Dx()*page.Dy()/2, "half of a phone")
	}
	b.fine()
}

// focus sets the focus as the tab key would.
func (b tab) focus(selector string) {
	b.T.Helper()
	value[bool](b, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, selector))
}

// A game that was chosen by a key on its button hears the next keys, and its button flaps by keys.
func TestAGameByKeyboardAlone(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=100&paused", spying, 640, 360)
	b.focus(`#scenes button:last-child`)
	b.keys(kb.Enter)
	b.Until(`document.title.endsWith("flappy")`)
	assert.Equal(t, "stage", value[string](b, `document.activeElement.id`))
	for _, from := range []string{"#stage", "#press", "#step"} {
		b.keys("r")
		b.focus(from)
		still := value[string](b, `(flatecs.step(20), flatecs.digest())`)
		b.keys("r")
		b.focus(from)
		key := " "
		if from == "#step" {
			key = kb.ArrowUp // space presses the button
		}
		b.keys(key)
		assert.NotEqual(t, still, value[string](b, `(flatecs.step(20), flatecs.digest())`), from)
	}
	b.fine()
}

// The view is turned by keys, and steps are taken from any button.
func TestTheViewByKeyboardAlone(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=500&paused", spying, 640, 360)
	first := b.picture("view")
	for _, key := range []string{kb.PageUp, kb.PageDown} {
		b.keys(key)
		assert.Greater(t, differing(first, b.picture("view-nearer")), 500, "%q", key)
		b.keys("0")
		assert.Zero(t, differing(first, b.picture("view-again")))
	}
	for _, key := range []string{kb.ArrowLeft, kb.ArrowUp} {
		require.NoError(t, chromedp.Do(b.Ctx,
			chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierShift))))
		assert.Greater(t, differing(first, b.picture("view-turned")), 500, "%q", key)
		b.keys("0")
	}
	steps := b.report().Steps
	b.focus("#again")
	b.keys(kb.ArrowRight)
	assert.Equal(t, steps+1, b.report().Steps)
	b.focus("#count")
	b.keys(kb.ArrowRight)
	assert.Zero(t, b.report().Steps, "a slider takes the arrows: other objects, from the start")
}

// The head of the page is one line of buttons on a phone.
func TestThePhonesButtonsAreInOneRow(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=100&paused", spying, 360, 740,
		chromedp.EmulateMobile)
	b.Shot("phone-narrow")
	at := b.area("#scenes")
	for _, selector := range []string{"#show-report", "#show-help"} {
		assert.Less(t, b.area(selector).Min.Y, at.Max.Y, selector)
	}
	assert.LessOrEqual(t, value[int](b, `document.querySelector("nav").scrollWidth -
		document.querySelector("nav").clientWidth`), 0, "all scenes are seen")
}
