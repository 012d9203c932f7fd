//go:build browser

package server_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

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
