package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

// A shared buffer is written by a run while a test reads it.
type shared struct {
	sync.Mutex
	bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.Lock()
	defer s.Unlock()
	return s.Buffer.Write(b)
}

func (s *shared) String() string {
	s.Lock()
	defer s.Unlock()
	return s.Buffer.String()
}

// inspecting plays the cubes with an inspector, and returns its address and what ends the run.
func inspecting(t *testing.T, flags ...string) (url string, end func()) {
	t.Helper()
	return inspectedRun(t, append([]string{"run", "cubes", "--count", "100", "--inspect", "0"}, flags...)...)
}

// inspectedRun is inspecting, with any command.
func inspectedRun(t *testing.T, args ...string) (url string, end func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var out, log shared
	code := make(chan int, 1)
	go func() { code <- run(ctx, args, streams{strings.NewReader(""), &out, &log}) }()
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/debug/ecs`)
	require.Eventually(t, func() bool {
		url = address.FindString(log.String())
		return url != ""
	}, time.Minute, 10*time.Millisecond, "no address in the log")
	return url, func() {
		t.Helper()
		stop()
		assert.Equal(t, 130, <-code, &log)
		_, err := http.Get(url)
		assert.Error(t, err, "it serves on")
	}
}

// answered reads the JSON at an address.
func answered(t *testing.T, url string, found any) {
	t.Helper()
	answer := world.Must(http.Get(url))
	defer func() { _ = answer.Body.Close() }()
	require.NoError(t, json.NewDecoder(answer.Body).Decode(found))
}

// answeredOnce waits until the JSON at an address is as it should be.
func answeredOnce(t *testing.T, url string, found any, ok func() bool) {
	t.Helper()
	require.Eventually(t, func() bool {
		answered(t, url, found)
		return ok()
	}, time.Minute, 5*time.Millisecond)
}

func TestARunIsShownWhileItPlays(t *testing.T) {
	url, end := inspecting(t, "--frames", "100000000")
	defer end()
	var world struct {
		Title   string
		Objects struct{ Alive int }
	}
	answered(t, url+"/api/overview", &world)
	assert.Equal(t, "cubes", world.Title)
	assert.GreaterOrEqual(t, world.Objects.Alive, 100)
	var times struct{ Jobs []struct{ Runs int } }
	answeredOnce(t, url+"/api/times", &times, func() bool {
		return len(times.Jobs) > 0 && times.Jobs[0].Runs > 0
	})
}

// A course is how an inspected run goes on.
type course struct {
	First, Next int
	Paused      bool
	Error       string
}

// steered posts how a run is to go on.
func steered(t *testing.T, url string, wish map[string]any) (status int, c course) {
	t.Helper()
	status, text := post(t, url, "time", wish)
	require.NoError(t, json.Unmarshal([]byte(text), &c))
	return status, c
}

// reached waits until a run has come to a frame.
func reached(t *testing.T, url string, frame int) {
	t.Helper()
	var c course
	answeredOnce(t, url+"/api/time", &c, func() bool { return c.Next >= frame })
}

// A recording that is inspected stays at its end; it goes back, and every digest is the same again.
func TestAReplayGoesBack(t *testing.T) {
	path := recorded(t, "run cubes --count 30 --frames 40")
	url, end := inspectedRun(t, "replay", path, "--inspect", "0")
	defer end()
	reached(t, url, 40)
	var then struct{ Tick uint64 }
	answered(t, url+"/api/overview?at=3", &then)
	status, c := steered(t, url, map[string]any{"op": "pause"})
	require.Equal(t, http.StatusOK, status, "%+v", c)
	status, c = steered(t, url, map[string]any{"op": "back", "frame": 10, "inputs": "same"})
	require.Equal(t, http.StatusOK, status, "%+v", c)
	require.Equal(t, 10, c.Next)
	_, _ = steered(t, url, map[string]any{"op": "go"})
	reached(t, url, 40)
	var again struct{ Tick uint64 }
	answered(t, url+"/api/overview?at=3", &again)
	require.Equal(t, then, again)
	require.Positive(t, then.Tick)
}

// A recording of a scene opens as a save does, at any frame; another program's is refused.
func TestARecordingIsInspected(t *testing.T) {
	path := recorded(t, "run cubes --count 30 --frames 40")
	url, end := inspectedRun(t, "inspect", path, "--addr", "0")
	defer end()
	var then, now struct{ Tick uint64 }
	answered(t, url+"/api/overview?at=3", &then)
	answered(t, url+"/api/overview", &now)
	require.Equal(t, []uint64{7, 81}, []uint64{then.Tick, now.Tick}) // two a step
	status, c := steered(t, url, map[string]any{"op": "back", "frame": 10, "inputs": "same"})
	require.Equal(t, http.StatusOK, status, "%+v", c)
	_, _ = steered(t, url, map[string]any{"op": "go"})
	reached(t, url, 40)
	other := changed(t, path, func(p *recordedScene, _ [][]byte) { p.Scene = "" })
	refused(t, 1, map[string]string{
		"inspect " + other:          "another program recorded this; replay it there",
		"inspect --most 20 " + path: "30, of 20 at most; raise --most",
		"inspect " + t.TempDir():    "no head.flrec beside 0 segments: file does not exist; give",
		"inspect x":                 "no such file",
	})
}

// A model is plotted while it runs, and a parameter that is set on the page is the world's.
func TestLabIsShownWhileItRuns(t *testing.T) {
	url, end := inspectedRun(t, "lab", "schelling", "--param", "wanted=0", "--rate", "200", "--inspect", "0")
	defer end()
	first := world.Tick(world.Must(world.CreateState(world.Counts{})))
	var plots struct {
		Plots  [][]string
		Tick   uint64
		Points []float64
	}
	share := func(least, most float64) {
		t.Helper()
		answeredOnce(t, url+"/api/plots", &plots, func() bool {
			return plots.Tick > first && plots.Points[1] >= least && plots.Points[1] <= most
		})
	}
	adjust := func(want int, part, value string) {
		t.Helper()
		status, why := post(t, url, "edit", map[string]any{
			"op": "set", "kind": "city", "field": "schelling", "part": part, "values": []string{value},
		})
		require.Equal(t, want, status, "%s: %s", part, why)
	}
	var c course
	answered(t, url+"/api/time", &c)
	assert.True(t, c.Paused, "it waits for the page")
	answered(t, url+"/api/plots", &plots)
	assert.Equal(t, first, plots.Tick, "plots begin as the world does")
	status, _ := steered(t, url, map[string]any{"op": "go"})
	require.Equal(t, http.StatusOK, status)
	share(1, 1) // an agent that wants no neighbours is happy
	require.Len(t, plots.Plots, 2)
	assert.Equal(t, []string{"happy", "share"}, []string{plots.Plots[0][0], plots.Plots[1][0]})
	adjust(http.StatusOK, "Wanted", "24")
	share(0, 0) // no agent has 24 neighbours in a radius of 1
	adjust(http.StatusBadRequest, "Wanted", "25")
	adjust(http.StatusBadRequest, "Side", "50")
}

// post asks the inspector for something, as its page does.
func post(t *testing.T, url, path string, wish map[string]any) (status int, text string) {
	t.Helper()
	page := world.Must(http.Get(url))
	defer func() { _ = page.Body.Close() }()
	source := world.Must(io.ReadAll(page.Body))
	token := regexp.MustCompile(`name="token" content="([A-Z2-7]+)"`).FindSubmatch(source)
	require.NotNil(t, token, "the page has no token")
	body := world.Must(json.Marshal(wish))
	r := world.Must(http.NewRequest(http.MethodPost, url+"/api/"+path, bytes.NewReader(body)))
	r.Header.Set("X-Token", string(token[1]))
	answer := world.Must(http.DefaultClient.Do(r))
	defer func() { _ = answer.Body.Close() }()
	return answer.StatusCode, string(world.Must(io.ReadAll(answer.Body)))
}

// asked passes messages on to a world, one a line, and returns the answers.
func asked(t *testing.T, world string, messages ...string) string {
	t.Helper()
	var out, log shared
	in := strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"initialize"}` + "\n" +
		strings.Join(messages, "\n"))
	require.Zero(t, run(t.Context(), []string{"mcp", world}, streams{in, &out, &log}), "%s", &log)
	return out.String()
}

