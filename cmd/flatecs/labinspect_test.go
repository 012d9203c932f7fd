package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/flatecs/flatecs/world"
)

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
