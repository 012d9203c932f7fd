//go:build browser

package server_test

import (
	"flag"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/abm"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

var update = flag.Bool("update", false, "write the pictures of the pages anew")

// The README's picture of the page is what the page shows.
func TestPictureOfTheReadme(t *testing.T) {
	b := visit(t, serving(t, start("heroes"))+"?count=10000&paused", spying, 800, 450)
	value[bool](b, `(flatecs.step(240), true)`)
	b.Until(`!document.getElementById("timeline").hidden`)
	b.click("show-report")
	b.frames(20) // the exposure has settled
	if *update { // the figures of a while in which nothing happened
		b.frames(124)
		b.Until(`performance.now() > 8000`)
	}
	isPicture(t, "browser.png", coarse(b.Shot("browser")))
}

// beating returns a world that is played 60 times a second by a clock of its own, so that a picture
// shows the figures of an idle machine.
func beating(t *testing.T, name string, count int) *travelled {
	t.Helper()
	sc := world.Must(gallery.ByName(name))
	play := world.Must(sc.Open(scene.Options{
		Count: count, Supers: 60, Seed: 1, Clock: stage.Clock(time.Now),
	}))
	return beatingBy(t, play.First, func(s world.State, input []byte) world.State {
		return play.Step(s, scene.Input(input[0]))
	}, play.Schedule, inspect.Options{Title: name, Schedule: play.Schedule, Pipeline: scene.Pipeline})
}

func beatingBy(
	t *testing.T, s world.State, step func(world.State, []byte) world.State,
	jobs *schedule.Schedule, o inspect.Options,
) *travelled {
	t.Helper()
	var passed atomic.Int64
	o.Clock = func() time.Duration { return time.Duration(passed.Load()) }
	w := travellingBy(t, s, step, jobs, o)
	uneven := rand.New(rand.NewPCG(1, 2))
	w.pass = func() { passed.Add(int64(time.Second/60) + uneven.Int64N(1e6) - 5e5) }
	return w
}

// The pictures of the inspector show what its pages show: each tab and each control of a page is in
// the picture where it is on the page. All else are figures and times.
func TestPictureOfTheInspector(t *testing.T) {
	w := beating(t, "heroes", 5_000)
	w.tab = open(t, w.url, "", 1280, 790)
	w.until(`document.body.textContent.includes("orbit") && timeline.said?.next > 60`)
	if *update {
		w.until(`timeline.said.next > 700`)
	}
	w.isPicture("inspector.png")
}

// The model runs while its page looks at it.
func TestPictureOfTheModel(t *testing.T) {
	m := abm.WolfSheepLarge
	counts := m.Counts()
	counts.Seed, counts.Random = 1, true
	s := world.Must(m.Setup(world.Must(world.CreateState(counts))))
	panel := world.Must(lab.NewPanel(abm.WolfSheepReports...))
	panel.Picture = abm.Picture(m)
	w := beatingBy(t, s, func(s world.State, _ []byte) world.State { return abm.StepWolfSheep(s) }, nil,
		inspect.Options{Title: "wolfsheep", Model: panel, Controls: abm.Controls(m), Rate: 50})
	w.tab = open(t, w.url+"#model", "", 1280, 1060)
	w.until(`timeline.said?.next > 60 && document.querySelector("#plots canvas")?.dataset.points > 10`)
	if *update {
		w.until(`timeline.said.next > 600`)
	}
	w.isPicture("model.png")
}

// A battle has two futures since a second ago; why a tank is where it is, is asked of one of them.
func TestPictureOfTheTimeView(t *testing.T) {
	w := beating(t, "tanks", 20)
	w.tab = open(t, w.url, "", 1280, 680)
	w.until(`timeline.said?.next > 200 && world.kinds.length`)
	require.True(t, value[bool](w.tab, `(course({ op: "back", frame: 140, inputs: "live", fork: true }), true)`))
	w.until(`timeline.said.other`)
	w.state, _ = world.NextStream(w.state)
	w.until(`timeline.said.next > 200`)
	require.True(t, value[bool](w.tab, `(location.hash = "time", true)`))
	w.until(`document.getElementById("pair-b").dataset.rings > 4`)
	w.isPicture("time.png")
	require.True(t, value[bool](w.tab, `(course({ op: "pause" }), true)`))
	w.until(`timeline.said.paused`)
	require.True(t, value[bool](w.tab, `(pair.text = document.getElementById("pair-b-text").textContent, compare(), true)`))
	w.until(`document.getElementById("pair-b-text").textContent !== pair.text && !pair.busy`)
	require.True(t, value[bool](w.tab, `([...document.querySelectorAll(
		'#changes tr:has(a[href^="#rows/position"]) a[href^="#objects/"]')]
		.find((a) => !a.textContent.endsWith("none")).click(), true)`))
	why := `document.querySelector('#object [data-kind="position"] button.why')`
	w.until(why)
	require.True(t, value[bool](w.tab, `(`+why+`.click(), true)`))
	w.until(`document.querySelector("#why li")?.textContent.includes("job")`)
	w.isPicture("why.png")
}

// isPicture requires that a picture of docs/pictures shows the tabs, the controls and the headings
// of the page, or writes it: where one is on the page, there is one of the same brightness in the
// picture. A plain place is none.
func (w *travelled) isPicture(name string) {
	w.T.Helper()
	got := w.Shot(strings.TrimSuffix(name, ".png"))
	want := pictured(w.T, name, got)
	const controls = `[...document.querySelectorAll(
		"#tabs button, #time .button:not(#time-now), #time select, #time label, main h2:not(#why *)")].filter((e) =>
		e.checkVisibility() && e.getBoundingClientRect().bottom < innerHeight).map((e) => {
			const { left, top, right, bottom } = e.getBoundingClientRect();
			return [left, top, right, bottom];
		})`
	seen := value[[][4]float64](w.tab, controls)
	require.Greater(w.T, len(seen), 12, "tabs, and the controls of time")
	for _, at := range seen {
		r := image.Rect(int(at[0]), int(at[1]), int(at[2]), int(at[3]))
		assert.InDelta(w.T, light(got, r), light(want, r), 12, "%s at %v", name, r)
		assert.Greater(w.T, contrast(want, r), 60, "%s has nothing at %v; .ci/pictures takes it again", name, r)
	}
}

// contrast returns how far the brightest and the darkest pixel of a part are from each other.
func contrast(m image.Image, part image.Rectangle) int {
	low, high := 255, 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			v := light(m, image.Rect(x, y, x+1, y+1))
			low, high = min(low, v), max(high, v)
		}
	}
	return high - low
}

