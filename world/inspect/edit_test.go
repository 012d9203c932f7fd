package inspect_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/inspect"
	lists "github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// A probe has a part of each type.
type probe struct {
	Wide  float64
	Far   int64
	Big   uint64
	Who   world.GameObject
	At    [3]float32
	Small int16
	Tiny  [3]int8
	On    bool
	Bits  uint8
	Rest  [5]uint8
}

var Probe = layout.NewComponent[probe]("probe")

// An editor is an inspector that lets a page edit, and its world.
type editor struct {
	t         *testing.T
	state     world.State
	inspector *inspect.Inspector
	handler   http.Handler
	token     string
	carryOut  func(world.State) world.State
}

// edited returns an editor of a world.
func edited(t *testing.T, s world.State, o inspect.Options) *editor {
	t.Helper()
	o.Clock, o.Edit = stage.Clock(time.Now), true
	i := world.Must(inspect.New(s, o))
	e := &editor{t: t, state: s, inspector: i, handler: i.Handler(), carryOut: i.Edit}
	e.token = tokenOf(t, e.handler)
	return e
}

func newEditor(t *testing.T) *editor {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{GameObjects: 10, Names: 3, Kinds: layout.Kinds(
		Probe.Count(3), heroes.Position.Count(4), Frozen,
	)}))
	for range 3 {
		s, _ = world.Must2(world.CreateWith(s, Probe, heroes.Position))
	}
	return edited(t, s, inspect.Options{})
}

// tokenOf returns the token that stands in the page.
func tokenOf(t *testing.T, h http.Handler) string {
	t.Helper()
	_, text := raw(t, h, "")
	token := regexp.MustCompile(`<meta name="token" content="([A-Z2-7]{26,})">`).FindStringSubmatch(string(text))
	require.NotNil(t, token)
	return token[1]
}

// ask posts an edit, and has the world carry it out.
func (e *editor) ask(body string) *httptest.ResponseRecorder {
	return inspect.During(func() *httptest.ResponseRecorder {
		return inspect.Post(e.handler, "/api/edit", body, e.token)
	}, func() { e.state = e.carryOut(e.state) })
}

// post is ask, whose answer has a status, and reads it.
func (e *editor) post(status int, body string) (answer map[string]string) {
	e.t.Helper()
	w := e.ask(body)
	require.Equal(e.t, status, w.Code, "%s: %s", body, w.Body)
	require.NoError(e.t, json.Unmarshal(w.Body.Bytes(), &answer), "%s", w.Body)
	return answer
}

func (e *editor) set(status int, id, part string, values ...string) {
	e.t.Helper()
	list := world.Must(json.Marshal(values))
	e.post(status, `{"op":"set","object":"`+id+`","kind":"probe","field":"probe","part":"`+part+`","values":`+string(list)+`}`)
}

func TestValuesAreSet(t *testing.T) {
	e := newEditor(t)
	e.state = world.Advance(e.state)
	moment := tool.MomentOf(e.state, Probe.Kind())
	want := probe{1.5, -9007199254740993, 18446744073709551615, world.Must(tool.GameObjectAt(e.state, 2)), [3]float32{1, -2, .25}, -300, [3]int8{-128, 0, 127}, true, 200, [5]uint8{}}
	for part, values := range map[string][]string{
		"Wide": {"1.5"}, "Far": {"-9007199254740993"}, "Big": {"18446744073709551615"}, "Who": {"2"},
		"At": {"1", " -2 ", ".25"}, "Small": {"-300"}, "Tiny": {"-128", "0", "127"}, "On": {"true"}, "Bits": {"200"},
	} {
		e.set(200, "1", part, values...)
	}
	one := world.Must(tool.GameObjectAt(e.state, 1))
	assert.Equal(t, want, world.Must(world.Get(e.state, one, Probe)))
	assert.Zero(t, world.Must(world.Get(e.state, world.Must(tool.GameObjectAt(e.state, 0)), Probe)), "others stay")
	require.NoError(t, tool.Verify(e.state))
	assert.NotEqual(t, moment, tool.MomentOf(e.state, Probe.Kind()), "what is written is stamped")
	h := inspector(t, e.state).Handler()
	for text, want := range map[string]float64{
		"Far = -9007199254740993": 1, "Far = -9007199254740992": 0, "Far < -9007199254740992": 1,
		"Big > 18446744073709551614": 1, "Big != 18446744073709551614": 3, "Big >= 0": 3, "Big = 0": 2,
	} {
		_, found := get(t, h, "/api/objects?kinds="+url.QueryEscape("probe."+text))
		assert.Equal(t, want, found["total"], text)
	}

	e.set(200, "1", "Who", "nobody")
	assert.Zero(t, world.Must(world.Get(e.state, one, Probe)).Who)
	e.post(200, `{"op":"set","object":"1","kind":"name","field":"text","values":["Ada L."]}`)
	assert.Equal(t, "Ada L.", world.Must(world.NameOf(e.state, one)), "names are set as names")
	assert.Equal(t, []world.GameObject{one}, slices.Collect(world.Named(e.state, "Ada L.")))
	require.NoError(t, tool.Verify(e.state))
}

