package inspect_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	lists "github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	set := func(object, kind, field, text string) (int, string) {
		status, answer := e.post(`{"op":"set","object":"` + object + `","kind":"` + kind + `","field":"` + field +
			`","part":"","values":["` + strings.ReplaceAll(text, `"`, `\"`) + `"]}`)
		return status, answer["error"]
	}
	for _, c := range [][4]string{
		{"0", "guard", "hints", "[{To:0 Since:1.5 Kind:7} {To:nobody Since:0 Kind:0}]"},
		{"0", "motto", "motto", `"we \"watch\""`},
		{"", "board", "scores", "[3 18446744073709551615]"},
	} {
		c[3] = strings.ReplaceAll(c[3], `\`, `\\`)
		status, fault := set(c[0], c[1], c[2], c[3])
		require.Equal(t, http.StatusOK, status, fault)
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
		status, got := set("0", "guard", "hints", text)
		assert.Equal(t, http.StatusBadRequest, status)
		assert.Contains(t, got, fault)
	}
	long := "[" + strings.Repeat("{To:0 Since:0 Kind:0} ", 180)
	status, _ := set("0", "guard", "hints", long+"]")
	require.Equal(t, http.StatusOK, status)
	status, fault := e.post(`{"op":"add","object":"0","kind":"elements of motto"}`)
	assert.Equal(t, http.StatusNotFound, status, fault)
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
		assert.Contains(t, w.Source, "list_test.go:")
		more := fmt.Sprintf("%s %d]", strings.TrimSuffix(w.Before[0], "]"), w.Tick)
		assert.Equal(t, []string{more}, w.After, "an element more")
	}
	world.Close(s)
}