// pictured returns a picture of docs/pictures of the size of another one, which it writes there
// first when pictures are taken anew.
func pictured(t *testing.T, name string, got image.Image) image.Image {
	t.Helper()
	path := "../../../docs/pictures/" + name
	if *update {
		f := world.Must(os.Create(path))
		require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, got))
		require.NoError(t, f.Close())
	}
	f := world.Must(os.Open(path))
	defer f.Close()
	want := world.Must(png.Decode(f))
	require.Equal(t, want.Bounds(), got.Bounds())
	return want
}

// isPicture requires that a picture of docs/pictures is one that was taken, or writes it: light and
// dark are where they are there. Letters and figures may be others, as fonts and processors are.
func isPicture(t *testing.T, name string, got image.Image) {
	t.Helper()
	want := pictured(t, name, got)
	const block = 25 // pixels
	far, all := 0, 0
	for y := 0; y+block <= got.Bounds().Dy(); y += block {
		for x := 0; x+block <= got.Bounds().Dx(); x += block {
			r := image.Rect(x, y, x+block, y+block)
			all++
			if d := light(want, r) - light(got, r); d > 16 || d < -16 {
				far++
			}
		}
	}
	assert.LessOrEqual(t, far, all/28, "of %d blocks of %s; if it is meant, on an idle machine: "+
		".ci/pictures", all, name)
}

// coarse returns a picture with 32 shades of each colour, which takes half the bytes in a file.
func coarse(m image.Image) image.Image {
	shade := func(v uint32) uint8 { return uint8(min(v>>8+4, 255)) &^ 7 }
	c := image.NewRGBA(m.Bounds())
	for y := c.Rect.Min.Y; y < c.Rect.Max.Y; y++ {
		for x := c.Rect.Min.X; x < c.Rect.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			c.SetRGBA(x, y, color.RGBA{shade(r), shade(g), shade(b), 255})
		}
	}
	return c
}

// light returns the mean of a part of a picture, from 0 to 255.
func light(m image.Image, part image.Rectangle) int {
	sum := 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			sum += int(r+g+b) / 3 >> 8
		}
	}
	return sum / (part.Dx() * part.Dy())
}