func TestTheJobCarriesOutEdits(t *testing.T) {
	e := newEditor(t)
	job := e.inspector.Job()
	e.carryOut = func(s world.State) world.State { return world.Must(job.Do(s)) }
	e.post(200, `{"op":"dispose","object":"0"}`)
	assert.Equal(t, 2, world.Len(e.state))
}

func TestObjectsAreSpawnedAndDisposed(t *testing.T) {
	e := newEditor(t)
	answer := e.post(200, `{"op":"spawn","kinds":["position","frozen"]}`)
	assert.Equal(t, "3", answer["object"])
	assert.True(t, world.Has(e.state, world.Must(tool.GameObjectAt(e.state, 3)), Frozen))
	answer = e.post(409, `{"op":"spawn","kinds":["position"]}`)
	assert.Contains(t, answer["error"], "position: all 4 rows in use")
	assert.Equal(t, 4, world.Len(e.state))
	e.post(200, `{"op":"dispose","object":"3v1"}`)
	assert.Equal(t, 3, world.Len(e.state))
	e.post(404, `{"op":"dispose","object":"3v1"}`)
}

func TestComponentsAreAddedAndRemoved(t *testing.T) {
	e := newEditor(t)
	change := func(status int, op, object, kind string) string {
		return e.post(status, `{"op":"`+op+`","object":"`+object+`","kind":"`+kind+`"}`)["error"]
	}
	one := world.Must(tool.GameObjectAt(e.state, 1))
	change(200, "add", "1", "frozen")
	change(200, "add", "1", "name")
	assert.True(t, world.Has(e.state, one, Frozen))
	assert.Empty(t, world.Must(world.NameOf(e.state, one)))
	e.set(200, "1", "Small", "7")
	for _, kind := range []string{"frozen", "name", "probe"} {
		change(200, "remove", "1v1", kind)
	}
	assert.False(t, world.Has(e.state, one, Probe))
	change(200, "add", "1", "probe")
	assert.Zero(t, world.Must(world.Get(e.state, one, Probe)), "it begins with its defaults")
	require.NoError(t, tool.Verify(e.state))

	e.post(200, `{"op":"set","object":"1","kind":"name","field":"text","values":["Ada"]}`)
	before := world.Digest(e.state)
	for _, c := range []struct {
		op, object, kind string
		status           int
		why              string
	}{
		{"add", "1", "probe", 409, "more than once"},
		{"add", "1", "name", 409, "more than once"},
		{"add", "1", "nothing", 404, "no kind"},
		{"add", "7", "frozen", 404, ""},
		{"remove", "1", "frozen", 409, ""},
		{"remove", "1", "", 404, "no kind"},
		{"remove", "1v3", "probe", 404, ""},
	} {
		assert.Contains(t, change(c.status, c.op, c.object, c.kind), c.why)
	}
	assert.Equal(t, before, world.Digest(e.state))
}

