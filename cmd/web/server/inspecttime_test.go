//go:build browser

package server_test

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// A travelled is a world with a past, and a page that looks back at it.
type travelled struct {
	tab
	step      func(world.State, []byte) world.State
	state     world.State
	past      *timeline.Timeline
	inspector *inspect.Inspector
	url       string
	digests   []uint64 // of the world before each frame
	input     scene.Input
	pass      func() // lets time pass before a turn; nil: it passes
}

func travelling(t *testing.T, name string, count int) *travelled {
	t.Helper()
	sc := world.Must(gallery.ByName(name))
	clock := stage.Clock(time.Now)
	play := world.Must(sc.Open(scene.Options{Count: count, Supers: 60, Seed: 1, Clock: clock}))
	step := func(s world.State, input []byte) world.State {
		return play.Step(s, scene.Input(input[0]))
	}
	return travellingBy(t, play.First, step, play.Schedule, inspect.Options{
		Title: name, Clock: clock, Schedule: play.Schedule, Pipeline: scene.Pipeline,
	})
}

func travellingBy(
	t *testing.T, s world.State, step func(world.State, []byte) world.State,
	jobs *schedule.Schedule, o inspect.Options,
) *travelled {
	t.Helper()
	past := world.Must(timeline.New(s, timeline.Options{Step: step, Frames: 9000, InputBytes: 1}))
	w := &travelled{state: s, past: past, step: step}
	o.Edit, o.Past, o.Step, o.Why = true, past, step, why.Past{Timeline: past, Jobs: jobs}.Wrote
	w.inspector = world.Must(inspect.New(w.state, o))
	server := httptest.NewServer(w.inspector.Handler())
	t.Cleanup(server.CloseClientConnections)
	w.url = server.URL + "/debug/ecs"
	return w
}

// turn is a turn of the program's loop.
func (w *travelled) turn() {
	w.T.Helper()
	if w.pass != nil {
		w.pass()
	}
	var steps int
	w.state, steps = w.inspector.Turn(w.state)
	for range steps {
		input := w.inspector.Input([]byte{byte(w.input)})
		require.NoError(w.T, w.past.Record(w.state, input))
		_, next := w.past.Frames()
		w.digests = append(w.digests[:next-1], world.Digest(w.state))
		w.state = w.step(w.state, input)
	}
	require.NoError(w.T, w.inspector.Publish(w.state))
}

