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

	"github.com/flatecs/flatecs/cmd/scene/abm"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/stage"
)

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
