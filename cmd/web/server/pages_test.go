//go:build browser

package server_test

import (
	"encoding/json"
	"fmt"
	"image"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world"
)

// A report is what the program says of its last frame.
type report struct {
	WebGL      bool    `json:"webgl"`
	Steps      int     `json:"steps"`
	Oldest     int     `json:"oldest"`
	Newest     int     `json:"newest"`
	DrawCalls  int     `json:"drawCalls"`
	Batches    int     `json:"batches"`
	Instances  int     `json:"instances"`
	Singles    int     `json:"singles"`
	Lines      int     `json:"lines"`
	Sprites    int     `json:"sprites"`
	Texts      int     `json:"texts"`
	Bytes      int     `json:"bytes"`
	Live       int     `json:"live"`
	Words      string  `json:"words"`
	StepMillis float64 `json:"stepMs"`
	DrawMillis float64 `json:"drawMs"`
}

func (b tab) report() (r report) {
	b.T.Helper()
	require.NoError(b.T, json.Unmarshal([]byte(value[string](b, `JSON.stringify(flatecs.now)`)), &r))
	return r
}

func (b tab) digest() string {
	b.T.Helper()
	return value[string](b, `flatecs.digest()`)
}

// figure returns what the page shows of a name.
func (b tab) figure(name string) string {
	b.T.Helper()
	return value[string](b, fmt.Sprintf(`document.getElementById("figure-%s").textContent`, name))
}

func (b tab) click(id string) {
	b.T.Helper()
	require.NoError(b.T, chromedp.Do(b.Ctx, chromedp.Click("#"+id)))
}

// slide sets a slider as a hand would that lets it go.
func (b tab) slide(id string, place int) {
	b.T.Helper()
	value[bool](b, fmt.Sprintf(`(() => {
		const slider = document.getElementById(%q);
		slider.value = %d;
		slider.dispatchEvent(new Event("input"));
		slider.dispatchEvent(new Event("change"));
		return true;
	})()`, id, place))
}

func (b tab) keys(keys string) {
	b.T.Helper()
	require.NoError(b.T, chromedp.Do(b.Ctx, chromedp.KeyEvent(keys)))
}

// frames waits until a number of further frames were drawn.
func (b tab) frames(n int) {
	b.T.Helper()
	until := value[int](b, `spied.frames`) + n
	b.Until(fmt.Sprintf(`spied.frames >= %d`, until))
}

// fine requires that WebGL has nothing to complain of.
func (b tab) fine() {
	b.T.Helper()
	assert.Zero(b.T, value[int](b, `flatecs.problem()`), "an error of WebGL")
	assert.True(b.T, value[bool](b, `document.getElementById("notice").hidden`))
}

// picture takes a picture of the scene alone.
func (b tab) picture(name string) image.Image {
	b.T.Helper()
	hide := func(on bool) {
		value[bool](b, fmt.Sprintf(`(() => {
			for (const e of document.querySelectorAll("header, aside, footer")) e.hidden = %v;
			return true;
		})()`, on))
	}
	hide(true)
	defer hide(false)
	b.frames(2)
	return b.Shot(name)
}

// lit counts the pixels that are clearly brighter than the sky.
func lit(picture image.Image) (n int) {
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			if r, g, b, _ := picture.At(x, y).RGBA(); r+g+b > 0x8000 {
				n++
			}
		}
	}
	return n
}

// differing counts the pixels of two pictures that are not the same.
func differing(a, b image.Image) (n int) {
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}

// played returns the digest of a scene that is played here, without a browser.
func played(t *testing.T, name string, change func(*scene.Options), steps int, press func(int) scene.Input) string {
	t.Helper()
	sc := world.Must(gallery.ByName(name))
	o := sc.Defaults
	o.Seed = 1
	change(&o)
	p := world.Must(sc.Open(o))
	s := p.First
	for step := range steps {
		s = p.Step(s, press(step))
	}
	digest := world.Digest(s)
	p.Close(s)
	return fmt.Sprintf("%016x", digest)
}

func nothing(int) scene.Input { return 0 }

func few(o *scene.Options) { o.Count = 2000 }

func start(name string) server.Start { return server.Start{Scene: name, Seed: 1} }

func TestCubesAreOneDraw(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=2000&paused", spying, 1280, 720)
	b.frames(3)
	assert.Equal(t, []int{2000}, value[[]int](b, `spied.instanced`))
	r := b.report()
	assert.True(t, r.WebGL)
	assert.Equal(t, report{
		WebGL: true, DrawCalls: 1, Batches: 1, Instances: 2000, Bytes: 24_000, Live: 2001,
		StepMillis: r.StepMillis, DrawMillis: r.DrawMillis,
	}, r)
	b.fine()
	assert.Greater(t, lit(b.Shot("cubes")), 20_000)
}

