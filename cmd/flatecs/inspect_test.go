package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

// A shared buffer is written by a run while a test reads it.
type shared struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.buffer.Write(b)
}

func (s *shared) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.buffer.String()
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
	for limit := time.Now().Add(time.Minute); url == "" && time.Now().Before(limit); {
		time.Sleep(10 * time.Millisecond)
		url = address.FindString(log.String())
	}
	if url == "" {
		t.Fatalf("no address in the log: %s", &log)
	}
	return url, func() {
		t.Helper()
		stop()
		if got := <-code; got != 130 {
			t.Errorf("got %d: %s", got, &log)
		}
		if _, err := http.Get(url); err == nil {
			t.Error("it serves on")
		}
	}
}

// answered reads the JSON at an address.
func answered(t *testing.T, url string, found any) {
	t.Helper()
	answer, err := http.Get(url)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	require.NoError(t, json.NewDecoder(answer.Body).Decode(found))
}

func TestARunIsShownWhileItPlays(t *testing.T) {
	url, end := inspecting(t, "--frames", "100000000")
	defer end()
	var world struct {
		Title   string
		Objects struct{ Alive int }
	}
	answered(t, url+"/api/overview", &world)
	if world.Title != "cubes" || world.Objects.Alive < 100 {
		t.Errorf("got %+v", world)
	}
	var times struct{ Jobs []struct{ Runs int } }
	for limit := time.Now().Add(time.Minute); len(times.Jobs) == 0 || times.Jobs[0].Runs == 0; {
		if time.Now().After(limit) {
			t.Fatalf("after a minute: %+v", times)
		}
		answered(t, url+"/api/times", &times)
		time.Sleep(time.Millisecond)
	}
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
	require.Eventually(t, func() bool {
		answered(t, url+"/api/time", &c)
		return c.Next >= frame
	}, time.Minute, 5*time.Millisecond)
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
		for limit := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
			answered(t, url+"/api/plots", &plots)
			if plots.Tick > first && plots.Points[1] >= least && plots.Points[1] <= most {
				return
			}
			if time.Now().After(limit) {
				t.Fatalf("after a minute: %+v", plots)
			}
		}
	}
	var course struct{ Paused bool }
	answered(t, url+"/api/time", &course)
	if !course.Paused {
		t.Error("it does not wait for the page")
	}
	if answered(t, url+"/api/plots", &plots); plots.Tick != first {
		t.Errorf("plots begin at tick %d, and the world at %d", plots.Tick, first)
	}
	if status, why := post(t, url, "time", map[string]any{"op": "go"}); status != http.StatusOK {
		t.Fatal(why)
	}
	share(1, 1) // who wants nothing is happy
	if len(plots.Plots) != 2 || plots.Plots[0][0] != "happy" || plots.Plots[1][0] != "share" {
		t.Errorf("plots %v", plots.Plots)
	}
	if status, why := adjust(t, url, "Wanted", "24"); status != http.StatusOK {
		t.Fatal(why)
	}
	share(0, 0) // nobody has 24 neighbours in a radius of 1
	for part, value := range map[string]string{"Wanted": "25", "Side": "50"} {
		if status, why := adjust(t, url, part, value); status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", part, status, why)
		}
	}
}

func adjust(t *testing.T, url, part, value string) (status int, text string) {
	t.Helper()
	return post(t, url, "edit", map[string]any{
		"op": "set", "kind": "city", "field": "schelling", "part": part, "values": []string{value},
	})
}

// post asks the inspector for something, as its page does.
func post(t *testing.T, url, path string, wish map[string]any) (status int, text string) {
	t.Helper()
	page := world.Must(http.Get(url))
	defer func() { _ = page.Body.Close() }()
	source := world.Must(io.ReadAll(page.Body))
	token := regexp.MustCompile(`name="token" content="([A-Z2-7]+)"`).FindSubmatch(source)
	if token == nil {
		t.Fatal("the page has no token")
	}
	body := world.Must(json.Marshal(wish))
	r := world.Must(http.NewRequest(http.MethodPost, url+"/api/"+path, bytes.NewReader(body)))
	r.Header.Set("X-Token", string(token[1]))
	answer := world.Must(http.DefaultClient.Do(r))
	defer func() { _ = answer.Body.Close() }()
	why := world.Must(io.ReadAll(answer.Body))
	return answer.StatusCode, string(why)
}
