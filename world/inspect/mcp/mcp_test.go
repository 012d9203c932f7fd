package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// A game is a small program that assistants ask.
type game struct {
	begin func() world.State
	hear  func(s world.State, input byte) world.State
	jobs  []schedule.Job
}

// A client is an assistant.
type client struct {
	t       testing.TB
	url     string
	session string
	calls   int
	largest int // answer
}

// serve plays frames of a game, and then lets it be asked, paused.
func serve(tb testing.TB, g game, inputs []byte, o inspect.Options) *client {
	tb.Helper()
	jobs := schedule.New(1)
	all := schedule.Group{Name: "all"}
	for _, j := range g.jobs {
		all.Elements = append(all.Elements, j.Name)
	}
	require.NoError(tb, jobs.Register(schedule.Pipeline{
		Name: "tick", Groups: []schedule.Group{all}, Jobs: g.jobs,
	}))
	o.Step = func(s world.State, input []byte) world.State {
		if g.hear != nil {
			s = g.hear(s, input[0])
		}
		return world.Must(jobs.Run(s, "tick"))
	}
	state := g.begin()
	past, err := timeline.New(state, timeline.Options{Step: o.Step, Frames: 1000, InputBytes: 1})
	require.NoError(tb, err)
	o.Clock, o.Past, o.Paused = stage.Clock(time.Now), past, true
	o.Why = why.Past{Timeline: past, Jobs: jobs}.Wrote
	i := world.Must(inspect.New(state, o))
	step := func(input []byte) {
		require.NoError(tb, past.Record(state, input))
		state = o.Step(state, input)
	}
	for n := range inputs {
		step(i.Input(inputs[n : n+1]))
	}
	server := httptest.NewServer(i.Handler())
	ctx, stop := context.WithCancel(tb.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			var steps int
			state, steps = i.Turn(state)
			for range steps {
				step(i.Input([]byte{0}))
			}
			_ = i.Publish(state)
		}
	}()
	tb.Cleanup(func() {
		stop()
		<-ended
		server.Close()
		i.Close()
		past.Close()
		jobs.Close()
		world.Close(state)
	})
	c := &client{t: tb, url: server.URL + "/debug/ecs/mcp"}
	c.session = c.post("initialize", map[string]any{"protocolVersion": "2025-06-18"}, nil)
	return c
}

// post posts a message, and returns the session of the answer.
func (c *client) post(method string, params, result any) (session string) {
	c.t.Helper()
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	require.NoError(c.t, err)
	r := c.send(text, map[string]string{"Content-Type": "application/json", "Mcp-Session-Id": c.session})
	defer func() { _ = r.Body.Close() }()
	require.Equal(c.t, http.StatusOK, r.StatusCode)
	var answer struct {
		Result json.RawMessage
		Error  struct{ Message string }
	}
	require.NoError(c.t, json.NewDecoder(r.Body).Decode(&answer))
	require.Empty(c.t, answer.Error.Message)
	if result != nil {
		require.NoError(c.t, json.Unmarshal(answer.Result, result))
	}
	return r.Header.Get("Mcp-Session-Id")
}

func (c *client) send(text []byte, header map[string]string) *http.Response {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url, bytes.NewReader(text))
	require.NoError(c.t, err)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	return world.Must(http.DefaultClient.Do(r))
}

// call calls a tool; arguments are name, value, name, value.
func (c *client) call(tool string, arguments ...any) (string, error) {
	c.t.Helper()
	given := map[string]any{}
	for i := 0; i+1 < len(arguments); i += 2 {
		given[fmt.Sprint(arguments[i])] = arguments[i+1]
	}
	var answer struct {
		IsError bool
		Content []struct{ Text string }
	}
	c.post("tools/call", map[string]any{"name": tool, "arguments": given}, &answer)
	require.Len(c.t, answer.Content, 1)
	text := answer.Content[0].Text
	c.calls++
	c.largest = max(c.largest, len(text))
	if answer.IsError {
		return "", errors.New(text)
	}
	return text, nil
}