// until plays on until something is true of the page.
func (w *travelled) until(expression string) {
	w.T.Helper()
	for !value[bool](w.tab, "Boolean("+expression+")") {
		require.NoError(w.T, w.Ctx.Err(), "timed out: %s", expression)
		for range 2 { // some hundred steps in all, whatever the machine does
			w.turn()
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func (w *travelled) focus(id string) {
	w.T.Helper()
	require.True(w.T, value[bool](w.tab, fmt.Sprintf(`(document.getElementById(%q).focus(), true)`, id)))
}

const shownFrame = `+document.getElementById("time-slider").value`

func TestTheTimelineByKeyboard(t *testing.T) {
	w := travelling(t, "boids", 300)
	w.tab = open(t, w.url, "", 1280, 900)
	w.until(`!document.getElementById("time").hidden && +document.getElementById("time-slider").max > 200`)
	require.True(t, value[bool](w.tab, `(document.activeElement.blur(), true)`))
	w.keys(" ")
	w.until(`document.getElementById("time-pause").textContent === "Go on"`)
	_, next := w.past.Frames()
	w.keys(".")
	w.until(fmt.Sprintf(`%s === %d`, shownFrame, next+1))
	w.focus("time-slider")
	for range 3 {
		w.keys(kb.PageUp)
	}
	want := next + 1 - 180
	w.until(fmt.Sprintf(`%s === %d && timeline.at === %[2]d && !timeline.busy`, shownFrame, want))
	w.until(fmt.Sprintf(`document.getElementById("status").textContent.includes("frame %d of the past")`, want))
	w.Shot("inspector-time")
	w.focus("time-fork")
	w.keys(" ")
	w.focus("time-back")
	w.keys(kb.Enter)
	w.until(`timeline.said.other && timeline.at === undefined`)
	assert.Equal(t, w.digests[want], world.Digest(w.state), "it went back")
	w.focus("time-pause")
	w.keys(kb.Enter)
	w.until(fmt.Sprintf(`timeline.said.next > %d`, want+100))
	w.focus("time-other")
	w.keys(kb.Enter)
	w.until(`document.getElementById("status").textContent === "the other future"`)
	w.Shot("inspector-time-other")
	w.focus("time-join")
	w.keys(kb.Enter)
	w.until(`timeline.at === undefined && !timeline.said.other`)
	w.focus("time-restart")
	w.keys(kb.Enter)
	w.until(`timeline.said.paused && timeline.said.next === timeline.said.first && timeline.at === undefined`)
	assert.Equal(t, w.digests[0], world.Digest(w.state), "it begins again")
}

// By keyboard, two moments are compared, a value is charted, and the job that wrote it is shown.
func TestTheTimelineTellsWhatAndWhy(t *testing.T) {
	w := travelling(t, "boids", 300)
	w.tab = open(t, w.url+"#objects/17", "", 1280, 1000)
	why := `document.querySelector('#object [data-kind="velocity"] button.why')`
	w.until(`timeline.said?.next > 90 && ` + why)
	w.keys(" ")
	w.until(`document.getElementById("time-pause").textContent === "Go on"`)
	require.True(t, value[bool](w.tab, why+`.focus(), true`))
	w.keys(kb.Enter)
	w.until(`document.querySelector("#why li")?.textContent.includes("job")`)
	assert.Regexp(t, ` in \S+boids\S+ `, value[string](w.tab, `document.querySelector("#why li").textContent`))
	require.True(t, value[bool](w.tab, `document.querySelector("#why li button.why").focus(), true`))
	w.keys(kb.Enter)
	w.until(`document.getElementById("why").dataset.writes === "2"`)
	w.Shot("inspector-why")
	require.True(t, value[bool](w.tab, `document.querySelector('#object [data-kind="position"] button.chart').focus(), true`))
	w.keys(kb.Enter)
	w.until(`document.querySelector("#charts canvas")?.dataset.points > 50`)
	w.until(`document.getElementById("pair-a").dataset.points === "300"`)
	w.until(`document.getElementById("compare-first").textContent.startsWith("first difference: ticks ")`)
	assert.Equal(t, "300", value[string](w.tab, `document.getElementById("pair-b").dataset.rings`))
	w.Shot("inspector-compare")
	w.focus("compare-b")
	require.True(t, value[bool](w.tab, `document.getElementById("compare-b").select(), true`))
	w.keys("9999" + kb.Enter)
	w.until(`document.getElementById("compare-fault").textContent.includes("does not have this frame")`)
	require.True(t, value[bool](w.tab, `(location.hash = "overview", true)`))
	w.until(`document.getElementById("view").dataset.points === "300"`)
	box := value[map[string]float64](w.tab, `(() => { const { x, y } = document.getElementById("view").getBoundingClientRect(); const c = matrix(viewCanvas.clientWidth / viewCanvas.clientHeight), d = view.data; const along = row => c[row] * d[0] + c[row + 4] * d[1] + c[row + 8] * d[2] + c[row + 12]; return { x: x + (along(0) / along(3) + 1) / 2 * viewCanvas.clientWidth, y: y + (1 - along(1) / along(3)) / 2 * viewCanvas.clientHeight }; })()`)
	world.Must(chromedp.Run(w.Ctx, chromedp.MouseClickXY(box["x"], box["y"])))
	w.until(`location.hash.startsWith("#objects/")`)
}

// On a phone nothing is cut off, and the slider is large enough for a finger.
func TestTheTimelineOnAPhone(t *testing.T) {
	w := travelling(t, "boids", 300)
	w.tab = open(t, w.url, "", 390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch)
	w.until(`!document.getElementById("time").hidden && +document.getElementById("time-slider").max > 20`)
	assert.Equal(t, 390, value[int](w.tab, `document.documentElement.scrollWidth`))
	for _, id := range []string{"time-slider", "time-pause", "time-back"} {
		assert.GreaterOrEqual(t, value[float64](w.tab, fmt.Sprintf(
			`document.getElementById(%q).getBoundingClientRect().height`, id)), 40., id)
	}
	w.Shot("inspector-time-phone")
	require.True(t, value[bool](w.tab, `(location.hash = "time", true)`))
	w.until(`document.getElementById("pair-a").dataset.points === "300"`)
	assert.Equal(t, 390, value[int](w.tab, `document.documentElement.scrollWidth`))
	w.Shot("inspector-compare-phone")
	require.True(t, value[bool](w.tab, `(location.hash = "objects/17", true)`))
	w.until(`document.querySelector("#object button.why")`)
	assert.Equal(t, 390, value[int](w.tab, `document.documentElement.scrollWidth`))
	w.Shot("inspector-why-phone")
}
