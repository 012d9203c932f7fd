//go:build browser

package server_test

import (
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/abm"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

// An inspected world is played step by step while a page looks at it.
type inspected struct {
	t         *testing.T
	play      *scene.Play
	state     world.State
	inspector *inspect.Inspector
	url       string
}

func inspecting(t *testing.T, name string, count, supers int) *inspected {
	t.Helper()
	sc := world.Must(gallery.ByName(name))
	clock := stage.Clock(time.Now)
	p := world.Must(sc.Open(scene.Options{Count: count, Supers: supers, Seed: 1, Clock: clock}))
	i := world.Must(inspect.New(p.First, inspect.Options{
		Title: name, Clock: clock, Schedule: p.Schedule, Pipeline: scene.Pipeline,
	}))
	s := httptest.NewServer(i.Handler())
	t.Cleanup(s.CloseClientConnections)
	return &inspected{t, p, p.First, i, s.URL + "/debug/ecs"}
}

// until plays on and publishes until something is true of the page.
func (w *inspected) until(b tab, expression string) {
	w.t.Helper()
	for !value[bool](b, "Boolean("+expression+")") {
		require.NoError(w.t, b.Ctx.Err(), "timed out: %s", expression)
		w.steps(1)
		time.Sleep(20 * time.Millisecond)
	}
}

func (w *inspected) steps(n int) {
	w.t.Helper()
	for range n {
		w.state = w.play.Step(w.state, 0)
		require.NoError(w.t, w.inspector.Publish(w.state))
	}
}

// settle publishes until both the page and the JSON show the world as it is.
func (w *inspected) settle(b tab) {
	w.t.Helper()
	tick := strconv.FormatUint(world.Tick(w.state), 10)
	for value[string](b, `document.getElementById("tick").textContent.replaceAll(/\D/g, "")`) != tick {
		require.NoError(w.t, b.Ctx.Err(), "the page stays behind")
		require.NoError(w.t, w.inspector.Publish(w.state))
		time.Sleep(20 * time.Millisecond)
	}
}

// answered returns what an address of the inspector's JSON has.
func answered[T any](w *inspected, path string) (v T) {
	w.t.Helper()
	answer := world.Must(http.Get(w.url + "/api/" + path))
	defer answer.Body.Close()
	require.Equal(w.t, http.StatusOK, answer.StatusCode)
	require.NoError(w.t, json.NewDecoder(answer.Body).Decode(&v))
	return v
}

// An overview is the inspector's own account of the world.
type overview struct {
	Tick    uint64
	Objects struct{ Alive int }
	Kinds   struct{ Used int }
}

// agrees requires that page, JSON and world say the same.
func (w *inspected) agrees(b tab) {
	w.t.Helper()
	w.settle(b)
	o := answered[overview](w, "overview")
	assert.Equal(w.t, world.Tick(w.state), o.Tick)
	assert.Equal(w.t, world.Len(w.state), o.Objects.Alive)
	shown := func(id string) string {
		return value[string](b, fmt.Sprintf(`document.getElementById(%q).textContent`, id))
	}
	digits := func(n int) string {
		return value[string](b, fmt.Sprintf(`(%d).toLocaleString("en")`, n))
	}
	assert.Regexp(w.t, `^`+strconv.Itoa(o.Objects.Alive)[:1], shown("kpi-objects"))
	assert.Equal(w.t, onlyDigits(digits(o.Objects.Alive)), onlyDigits(shown("kpi-objects")))
	assert.Equal(w.t, strconv.Itoa(o.Kinds.Used), onlyDigits(shown("kpi-kinds")))
}

func onlyDigits(text string) (digits string) {
	for _, r := range text {
		if r >= '0' && r <= '9' {
			digits += string(r)
		}
	}
	return digits
}

// view takes a picture of the page and cuts the live view of the positions out.
func (w *inspected) view(b tab, name string) image.Image {
	w.t.Helper()
	place := value[map[string]float64](b, `(() => {
		const { x, y, width, height } = document.getElementById("view").getBoundingClientRect();
		return { x, y, width, height };
	})()`)
	x, y := int(place["x"]), int(place["y"])
	whole, ok := b.Shot(name).(interface {
		SubImage(image.Rectangle) image.Image
	})
	require.True(w.t, ok)
	part := whole.SubImage(image.Rect(x, y, x+int(place["width"]), y+int(place["height"])))
	moved := image.NewRGBA(image.Rectangle{Max: part.Bounds().Size()})
	for y := range moved.Rect.Dy() {
		for x := range moved.Rect.Dx() {
			moved.Set(x, y, part.At(part.Bounds().Min.X+x, part.Bounds().Min.Y+y))
		}
	}
	return moved
}

func TestTheInspectorAgreesWithItsJSON(t *testing.T) {
	w := inspecting(t, "heroes", 3000, 5)
	b := open(t, w.url, "", 1280, 900)
	w.until(b, `document.getElementById("tick")?.textContent.match(/\d/)`)
	w.agrees(b)
	time.Sleep(time.Second) // the view is drawn after the figures
	digest, before := world.Digest(w.state), w.view(b, "inspector")
	assert.Greater(t, lit(before), 200, "positions are drawn")

	w.steps(200)
	w.agrees(b)
	require.NotEqual(t, digest, world.Digest(w.state))
	time.Sleep(time.Second)
	assert.Greater(t, differing(before, w.view(b, "inspector-later")), 200, "and move")

	w.state = world.Must(world.NewQuery(world.With(heroes.MaxVelocity)).DisposeAll(w.state))
	w.steps(1)
	w.agrees(b)
	assert.Equal(t, 3000, answered[overview](w, "overview").Objects.Alive)
	b.click("tab-kinds")
	b.Until(`document.querySelectorAll("#kinds tbody tr").length > 0`)
	b.Shot("inspector-kinds")
	kinds := answered[struct {
		Kinds []struct {
			Name    string
			InUse   bool
			Mounted int
		}
	}](w, "kinds")
	table := value[string](b, `document.getElementById("kinds").textContent`)
	for _, k := range kinds.Kinds {
		if k.InUse {
			assert.Contains(t, table, k.Name)
		}
	}
}

// An aim is one component of several parts.
type aim struct {
	Target world.GameObject
	Heat   float32
	Shots  uint32
}

var (
	aiming = layout.NewComponent[aim]("aim")
	empty  = layout.NewKind("empty")
	scarce = layout.NewComponent[int32]("scarce")
)

// A crowded is a world of 303 kinds, with an inspector and a page that looks at it.
type crowded struct {
	tab
	state     world.State
	schedule  *schedule.Schedule
	inspector *inspect.Inspector
	now       time.Duration // by the clock of the jobs
}

// newCrowded makes 30 objects of the first kinds: 29 with an aim at the one before; aim and scarce
// are full, and only scarce was asked for more.
func newCrowded(t *testing.T) *crowded {
	t.Helper()
	kinds := []layout.Count{aiming.Count(29), empty.Count(40), scarce.Count(3)}
	var many []layout.Kind
	for n := range 300 {
		field := layout.NewField[[3]float32](fmt.Sprintf("f%d", n))
		many = append(many, layout.NewKind(fmt.Sprintf("kind %d", n), field))
		kinds = append(kinds, many[n].Count(100))
	}
	s, err := world.CreateState(world.Counts{GameObjects: 100, Kinds: kinds})
	require.NoError(t, err)
	before := world.GameObject(0) // nobody
	for n := range 30 {
		var id world.GameObject
		s, id = world.Must2(world.CreateWith(s, many[10*n], many[10*n+1], many[10*n+2]))
		if n > 0 {
			s = world.Must(world.Add(s, id, aiming))
			s = world.Must(world.Set(s, id, aiming, aim{Target: before, Heat: float32(n)}))
		}
		if n < 5 {
			s = world.Must(world.Add(s, id, empty))
		}
		before = id
	}
	c := &crowded{state: s, schedule: schedule.New(1)}
	t.Cleanup(func() { world.Close(c.state) })
	t.Cleanup(c.schedule.Close)
	c.schedule.Clock = func() time.Duration { return c.now }
	p := schedule.Pipeline{Name: "frame", Groups: []schedule.Group{{Name: "all"}}}
	for n, takes := range []time.Duration{1, 7, 3} {
		name := fmt.Sprintf("job %d", n)
		p.Groups[0].Elements = append(p.Groups[0].Elements, name)
		p.Jobs = append(p.Jobs, schedule.Job{Name: name, Do: func(s world.State) (world.State, error) {
			c.now += takes * time.Millisecond
			return s, nil
		}})
	}
	require.NoError(t, c.schedule.Register(p))
	c.inspector = world.Must(inspect.New(c.state, inspect.Options{
		Clock: stage.Clock(time.Now), Schedule: c.schedule, Pipeline: "frame", Edit: true,
	}))
	for range 5 {
		id, found := world.NewQuery(world.With(aiming), world.Without(scarce)).First(c.state)
		require.True(t, found)
		c.state, err = world.Add(c.state, id, scarce)
		c.inspector.Refused(err)
	}
	server := httptest.NewServer(c.inspector.Handler())
	t.Cleanup(server.CloseClientConnections)
	c.tab = open(t, server.URL+"/debug/ecs", "", 1400, 1000)
	return c
}

// until runs frames until something is true of the page.
func (c *crowded) until(expression string) {
	c.T.Helper()
	for !value[bool](c.tab, "Boolean("+expression+")") {
		require.NoError(c.T, c.Ctx.Err(), "timed out: %s", expression)
		c.state = world.Must(c.schedule.Run(c.state, "frame"))
		c.state = c.inspector.Edit(c.state)
		require.NoError(c.T, c.inspector.Publish(c.state))
		time.Sleep(20 * time.Millisecond)
	}
}

// goTo turns to a place of the page.
func (c *crowded) goTo(place string) {
	c.T.Helper()
	value[string](c.tab, fmt.Sprintf("location.hash = %q", place))
}

const jobNames = `[...document.querySelectorAll("#jobs tbody tr")].map(tr => tr.dataset.key).join()`

func TestTheInspectorFindsTheSlowJob(t *testing.T) {
	c := newCrowded(t)
	c.until(`document.querySelector("#jobs tr.slow")?.dataset.key === "job 1"`)
	c.until(jobNames + ` === "job 1,job 2,job 0"`)
	head := func(n int) string {
		return fmt.Sprintf(`document.querySelector("#jobs thead th:nth-child(%d) button").click(), true`, n)
	}
	require.True(t, value[bool](c.tab, head(1)))
	c.until(jobNames + ` === "job 0,job 1,job 2"`) // as in the pipeline
	for n, name := range map[int]string{2: "Median", 3: "p99", 4: "Max", 6: "Since"} {
		require.True(t, value[bool](c.tab, head(n)))
		c.until(jobNames + ` === "job 1,job 2,job 0"`)
		assert.Equal(t, name, value[string](c.tab, `document.querySelector("#jobs th[aria-sort]").textContent`))
	}
	since := `parseFloat(document.querySelector('#jobs tr[data-key="job 1"]').cells[5].textContent)`
	c.until(since + ` > 20`)
	require.True(t, value[bool](c.tab, `document.getElementById("jobs-since").click(), true`))
	assert.Zero(t, value[float64](c.tab, since))
	c.until(since + ` > 0`)
	c.until(`/slowest by median: job 1, 7.0\d* ms, \d+(\.\d)? % of the work/.test(document.getElementById("jobs-text").textContent)`)
	require.NoError(t, chromedp.Do(c.Ctx, chromedp.EmulateViewport(1280, 900)))
	assert.True(t, value[bool](c.tab, `(e => e.scrollWidth <= e.clientWidth)(document.getElementById("jobs").parentElement)`))
	c.until(`document.querySelector("#jobs tr canvas.spark").checkVisibility()`)
	c.Shot("inspector-jobs")
}

// In no view does a card have text at its edge.
func TestTheInspectorsCardsHavePadding(t *testing.T) {
	c := newCrowded(t)
	c.until(`document.querySelector("#jobs tr.slow")`)
	for _, place := range []string{"overview", "kinds", "rows/aim", "objects/17", "model", "profiles", "time"} {
		c.goTo(place)
		view, _, _ := strings.Cut(place, "/")
		c.until(`!document.getElementById("panel-` + view + `").hidden`)
		c.until(`document.getElementById("tick").textContent !== "–"`)
		assert.Empty(t, value[[]string](c.tab, textAtEdges), place)
	}
}

const textAtEdges = `(() => {
	const found = [];
	for (const card of document.querySelectorAll(".card")) {
		const edge = card.getBoundingClientRect();
		const words = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
		for (let text; (text = words.nextNode()); ) {
			const range = document.createRange();
			range.selectNodeContents(text);
			const at = range.getBoundingClientRect();
			const scrolled = text.parentElement.closest(".scroll"); // and cut off
			if (text.data.trim() && at.width > 0 && (at.left < edge.left + 8 || !scrolled && (at.top < edge.top + 3 || at.bottom > edge.bottom - 3)))
				found.push(card.id + ": " + text.data.trim());
		}
	}
	return found;
})()`

func TestTheInspectorShowsManyKinds(t *testing.T) {
	c := newCrowded(t)
	c.goTo("kinds")
	c.until(`document.querySelectorAll("#kinds tbody tr").length === 93`) // in use
	of := func(kind, class, what string) string {
		row := fmt.Sprintf("[...document.querySelectorAll('#kinds tbody tr')].find(tr => tr.dataset.key === %q)", kind)
		return value[string](c.tab, row+fmt.Sprintf(".querySelector(%q).", class)+what)
	}
	meter := func(kind string) string { return of(kind, ".meter", "className") }
	fields := func(kind string) string { return of(kind, ".fields", "title") }
	assert.Equal(t, "meter bad", meter("scarce"), "full, and refused something")
	assert.Equal(t, "meter warm", meter("aim"), "full, and that is all")
	assert.Equal(t, "meter", meter("empty"))
	full := `fullness({ full: 1, capacity: 3, mounted: 3, loose: 0, suspended: 0, refused: 0 }).warm`
	assert.True(t, value[bool](c.tab, full), "further objects find no room in it")
	assert.False(t, value[bool](c.tab, `world.overview.objects.capacity = world.overview.objects.alive, `+full),
		"there is no room for further objects")
	assert.Equal(t, "Target id, Heat float32, Shots uint32", fields("aim"))
	assert.Equal(t, "no fields", fields("empty"))
	require.True(t, value[bool](c.tab, `document.getElementById("kinds-used").click(), true`))
	c.until(`document.querySelectorAll("#kinds tbody tr").length === 303`)
	assert.True(t, value[bool](c.tab, `(e => e.scrollWidth <= e.clientWidth)(document.getElementById("kinds").parentElement)`),
		"no column is out of sight")
	c.Shot("inspector-kinds")
}

func TestTheInspectorLeadsToRowsAndReferences(t *testing.T) {
	c := newCrowded(t)
	c.goTo("rows/aim/17")
	c.until(`document.querySelector("#rows tr.at")?.cells[0].textContent === "17"`)
	c.Shot("inspector-row")
	require.True(t, value[bool](c.tab, `document.querySelector('#rows tr.at td a[href="#objects/17"]').click(), true`))
	c.until(`document.querySelector('#object [data-kind="aim"] dd a')?.textContent === "16"`)
	require.True(t, value[bool](c.tab, `document.querySelector('#object [data-kind="aim"] h3 a:nth-child(2)').click(), true`))
	c.until(`location.hash === "#rows/aim/16"`)
	c.goTo("rows/empty")
	c.until(`document.getElementById("rows-text").textContent.includes("no fields")`)
	c.goTo("rows/nothing")
	c.until(`document.getElementById("problem").textContent === 'There is no kind "nothing" in this world; choose another.'`)
	c.goTo("objects")
	require.True(t, value[bool](c.tab, `(e => { e.value = "aim, !empty"; e.dispatchEvent(new Event("input")); return true; })(document.getElementById("objects-search"))`))
	c.until(`document.getElementById("objects-text").textContent === "25 found"`)
}

func TestTheInspectorEdits(t *testing.T) {
	c := newCrowded(t)
	click := func(what string) {
		require.True(t, value[bool](c.tab, fmt.Sprintf("document.querySelector(%q).click(), true", what)))
	}
	c.goTo("objects/17")
	heat := `document.querySelectorAll('#object [data-kind="aim"] dd')[1]`
	c.until(heat + `?.textContent === "17"`)
	require.True(t, value[bool](c.tab, heat+`.click(), true`))
	c.keys("zero")
	c.keys(kb.Enter)
	c.until(`document.getElementById("problem").textContent.includes('"zero" is no float32')`)
	require.True(t, value[bool](c.tab, heat+`.querySelector("input").select(), true`))
	c.keys("0.25")
	c.keys(kb.Enter)
	c.until(heat + `?.textContent === "0.25"`)
	assert.Equal(t, 299, value[int](c.tab, `document.querySelectorAll("#object-kinds option").length`),
		"it has four kinds of 303")
	require.True(t, value[bool](c.tab, `document.getElementById("object-kind").value = "kind 250", true`))
	click("#object-add button")
	c.until(`document.querySelector('#object [data-kind="kind 250"] dd.set')`)
	c.Shot("inspector-object")
	click(`#object [data-kind="kind 250"] .remove`)
	c.until(`!document.querySelector('#object [data-kind="kind 250"]')`)
	c.until(`document.querySelector('#object-kinds option[value="kind 250"]')`)
	click("#object-dispose")
	c.until(`document.getElementById("object").textContent.includes("no game object is alive")`)
	assert.Equal(t, 29, world.Len(c.state))
	require.True(t, value[bool](c.tab, `document.getElementById("objects-kinds").value = "kind 0, empty", true`))
	click("#objects-spawn")
	c.until(`location.hash === "#objects/17v2"`)
	c.until(`document.querySelector('#object [data-kind="empty"]')`)
	c.Shot("inspector-edits")
}

// A page of the inspector that is opened for the first time has nothing to complain of, and at the
// Time tab it shows the frame of a second ago beside now, in every width.
func TestTheFirstSightOfTheInspector(t *testing.T) {
	for _, wide := range []int64{390, 768, 1280} {
		t.Run(fmt.Sprint(wide), func(t *testing.T) {
			w := travelling(t, "boids", 300)
			w.tab.T = t
			for _, next := w.past.Frames(); next < 90; _, next = w.past.Frames() {
				w.turn()
			}
			how := []chromedp.EmulateViewportOption{}
			if wide == 390 {
				how = append(how, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
			}
			w.tab = open(t, w.url+"#time", "", wide, 900, how...)
			w.until(`document.getElementById("pair-b").dataset.points === "300"`)
			_, next := w.past.Frames()
			first := value[int](w.tab, `+document.getElementById("compare-a").value`)
			assert.True(t, first > 0 && int(next) >= first+60, "%d of %d", first, next)
			assert.Equal(t, "now", value[string](w.tab, `document.getElementById("compare-b").value`))
			assert.Positive(t, value[int](w.tab, `document.querySelectorAll("#changes tbody tr").length`))
			w.Shot(fmt.Sprintf("sight-time-%d", wide))
			for _, view := range []string{"overview", "kinds", "rows", "objects", "model", "profiles"} {
				require.True(t, value[bool](w.tab, fmt.Sprintf(`(location.hash = %q, true)`, view)))
				w.until(fmt.Sprintf(`!document.getElementById("panel-%s").hidden`, view))
				for range 20 {
					w.turn()
				}
				assert.EqualValues(t, wide, value[int](w.tab, `document.documentElement.scrollWidth`), view)
				w.Shot(fmt.Sprintf("sight-%s-%d", view, wide))
			}
			assert.Empty(t, value[[]string](w.tab, `[...document.querySelectorAll("#tabs button")].filter((b) => {
				const { left, right } = b.getBoundingClientRect();
				return b.offsetWidth === 0 || left < 0 || right > innerWidth;
			}).map((b) => b.textContent)`), "tabs that are not seen")
			assert.Empty(t, w.Console())
			assert.Contains(t, value[string](w.tab, `document.querySelector("link[rel=icon]").href`), "data:image/svg")
		})
	}
}

// A pastured is the world of wolves and sheep, with a page that looks at it.
type pastured struct {
	tab
	state     world.State
	inspector *inspect.Inspector
	url       string
}

func newPastured(t *testing.T) *pastured {
	t.Helper()
	m := abm.WolfSheepLarge
	counts := m.Counts()
	counts.Seed = 1
	p := &pastured{state: world.Must(m.Setup(world.Must(world.CreateState(counts))))}
	t.Cleanup(func() { world.Close(p.state) })
	panel := world.Must(lab.NewPanel(append([]lab.Reporter{
		lab.Report("ill", func(s world.State) float64 {
			if world.Tick(s) > 60 {
				panic("a reporter of the test")
			}
			return 1
		}),
	}, abm.WolfSheepReports...)...))
	panel.Picture = abm.Picture(m)
	p.inspector = world.Must(inspect.New(p.state, inspect.Options{
		Title: "wolfsheep", Clock: stage.Clock(time.Now), Edit: true, Model: panel,
		Controls: abm.Controls(m), Rate: 50,
	}))
	server := httptest.NewServer(p.inspector.Handler())
	t.Cleanup(server.CloseClientConnections)
	p.url = server.URL + "/debug/ecs#model"
	return p
}

// until makes steps until something is true of the page.
func (p *pastured) until(expression string) {
	p.T.Helper()
	for !value[bool](p.tab, "Boolean("+expression+")") {
		require.NoError(p.T, p.Ctx.Err(), "timed out: %s", expression)
		p.state = p.inspector.Edit(abm.StepWolfSheep(p.state))
		require.NoError(p.T, p.inspector.Publish(p.state))
		time.Sleep(20 * time.Millisecond)
	}
}

// control finds an input of a parameter.
func control(name, kind string) string {
	return fmt.Sprintf(`document.querySelector('#resources input[type=%s][data-key="herd.wolfsheep.%s/0"]')`,
		kind, name)
}

const sheepPlot = `document.querySelector('#plots [data-key="sheepAlive, wolvesAlive"]')`

func TestTheInspectorPlotsAndAdjustsAModel(t *testing.T) {
	p := newPastured(t)
	p.tab = open(t, p.url, `globalThis.pictures = 0;
		const really = fetch;
		globalThis.fetch = (...all) => {
			pictures += all[0].includes("api/picture");
			return really(...all);
		};`, 1400, 1000)
	p.until(sheepPlot + `?.querySelector("canvas").dataset.points > 20`)
	assert.Equal(t, 4, value[int](p.tab, `document.querySelectorAll("#plots figure").length`))
	p.until(`document.getElementById("picture").width === 400`)
	assert.Equal(t, "0.4", value[string](p.tab, control("SheepBirths", "number")+".value"))
	assert.Equal(t, 0, value[int](p.tab, `document.querySelectorAll('#resources input[data-key*="Side"]').length`),
		"a space stays as large as it is")

	require.True(t, value[bool](p.tab, control("SheepBirths", "range")+`.focus(), true`))
	for range 5 {
		p.keys(kb.ArrowLeft)
	}
	p.until(control("SheepBirths", "number") + `.value === "0.35"`)
	assert.Eventually(t, func() bool {
		p.state = p.inspector.Edit(p.state)
		return p.births() == .35
	}, time.Minute, 10*time.Millisecond)
	set := `(e => { e.value = "7"; e.dispatchEvent(new Event("change")); return true; })(` + control("WolfBirths", "number") + `)`
	require.True(t, value[bool](p.tab, set))
	p.until(`document.getElementById("resources-fault").textContent.includes("give 0 to 1")`)
	p.until(control("WolfBirths", "number") + `.value === "0.2"`) // as it is

	p.until(`document.getElementById("plots-fault").textContent.includes("reporter ill panicked: a reporter of the test")`)
	p.until(sheepPlot + `.querySelector("canvas").dataset.points > 60`)
	require.True(t, value[bool](p.tab, sheepPlot+`.querySelector("canvas").focus(), true`))
	p.keys(kb.ArrowLeft)
	p.until(sheepPlot + `.querySelector("output").textContent.startsWith("tick ")`)
	p.Shot("inspector-model")
	p.Until(`document.getElementById("status").textContent.startsWith("paused")`)
	asked := value[int](p.tab, `pictures`)
	p.Until(`performance.now() > (globalThis.until ??= performance.now() + 2000)`)
	assert.LessOrEqual(t, value[int](p.tab, `pictures`), asked+1, "the world stands still")
}

// births returns the chance that the world has for births of sheep.
func (p *pastured) births() float64 {
	herd := layout.Field[abm.WolfSheep]{}
	for _, c := range abm.Controls(abm.WolfSheepLarge) {
		herd = c.Field.(layout.Field[abm.WolfSheep])
	}
	return world.Resource(p.state, herd).SheepBirths
}

// On a phone nothing is cut off, and sliders are large enough for a finger.
func TestTheModelOnAPhone(t *testing.T) {
	p := newPastured(t)
	p.tab = open(t, p.url, "", 360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch)
	p.until(sheepPlot + `?.querySelector("canvas").dataset.points > 20`)
	assert.Equal(t, 360, value[int](p.tab, `document.documentElement.scrollWidth`))
	assert.GreaterOrEqual(t, value[float64](p.tab, control("SheepBirths", "range")+`.getBoundingClientRect().height`), 40.)
	p.Shot("inspector-model-phone")
	require.True(t, value[bool](p.tab, sheepPlot+`.scrollIntoView(), true`))
	p.Shot("inspector-model-phone-plots")
}

// A page of a million objects opens, goes to the last rows, leads from a dot to its object, finds by
// value and compares, each soon, in memory that is bounded.
func TestTheInspectorOfAMillion(t *testing.T) {
	const count = 1_000_000
	w := travelling(t, "cubes", count)
	w.tab = open(t, w.url, "", 1280, 900)
	begin := time.Now()
	soon := func(what, expression string) {
		t.Helper()
		w.until(expression)
		took := time.Since(begin)
		t.Logf("%s: %v", what, took.Round(time.Millisecond))
		assert.Less(t, took, 20*time.Second, what) // on any machine, whatever it does besides
		begin = time.Now()
	}
	soon("open", `document.getElementById("view").dataset.points === "1000001"`)
	assert.Contains(t, value[string](w.tab, `document.getElementById("view-text").textContent`),
		"1,000,001 points, 1 in ")
	soon("steps", `timeline.said?.next > 2`)
	require.True(t, value[bool](w.tab, `(document.activeElement.blur(), true)`))
	w.keys(" ")
	w.until(`document.getElementById("time-pause").textContent === "Go on"`)

	require.True(t, value[bool](w.tab, `(() => {
		const { x, y, width, height } = viewCanvas.getBoundingClientRect();
		const c = matrix(width / height), [a, b, d] = view.data;
		const along = row => c[row] * a + c[row + 4] * b + c[row + 8] * d + c[row + 12];
		pick(x + (along(0) / along(3) + 1) / 2 * width, y + (1 - along(1) / along(3)) / 2 * height);
		return true;
	})()`))
	soon("pick", `location.hash.startsWith("#objects/") && document.querySelector("#object [data-kind]")`)
	picked := value[string](w.tab, `location.hash.slice("#objects/".length)`)

	require.True(t, value[bool](w.tab, `(location.hash = "rows/Transform/999999", true)`))
	soon("the last row", `document.getElementById("rows").textContent.includes("999999") ||
		document.getElementById("rows").textContent.includes("999,999")`)

	require.True(t, value[bool](w.tab, `(location.hash = "objects", true)`))
	w.focus("objects-search")
	w.keys("Transform.position[1] < -1e9" + kb.Enter)
	soon("find none by value", `document.getElementById("objects-text").textContent === "0 found"`)
	w.focus("objects-search")
	require.True(t, value[bool](w.tab, `(document.getElementById("objects-search").select(), true)`))
	w.keys(picked + kb.Enter)
	soon("find one by id", `document.getElementById("objects-text").textContent === "1 found"`)

	require.True(t, value[bool](w.tab, `(location.hash = "time", true)`))
	soon("compare", `document.getElementById("pair-a").dataset.points === "131072"`)
	assert.Contains(t, value[string](w.tab, `document.getElementById("pair-a-text").textContent`),
		"first 131,072 of 1,000,001 drawn")

	heap := value[float64](w.tab, `performance.memory.usedJSHeapSize`) / 1e6
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%.0f MB of JavaScript, %d MB of Go", heap, m.HeapInuse/1e6)
	assert.Less(t, heap, 300.)
	assert.Less(t, m.HeapInuse/1e6, uint64(600), fmt.Sprint("of ", count))
	w.Shot("inspector-million")
}