func TestHeroesAreOneDrawAndSupersOneEach(t *testing.T) {
	b := visit(t, serving(t, start("heroes"))+"?count=20000&supers=12&paused", spying, 1280, 720)
	value[bool](b, `(flatecs.step(240), true)`)
	b.frames(3)
	assert.Equal(t, []int{20_000}, value[[]int](b, `spied.instanced`))
	assert.Equal(t, 12, value[int](b, `spied.plain`))
	r := b.report()
	assert.Equal(t, []int{13, 1, 20_000, 12}, []int{r.DrawCalls, r.Batches, r.Instances, r.Singles})
	assert.Equal(t, 20_012*12, r.Bytes)
	before := b.Shot("heroes")
	assert.Greater(t, lit(before), 20_000)
	b.fine()
	digest := b.digest()
	b.keys("l")
	b.frames(3)
	assert.Equal(t, []int{20_000, 12}, value[[]int](b, `spied.instanced`), "all lines are one")
	assert.Equal(t, 12, b.report().Lines)
	assert.Equal(t, digest, b.digest())
	assert.Greater(t, differing(before, b.Shot("heroes-lines")), 1000)
	b.click("lines")
	b.frames(3)
	assert.Zero(t, b.report().Lines)
	value[bool](b, `(flatecs.step(60), true)`)
	b.frames(2)
	assert.NotEqual(t, digest, b.digest())
	assert.Greater(t, differing(before, b.Shot("heroes-later")), 20_000)
}

func TestTheBrowsersWorldIsTheSame(t *testing.T) {
	for _, name := range []string{"cubes", "heroes", "flappy"} {
		t.Run(name, func(t *testing.T) {
			b := visit(t, serving(t, start(name))+"?count=2000&paused", spying, 640, 360)
			assert.Equal(t, played(t, name, few, 0, nothing), b.digest(), name)
			value[bool](b, `(flatecs.step(300), true)`)
			assert.Equal(t, played(t, name, few, 300, nothing), b.digest(), name)
			b.Until(`document.getElementById("figure-step").textContent === "300"`)
			assert.Equal(t, b.digest(), b.figure("digest"))
		})
	}
}

func TestPauseStepAndRewind(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=2000", spying, 960, 540)
	b.Until(`flatecs.now.steps > 5`)
	b.click("pause")
	steps, digest := b.report().Steps, b.digest()
	before := b.picture("paused")
	b.frames(3)
	assert.Equal(t, digest, b.digest(), "nothing moves while it is paused")
	assert.Equal(t, steps, b.report().Steps)
	assert.Zero(t, differing(before, b.picture("paused")))

	for range 40 {
		b.click("step")
	}
	assert.Equal(t, steps+40, b.report().Steps)
	assert.Equal(t, played(t, "cubes", few, steps+40, nothing), b.digest())
	assert.Greater(t, differing(before, b.picture("stepped")), 1000)

	b.slide("past", steps)
	assert.Equal(t, steps, b.report().Steps)
	assert.Equal(t, steps+40, b.report().Newest)
	assert.Equal(t, digest, b.digest())
	assert.Zero(t, differing(before, b.picture("rewound")), "the past looks as it did")
	b.Shot("rewound-page")
	b.keys(kb.ArrowRight)
	b.keys(",")
	b.keys(",")
	assert.Equal(t, steps-1, b.report().Steps, "and by keyboard")

	b.click("pause")
	b.Until(fmt.Sprintf(`flatecs.now.steps > %d`, steps+1))
	r := b.report()
	assert.Equal(t, r.Newest, r.Steps, "another future")
	b.fine()
}

func TestSpeed(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=100", spying, 320, 240)
	rate := func(speed string) float64 {
		value[bool](b, fmt.Sprintf(`(() => {
			const list = document.getElementById("speed");
			list.value = %q;
			list.dispatchEvent(new Event("change"));
			return true;
		})()`, speed))
		steps := b.report().Steps
		b.frames(30)
		return float64(b.report().Steps - steps)
	}
	assert.Greater(t, rate("4"), 2*rate("0.25"))
}

func TestTheCountChanges(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=100&paused", spying, 960, 540)
	before := b.picture("count-100")
	digest := b.digest()
	b.slide("count", 50)
	r := b.report()
	assert.Equal(t, 3200, r.Instances)
	assert.Equal(t, 3200*12, r.Bytes)
	assert.Equal(t, "3,200", value[string](b, `document.getElementById("counted").value`))
	b.frames(2)
	assert.Equal(t, []int{3200}, value[[]int](b, `spied.instanced`))
	after := b.picture("count-3200")
	assert.Greater(t, lit(after), 4*lit(before))
	assert.NotEqual(t, digest, b.digest())
	assert.Equal(t, played(t, "cubes", func(o *scene.Options) { o.Count = 3200 }, 0, nothing), b.digest())
	b.fine()
}