// TestAnAssistantAsksByLines, of a run, a save file, which cannot step, and a recording.
func TestAnAssistantAsksByLines(t *testing.T) {
	url, end := inspecting(t)
	defer end()
	const step = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"step"}}`
	assert.Contains(t, asked(t, url, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, step),
		`"id":7,"jsonrpc":"2.0","result":{"content":[{"text":"first: 0\nnext: `)
	const edit = `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"edit","arguments":{}}}`
	assert.Contains(t, asked(t, url, edit), "--inspect-edit")
	path := filepath.Join(t.TempDir(), "a.flat")
	require.Zero(t, playArgs("run", "cubes", "--count", "30", "--frames", "5", "--save", path).code)
	got := asked(t, path, step, strings.ReplaceAll(step, "step", "overview"))
	assert.Contains(t, got, "does not allow step")
	assert.Contains(t, got, `tick: `)
	got = asked(t, recorded(t, "run cubes --count 30 --frames 40"), step,
		`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"why",`+
			`"arguments":{"object":"3","field":"Transform.position"}}}`)
	assert.Contains(t, got, `first: 0\nnext: 40`)
	assert.Contains(t, got, `job \"`)
}

// toolCall is a message that calls a tool, with arguments as JSON.
func toolCall(name, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{%s}}}`,
		name, arguments)
}

// TestEditsAreFramesOfARecording, by an assistant and by the page; they are undone, and a replay
// has the same worlds.
func TestEditsAreFramesOfARecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "edited")
	url, end := inspecting(t, "--inspect-edit", "--record", path)
	set := func(x int) string {
		return toolCall("edit", fmt.Sprintf(`"op":"set","object":"3","kind":"Transform",`+
			`"field":"position","values":["%d","0","0"]`, x))
	}
	look := toolCall("object", `"id":"3","at":"now"`)
	got := asked(t, url, toolCall("pause", ""), toolCall("step", `"steps":7`), set(1234), look,
		toolCall("step", `"steps":5`))
	require.NotContains(t, got, `"isError":true`)
	require.Contains(t, got, "Transform.position: [1234, 0, 0]")
	var c course
	answered(t, url+"/api/time", &c)
	edit := c.Next - 5
	status, text := post(t, url, "edit", map[string]any{"op": "dispose", "object": "4"})
	require.Equal(t, http.StatusOK, status, text)
	got = asked(t, url, toolCall("step", `"steps":3`), toolCall("back", fmt.Sprintf(
		`"frame":%d,"inputs":"same"`, edit-1)), toolCall("step", `"steps":4`), set(77), look)
	require.NotContains(t, got, `"isError":true`)
	end()
	const frames = 5 + 3 + 4 // from the first edit on
	require.Contains(t, played(t, "replay "+path), fmt.Sprintf("%d steps, and all digests are equal", edit+frames))
	at := func(frame int) string {
		return asked(t, path, toolCall("object", fmt.Sprintf(`"id":"3","at":"%d"`, frame)))
	}
	require.NotContains(t, at(edit-1), "[1234")
	require.Contains(t, at(edit), "position: [1234, 0, 0]")
	require.NotContains(t, at(edit+8), "[1234", "the edit is undone")
	require.Contains(t, asked(t, path, toolCall("object", `"id":"3","at":"now"`)), "position: [77, 0, 0]",
		"the last edit, without a step")
	require.Contains(t, asked(t, path, toolCall("object", fmt.Sprintf(`"id":"4","at":"%d"`, edit+7))), "no game object")
	from, err := record.Read(path)
	require.NoError(t, err)
	fixed := 0
	for _, w := range from.Worlds() {
		if w.Fixed {
			fixed++
		}
	}
	require.Equal(t, 1+4, fixed, "the first world, two edits, a way back, an edit")
	require.Contains(t, played(t, fmt.Sprint("replay --digest last --to ", edit+2, " ", path)), "xxh3=")
}

func TestWhereNoInspectorAnswersHelpIsGiven(t *testing.T) {
	for _, url := range []string{"http://127.0.0.1:1", "http://"} {
		var out, log shared
		in := strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"ping"}`)
		assert.Equal(t, 1, run(t.Context(), []string{"mcp", url}, streams{in, &out, &log}))
		assert.Contains(t, log.String(), "start one, such as flatecs run tanks --inspect 8080")
	}
}