// says requires that a tool answers with a text.
func (c *client) says(want, tool string, arguments ...any) string {
	c.t.Helper()
	text := world.Must(c.call(tool, arguments...))
	assert.Contains(c.t, text, want)
	return text
}

// refuses requires that a tool refuses, with a text.
func (c *client) refuses(want, tool string, arguments ...any) {
	c.t.Helper()
	_, err := c.call(tool, arguments...)
	assert.ErrorContains(c.t, err, want)
}

var (
	Purse  = layout.NewComponent[int32]("purse", 100)
	amount = layout.NewField[int32]("amount", 1)
	Price  = layout.NewKind("price", amount)
	buyer  = world.NewRecipe("buyer", Purse, Price)
	buyers = world.NewQuery(world.Write(Purse), world.Read(amount))
	paid   = world.NewQuery(world.Write(Purse))
	heard  = layout.NewField[uint8]("heard")
	ear    = world.NewResource("ear", heard)
)

func buy(s world.State) world.State {
	for b := range buyers.In(s) {
		purses, prices := world.Column(b, Purse), world.Column(b, amount)
		for i := range purses {
			purses[i] -= prices[i]
		}
	}
	return s
}

// tax takes everything from object 7 at an input of 9.
func tax(s world.State) world.State {
	for b := range paid.In(s) {
		purses := world.Column(b, Purse)
		for i := range purses {
			if world.Resource(s, heard) == 9 && b.ID(i).Index() == 7 {
				purses[i] = -1000
			}
		}
	}
	return s
}

// market is a game with a number of buyers.
func market(n int) game {
	return game{
		begin: func() world.State {
			s := world.Must(world.CreateState(world.Counts{
				GameObjects: n, Recipes: []world.Recipe{buyer}, Resources: []world.ResourceKind{ear},
			}))
			return world.Must(world.SpawnN(s, buyer, n, nil))
		},
		hear: func(s world.State, input byte) world.State {
			return world.SetResource(s, heard, input)
		},
		jobs: []schedule.Job{
			{Name: "tax", Run: tax, Queries: []world.Query{paid}},
			{Name: "buy", Run: buy, Queries: []world.Query{buyers}},
		},
	}
}

var edited = inspect.Options{Edit: true}

// TestAnAssistantFindsAWrongJob, from a wrong value to the line.
func TestAnAssistantFindsAWrongJob(t *testing.T) {
	c := serve(t, market(10), []byte{0, 0, 9, 0, 0}, inspect.Options{})
	c.says("objects: {alive: 10, peak: 10", "overview")
	c.says("name: price, role: component, fields: {name: amount, parts: {type: int32", "kinds")
	c.says("{object: 7v1, before: 98, after: -1001}", "diff", "a", 2, "b", 3, "most", 500)
	text := c.says(`tick 6, frame 2, job "tax": purse of object 7: 98 → -1000; reads purse`,
		"why", "object", "7v1", "field", "purse", "before", 7)
	assert.Contains(t, text, "mcp_test.go:")
	c.says("values: {purse: -1003}", "object", "id", "7v1")
	c.says("total: 1\nobjects:\n- object: 7v1, kinds: [purse, price]", "objects", "kinds", "purse < 0")
	c.says("values: {price.amount: 1}", "rows", "kind", "price", "size", 1)
	c.says("values: {ear.heard: 9}", "resources", "at", 3)
	c.says("points: [100, 99, 98, -1001, -1002]", "chart", "object", "7v1", "field", "purse")
	c.says("first: 0\nnext: 5", "frames")
}