func TestEditsThatAreRefusedChangeNothing(t *testing.T) {
	e := newEditor(t)
	before := world.Digest(e.state)
	for _, c := range []struct {
		status     int
		part, text string
	}{
		{400, "Wide", "NaN"},
		{400, "Wide", "1e999"},
		{400, "Wide", "x"},
		{400, "Wide", ""},
		{400, "Bits", "256"},
		{400, "Bits", "-1"},
		{400, "Small", "32768"},
		{400, "On", "2"},
		{400, "At", "1"},
		{404, "Nothing", "1"},
		{404, "Who", "9"},
		{404, "Who", "1v7"},
		{400, "Who", "x"},
		{400, "Tiny", "1"},
	} {
		e.set(c.status, "0", c.part, c.text)
	}
	inspect.Statuses(t, e.ask, map[string]int{
		`{"op":"set","object":"7","kind":"probe","field":"probe","part":"On","values":["true"]}`:   404,
		`{"op":"set","object":"0","kind":"probe","field":"other","part":"On","values":["true"]}`:   404,
		`{"op":"set","object":"0","kind":"nothing","field":"other","part":"On","values":["true"]}`: 404,
		`{"op":"set","object":"0","kind":"frozen","field":"frozen","values":["true"]}`:             409,
		`{"op":"set","object":"0","kind":"name","values":["` + strings.Repeat("x", 64) + `"]}`:     409,
		`{"op":"fly","object":"0"}`:                                    400,
		`{"op":"spawn","kinds":["nothing"]}`:                           404,
		`{"op":"spawn","kinds":["probe","probe"]}`:                     409,
		`{"op":"dispose"}`:                                             400,
		`{"op":"dispose","object":"0","more":1}`:                       400,
		`no JSON`:                                                      400,
		`{"op":"spawn","kinds":["` + strings.Repeat("x", 5000) + `"]}`: 400,
	})
	assert.Equal(t, before, world.Digest(e.state))
}

func TestWhoMayNotEdit(t *testing.T) {
	e := newEditor(t)
	const body = `{"op":"dispose","object":"0"}`
	for _, token := range []string{"", "x", e.token[1:], strings.ToLower(e.token)} {
		w := inspect.Post(e.handler, "/api/edit", body, token)
		assert.Equal(t, http.StatusForbidden, w.Code, token)
	}
	closed := inspector(t, e.state)
	for _, c := range []struct {
		h            http.Handler
		method, path string
		header       http.Header
		status       int
	}{
		{e.handler, "POST", "edit", headers("Origin", "http://evil.example"), 403},
		{e.handler, "POST", "edit", headers("Sec-Fetch-Site", "cross-site"), 403},
		{e.handler, "PUT", "edit", headers(), 405},
		{e.handler, "POST", "overview", headers(), 405},
		{closed.Handler(), "POST", "edit", headers(), 405},
	} {
		r := httptest.NewRequest(c.method, "http://localhost/debug/ecs/api/"+c.path, strings.NewReader(body))
		r.Header = c.header
		r.Header.Set("X-Token", e.token)
		w := httptest.NewRecorder()
		c.h.ServeHTTP(w, r)
		assert.Equal(t, c.status, w.Code, "%s %s", c.method, c.path)
	}
	_, text := raw(t, closed.Handler(), "")
	assert.Contains(t, string(text), `<meta name="token" content="">`)
	e.state = closed.Edit(e.state)
	assert.Equal(t, 3, world.Len(e.state))
}

// Without a call of Edit, requested edits are dropped, and not carried out later.
func TestEditsOfAWorldThatStandsStill(t *testing.T) {
	e := newEditor(t)
	codes := make(chan int)
	for n := range 70 {
		go func() {
			body := `{"op":"dispose","object":"` + strconv.Itoa(n%3) + `"}`
			codes <- inspect.Post(e.handler, "/api/edit", body, e.token).Code
		}()
	}
	for range 70 {
		assert.Equal(t, http.StatusServiceUnavailable, <-codes)
	}
	e.state = e.inspector.Edit(e.state)
	assert.Equal(t, 3, world.Len(e.state))
}

type hint struct {
	To    world.GameObject
	Since float32
	Kind  uint32
}

var (
	Hints  = layout.NewListField[hint]("hints")
	Alarm  = layout.NewField[uint8]("alarm")
	Guard  = layout.NewKind("guard", Alarm, Hints)
	Motto  = layout.NewText("motto")
	Scores = layout.NewListField[uint64]("scores")
	Board  = world.NewResource("board", Scores)
)

func listEditor(t *testing.T) (e *editor, id world.GameObject) {
	t.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 10, Resources: []world.ResourceKind{Board},
		Kinds: []layout.Count{{Kind: Guard, Rows: 10, Elements: 600}, Motto.Count(10, 1000)},
	}))
	s, id = world.Must2(world.CreateWith(s, Guard, Motto))
	return edited(t, s, inspect.Options{}), id
}

