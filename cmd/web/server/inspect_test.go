//go:build browser

package server_test

import (
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
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