// TestTimeGoesAsAnAssistantWants: steps are taken when the answer comes, the past is gone back to,
// another future is compared, inputs are played, and an edit is undone.
func TestTimeGoesAsAnAssistantWants(t *testing.T) {
	c := serve(t, market(10), []byte{0}, edited)
	c.says("next: 101", "step", "steps", 100)
	c.says("next: 50", "fork", "frame", 50, "inputs", "live")
	c.says("next: 54", "play", "play", []string{"00", "09", "00", "00"})
	c.says("{object: 7v1, before: -1003, after: 46}", "diff", "a", "now", "b", "other")
	c.says("next: 52", "back", "frame", 52, "inputs", "live")
	c.says("object: 3", "edit", "op", "set", "object", "3", "kind", "purse", "field", "purse", "values",
		[]string{"5"})
	c.says("values: {purse: 5}", "object", "id", "3", "at", "now")
	c.says("next: 51", "back", "frame", 51, "inputs", "same")
	c.says("next: 52", "step")
	c.says("values: {purse: 48}", "object", "id", "3", "at", "now")
	c.says("paused: false", "go")
	c.says("paused: true", "pause")
	c.refuses("input 0 is \"0000\"; give 1 bytes", "play", "play", []string{"0000"})
}

// TestWithoutEditsAWorldIsLookedAt: neither are the tools listed, nor do they change anything.
func TestWithoutEditsAWorldIsLookedAt(t *testing.T) {
	c := serve(t, market(10), []byte{0}, inspect.Options{})
	c.refuses("does not allow edit; set inspect.Options: edit", "edit", "op", "dispose", "object", "3")
	c.refuses("does not allow play", "play", "play", []string{"09"})
	c.refuses("set inspect.Options: hunt", "hunt")
	var list struct{ Tools []struct{ Name string } }
	c.post("tools/list", nil, &list)
	names := fmt.Sprint(list.Tools)
	assert.Contains(t, names, "{diff} {chart} {why} {step} {pause} {go} {back} {fork}")
	assert.NotContains(t, names, "{edit}")
	page := *c // which has the token, too
	page.url = strings.Replace(c.url, "/mcp", "/api/time", 1)
	r := page.send([]byte(`{"op":"play","play":["09"]}`), map[string]string{"X-Token": c.session})
	_ = r.Body.Close()
	assert.Equal(t, http.StatusForbidden, r.StatusCode)
}

// TestRefusalsSayWhatIsRight, in the words of the world.
func TestRefusalsSayWhatIsRight(t *testing.T) {
	c := serve(t, market(900), []byte{0}, edited)
	c.refuses("price has one field; it is called price.amount", "why", "object", "1", "field", "price.gold")
	c.refuses("this world has no kind \"gold\"; it has purse, price, ear", "why", "object", "1", "field", "gold")
	c.refuses(`objects has no argument "sort"; it has: at, kinds, page, q, size`, "objects", "sort", 1)
	c.refuses("why needs field: kind.field", "why", "object", "1")
	c.refuses("size is \"1000000\"; give a number from 0 to 500", "objects", "size", 1000000)
	c.refuses("no game object is alive at index 1000", "object", "id", 1000)
	c.refuses("the past does not have this frame, 77; it has 0 to 0", "object", "id", "1", "at", "77")
	c.refuses("20000 steps; give 1 to 10000", "step", "steps", 20000)
	assert.NotContains(t, c.says("pages: 45", "objects"), "object: 20v1", "pages are small")
	assert.Less(t, len(c.says("… ", "rows", "kind", "purse", "size", 500)), 31_000)
}