func TestListsAreShownAndEdited(t *testing.T) {
	e, id := listEditor(t)
	set := func(status int, object, kind, field, text string) string {
		return e.post(status, `{"op":"set","object":"`+object+`","kind":"`+kind+`","field":"`+field+
			`","part":"","values":["`+strings.ReplaceAll(text, `"`, `\"`)+`"]}`)["error"]
	}
	for _, c := range [][4]string{
		{"0", "guard", "hints", "[{To:0 Since:1.5 Kind:7} {To:nobody Since:0 Kind:0}]"},
		{"0", "motto", "motto", `"we \"watch\""`},
		{"", "board", "scores", "[3 18446744073709551615]"},
	} {
		set(200, c[0], c[1], c[2], strings.ReplaceAll(c[3], `\`, `\\`))
	}
	require.NoError(t, tool.Verify(e.state))
	assert.Equal(t, []hint{{id, 1.5, 7}, {}}, world.Must(lists.Of(e.state, id, Hints)))
	assert.Equal(t, []uint64{3, 1<<64 - 1}, world.Must(lists.Of(e.state, 0, Scores)))

	h := inspector(t, e.state).Handler()
	_, shown := raw(t, h, "/api/object?id=0")
	assert.Contains(t, string(shown), `["[{To:0 Since:1.5 Kind:7} {To:nobody Since:0 Kind:0}]"]`)
	assert.Contains(t, string(shown), `"type":"list of To id × 1, Since float32 × 1, Kind uint32 × 1"`)
	_, shown = raw(t, h, "/api/rows?kind=motto")
	assert.Contains(t, string(shown), `we \\\"watch\\\"`)
	_, shown = raw(t, h, "/api/resources")
	assert.Contains(t, string(shown), `[3 18446744073709551615]`)

	for fault, text := range map[string]string{
		"write its elements in brackets": "7", "alive at index 5": "[{To:5 Since:0 Kind:0}]",
		"comes after the value": "[] …, 9 in all",
	} {
		assert.Contains(t, set(400, "0", "guard", "hints", text), fault)
	}
	set(200, "0", "guard", "hints", "["+strings.Repeat("{To:0 Since:0 Kind:0} ", 180)+"]")
	e.post(404, `{"op":"add","object":"0","kind":"elements of motto"}`)
	require.NoError(t, tool.Verify(e.state))
}

// TestLongListsAreCutOff: the page says how many elements there are.
func TestLongListsAreCutOff(t *testing.T) {
	e, id := listEditor(t)
	e.state = world.Must(lists.SetText(e.state, id, Motto, strings.Repeat("ü", 300)))
	e.state = world.Must(lists.Set(e.state, id, Hints, make([]hint, 500)...))
	e.handler = inspector(t, e.state).Handler()
	_, shown := raw(t, e.handler, "/api/object?id=0")
	assert.Contains(t, string(shown), `Kind:0}] …, 500 in all"`)
	assert.Equal(t, 256, strings.Count(string(shown), "To:nobody"))
}

// Who wrote a list, its elements too, is told as of any value, with the line of the job.
func TestWhoWroteAList(t *testing.T) {
	bag := layout.NewList[uint16]("bag")
	jobs := schedule.New(1)
	var owner world.GameObject
	register(t, jobs, schedule.Job{Name: "give", Do: func(s world.State) (world.State, error) {
		return lists.Append(s, owner, bag, uint16(world.Tick(s)))
	}})
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(bag)}))
	s, owner = world.Must2(world.CreateWith(s, bag))
	step := func(s world.State, _ []byte) world.State { return world.Must(jobs.Run(s, "frame")) }
	past := world.Must(timeline.New(s, timeline.Options{Step: step, Frames: 100}))
	t.Cleanup(past.Close)
	i := world.Must(inspect.New(s, inspect.Options{
		Clock: stage.Clock(time.Now), Past: past, Step: step,
		Why: why.Past{Timeline: past, Jobs: jobs}.Wrote,
	}))
	t.Cleanup(i.Close)
	for range 10 {
		require.NoError(t, past.Record(s, nil))
		s = step(s, nil)
	}
	answer := inspect.During(func() *httptest.ResponseRecorder {
		return inspect.Ask(i.Handler(), "/api/why?object=0&field=bag&writes=3")
	}, func() { s, _ = i.Turn(s) })
	var found struct {
		Writes []struct {
			Job, Source   string
			Tick          int
			Before, After []string
		}
	}
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&found))
	require.Len(t, found.Writes, 3)
	for _, w := range found.Writes {
		assert.Equal(t, "give", w.Job)
		assert.Contains(t, w.Source, "edit_test.go:")
		more := fmt.Sprintf("%s %d]", strings.TrimSuffix(w.Before[0], "]"), w.Tick)
		assert.Equal(t, []string{more}, w.After, "an element more")
	}
	world.Close(s)
}