func TestColumnsAreReadInPlaceAfterTheMemoryGrew(t *testing.T) {
	b := visit(t, serving(t, start("cubes"))+"?count=100&paused", spying, 320, 240)
	type upload struct{ Bytes, Memory int }
	b.frames(2)
	first := value[[]upload](b, `spied.uploads`)
	require.Len(t, first, 1)
	assert.Equal(t, 1200, first[0].Bytes)
	b.slide("count", 75)
	b.frames(2)
	n := b.report().Instances
	require.Greater(t, n, 50_000)
	then := value[[]upload](b, `spied.uploads`)
	require.Len(t, then, 1, "one upload for all, of the memory as it is by now")
	assert.Equal(t, n*12, then[0].Bytes)
	assert.Greater(t, then[0].Memory, first[0].Memory)
	assert.Greater(t, value[int](b, `flatecs.now.views`), 1)
	b.fine()
}

func TestWithoutWebGLTheProcessorDraws(t *testing.T) {
	const none = spying + `
		const context = HTMLCanvasElement.prototype.getContext;
		HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
			return kind === "webgl2" ? null : context.call(this, kind, ...more);
		};`
	const little = spying + `
		WebGL2RenderingContext.prototype.getExtension = () => null;`
	url := serving(t, start("cubes")) + "?count=2000&paused"
	card := visit(t, url, spying, 960, 540)
	want := lit(card.picture("cubes-card"))
	for name, script := range map[string]string{"none": none, "little": little} {
		here := visit(t, url, script, 960, 540)
		assert.False(t, here.report().WebGL)
		assert.Contains(t, value[string](here, `document.getElementById("notice").textContent`),
			"WebGL2")
		assert.Equal(t, card.report().Instances, here.report().Instances)
		here.Shot("webgl-" + name)
		assert.InEpsilon(t, want, lit(here.picture("cubes-processor")), .2, "much the same")
		value[bool](here, `(flatecs.step(60), true)`)
		assert.Equal(t, played(t, "cubes", few, 60, nothing), here.digest())
	}
}

func TestAPhone(t *testing.T) {
	b := visit(t, serving(t, start("flappy"))+"?paused", spying, 390, 844,
		chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	value[bool](b, `(flatecs.step(20), true)`)
	b.frames(2)
	b.Shot("phone-flappy")
	flapped := b.digest()
	for _, kind := range []input.DispatchTouchEventType{
		input.DispatchTouchEventTypeTouchStart, input.DispatchTouchEventTypeTouchEnd,
	} {
		params := input.DispatchTouchEventParams{Type: kind, TouchPoints: []*input.TouchPoint{}}
		if kind == input.DispatchTouchEventTypeTouchStart {
			params.TouchPoints = append(params.TouchPoints, &input.TouchPoint{X: 195, Y: 300})
		}
		world.Must(chromedp.Call(b.Ctx, input.DispatchTouchEvent, params))
	}
	value[bool](b, `(flatecs.step(1), true)`)
	assert.NotEqual(t, flapped, b.digest())
	once := func(step int) scene.Input {
		if step == 20 {
			return 1
		}
		return 0
	}
	assert.Equal(t, played(t, "flappy", few, 21, once), b.digest(), "a touch is one flap")
	b.click("show-report")
	b.Shot("phone-figures")
	assert.LessOrEqual(t, value[int](b, `document.documentElement.scrollWidth`), 390)
	b.fine()
}

// Figures are closed until a user opens them, and nothing is on the console.
func TestAFirstSightOfTheScenes(t *testing.T) {
	for name, wide := range map[string]int64{"heroes": 1280, "tanks": 768, "flappy": 390} {
		t.Run(name, func(t *testing.T) {
			b := visit(t, serving(t, start(name))+"?count=200", spying, wide, 800)
			b.frames(3)
			assert.False(t, value[bool](b, `document.getElementById("report").checkVisibility()`))
			assert.LessOrEqual(t, value[int](b, `document.documentElement.scrollWidth`), int(wide))
			assert.Positive(t, b.report().Bytes)
			b.Shot("sight-" + name)
			b.click("show-report")
			assert.True(t, value[bool](b, `document.getElementById("report").checkVisibility()`))
			assert.Equal(t, "true", value[string](b, `document.getElementById("show-report").ariaExpanded`))
			assert.Empty(t, b.Console())
			assert.Equal(t, "image/svg+xml", value[string](b, `document.querySelector("link[rel=icon]").type`))
			b.fine()
		})
	}
}

func TestHelp(t *testing.T) {
	b := visit(t, serving(t, start("flappy"))+"?paused", spying, 960, 540)
	b.keys("?")
	b.Until(`document.getElementById("help").open`)
	said := value[string](b, `document.getElementById("keys").innerText`)
	assert.Contains(t, said, "slider\tback in time")
	assert.Contains(t, said, "fork: the past beside another future")
	b.Shot("help")
}