// TestStrangersAreRefused: other sites, other sessions, floods of bytes, and what is no message.
func TestStrangersAreRefused(t *testing.T) {
	c := serve(t, market(1), []byte{0}, edited)
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, k := range map[string]struct {
		text   string
		header string // name, value
		status int
		want   string
	}{
		"ours":           {ping, "", 200, `"result":{}`},
		"notification":   {`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", 202, ""},
		"another site":   {ping, "Origin http://evil.example", 403, "other sites"},
		"no session":     {ping, "Mcp-Session-Id ", 400, "initialize first"},
		"wrong session":  {ping, "Mcp-Session-Id abc", 404, "anew"},
		"a form's post":  {ping, "Content-Type text/plain", 415, "application/json"},
		"a long message": {strings.Repeat(" ", 70_000) + ping, "", 413, "64 KB"},
		"no JSON":        {"{", "", 200, "-32700"},
		"nothing":        {"", "", 200, "-32700"},
		"more than one":  {ping + ping, "", 200, "-32700"},
		"too deep":       {strings.Repeat("[", 60_000), "", 200, "-32700"},
		"no object":      {`7`, "", 200, "-32600"},
		"no name":        {`{"id":5,"method":["ping"]}`, "", 200, `"id":5`},
		"an argument":    {`{"id":1,"method":"tools/call","params":{"arguments":7}}`, "", 200, "-32600"},
		"a batch":        {"[" + ping + "]", "", 200, "-32600"},
		"no method":      {`{"id":1,"method":"rm"}`, "", 200, "-32601"},
		"no tool":        {`{"id":1,"method":"tools/call","params":{"name":"rm"}}`, "", 200, "-32602"},
	} {
		header := map[string]string{"Content-Type": "application/json", "Mcp-Session-Id": c.session}
		if name, value, ok := strings.Cut(k.header, " "); ok {
			header[name] = value
		}
		r := c.send([]byte(k.text), header)
		var text bytes.Buffer
		_, _ = text.ReadFrom(r.Body)
		_ = r.Body.Close()
		assert.Equal(t, k.status, r.StatusCode, name)
		assert.Contains(t, text.String(), k.want, name)
	}
	r := world.Must(http.Get(c.url)) //nolint:noctx // a stream is asked for
	_ = r.Body.Close()
	assert.Equal(t, http.StatusMethodNotAllowed, r.StatusCode)
}

// TestHostileCallsAreNamed, and bounded: none has the world stand still.
func TestHostileCallsAreNamed(t *testing.T) {
	c := serve(t, market(900), []byte{0}, edited)
	long := strings.Repeat("purse < 0, ", 2000)
	for want, call := range map[string][]any{
		"30014 bytes, as in a URL; give 2048": {"objects", "kinds", long},
		"60010 bytes, as in a URL":            {"objects", "q", strings.Repeat("x", 60_000)},
		"page is \"99999999999999999999\"":    {"objects", "page", json.Number("99999999999999999999")},
		"size is \"-1\"":                      {"rows", "kind", "purse", "size", -1},
		"size is \"map[":                      {"objects", "size", map[string]any{"a": []int{1}}},
		"is alive no more":                    {"object", "id", "2000000000v3"},
		"\"7v1v1\"":                           {"object", "id", "7v1v1"},
		"most is \"501\"":                     {"diff", "a", 0, "b", "now", "most", 501},
		"writes is":                           {"why", "field", "purse", "object", "1", "writes", 1 << 30},
		"-5 steps; give 1 to 10000":           {"step", "steps", -5},
		"too large":                           {"play", "play", []string{strings.Repeat("00", 20_000)}},
		"cannot unmarshal number":             {"edit", "op", "set", "values", 7},
		"no kind":                             {"edit", "op", "spawn", "kinds", []string{"gold"}},
		"does not have this frame":            {"back", "frame", 1 << 30, "inputs", "same"},
		"has no argument":                     {"step", "wait", false},
	} {
		c.refuses(want, fmt.Sprint(call[0]), call[1:]...)
	}
	c.says("objects: {alive: 900", "overview")
}

// TestFloodsAreAnswered: some are told to wait, and the others have what they asked for.
func TestFloodsAreAnswered(t *testing.T) {
	c := serve(t, market(900), []byte{0}, edited)
	var busy, done atomic.Int64
	var all sync.WaitGroup
	for range 300 {
		all.Go(func() {
			one := *c
			switch _, err := one.call("step"); {
			case err == nil:
				done.Add(1)
			case strings.Contains(err.Error(), "too many requests wait"):
				busy.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	assert.Equal(t, int64(300), busy.Load()+done.Load())
	assert.Positive(t, done.Load())
	c.says("objects: {alive: 900", "overview")
}
