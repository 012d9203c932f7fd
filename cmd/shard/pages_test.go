package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/report"
)

func read(t *testing.T, url string) string {
	t.Helper()
	r := world.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil))
	answer := world.Must(http.DefaultClient.Do(r))
	defer answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode, url)
	b := world.Must(io.ReadAll(answer.Body))
	return string(b)
}

// A shard has a page for itself, and the inspector of its world with its metrics.
func TestAShardHasPages(t *testing.T) {
	f := simulation{Shards: 1, Objects: 500, Ticks: 5, Seed: 1, Speed: 1, Workers: 1}
	o := world.Must(f.options(0))
	defer o.Schedule.Close()
	s := world.Must(shard.Start(t.Context(), nil, o))
	defer s.Close()
	var log bytes.Buffer
	w := world.Must(watch(s, o, newBoard(&f), "127.0.0.1:0", &log))
	defer w.close()
	assert.Contains(t, log.String(), "inspector: http://127.0.0.1:")

	told := 0
	world.Must(w.play(t.Context(), 5, func(tick uint64, r *report.Report) error {
		if told++; tick == 5 {
			assert.Equal(t, w.pages.url+worldPath, r.Inspector)
			assert.Equal(t, 500, r.Objects)
		}
		return nil
	}))
	assert.Equal(t, 5, told)
	var list []report.Report
	require.NoError(t, json.Unmarshal([]byte(read(t, w.pages.url+shardsPath+"/api")), &list))
	require.Len(t, list, 1)
	assert.EqualValues(t, 5, list[0].Tick)
	assert.Contains(t, read(t, w.pages.url+shardsPath), "<h1>Shards</h1>")
	assert.Contains(t, read(t, w.pages.url+worldPath), "inspector")
	read(t, w.pages.url+worldPath+"/api/overview")
	world.Must(w.report(true)) // which somebody waits for
	assert.Contains(t, read(t, w.pages.url+shardsPath+"/metrics"),
		`flatecs_shard_objects{shard="0"} 500`)
	assert.Contains(t, read(t, w.pages.url+worldPath+"/metrics"),
		`flatecs_shard_ticks_done_total{shard="0"}`)
}

// kill posts to the page of shards.
func kill(t *testing.T, page, shard string) (status int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, page+"/kill?shard="+shard, nil)
	require.NoError(t, err)
	answer := world.Must(http.DefaultClient.Do(r))
	defer answer.Body.Close()
	return answer.StatusCode
}

// All shards of a run are on one page, with links to their worlds and a way to kill them.
func TestARunHasAPage(t *testing.T) {
	f := runFlags{Inspect: "0", simulation: simulation{
		Shards: 2, Objects: 1000, Ticks: 150, Seed: 1, Speed: 1, Every: 50, Workers: 1,
	}}
	b := newBoard(&f.simulation)
	pages, said := make(chan string, 1), make(chan string, 100)
	look := writer(func(text []byte) (int, error) {
		if _, url, ok := strings.Cut(string(text), "inspector: "); ok {
			pages <- strings.TrimSpace(url)
		}
		said <- string(text)
		return len(text), nil
	})
	done := make(chan error)
	d := newDisplay(look, b.table, func(string) string { return "" })
	go func() {
		_, err := f.together(t.Context(), b, d)
		done <- err
	}()
	killWhenItRuns(t, <-pages)
	require.NoError(t, <-done)
	close(said)
	var log strings.Builder
	for text := range said {
		log.WriteString(text)
	}
	assert.Contains(t, log.String(), ": killing shard 1\n")
	for _, r := range b.reports() {
		assert.Equal(t, ended, r.State)
		assert.EqualValues(t, 150, r.Tick)
		assert.Regexp(t, `^http://127\.0\.0\.1:\d+/debug/ecs$`, r.Inspector)
	}
}

// killWhenItRuns kills the second of two shards by the page.
func killWhenItRuns(t *testing.T, page string) {
	t.Helper()
	var all []report.Report
	for len(all) < 2 || all[1].Map == nil {
		text := []byte(read(t, page+"/api"))
		require.NoError(t, json.Unmarshal(text, &all))
		time.Sleep(time.Millisecond)
	}
	assert.Equal(t, "x from 50", all[1].Region)
	assert.Contains(t, read(t, page), `data-kills="yes"`)
	assert.Equal(t, http.StatusBadRequest, kill(t, page, "2"))
	assert.Equal(t, http.StatusBadRequest, kill(t, page, "-1"), "the server")
	assert.Equal(t, http.StatusNoContent, kill(t, page, "1"))
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

func TestPagesAreOfThisMachine(t *testing.T) {
	f := runFlags{Inspect: "0.0.0.0:0", simulation: simulation{Shards: 1, Objects: 10, Ticks: 1}}
	for f.Shards = range 3 {
		if f.Shards > 0 {
			require.ErrorIs(t, f.run(t.Context(), io.Discard, io.Discard), inspect.ErrRemote)
		}
	}
}
