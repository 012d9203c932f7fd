package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/report"
	"github.com/flatecs/flatecs/world/shard/server"
)

// A password comes from a flag, a file or the environment, and belongs to a user.
func TestPasswords(t *testing.T) {
	file, empty := filepath.Join(t.TempDir(), "word"), filepath.Join(t.TempDir(), "empty")
	for _, end := range []string{"", "\n", "\r", "\r\n"} {
		require.NoError(t, os.WriteFile(file, []byte("\ufeffof a file"+end), 0o600))
		got := world.Must((&secret{"u", "", file}).password(os.Getenv))
		require.Equal(t, "of a file", got, "%q", end)
	}
	require.NoError(t, os.WriteFile(empty, []byte("\n"), 0o600))
	for name, x := range map[string]struct {
		secret
		environment, want, says string
	}{
		"none":             {},
		"of a flag":        {secret{"u", "f", ""}, "e", "f", ""},
		"of a file":        {secret{"u", "", file}, "e", "of a file", ""},
		"of environment":   {secret{"u", "", ""}, "e", "e", ""},
		"environment only": {secret{}, "e", "", ""}, // it may be for others
		"user alone":       {secret{"u", "", ""}, "", "", "FLATECS_SHARD_PASSWORD"},
		"flag alone":       {secret{"", "f", ""}, "", "", "--user"},
		"file alone":       {secret{"", "", file}, "", "", "--user"},
		"both":             {secret{"u", "f", file}, "", "", "give one"},
		"empty":            {secret{"u", "", empty}, "e", "", "no password in " + empty},
		"missing":          {secret{"u", "", "no file"}, "", "", "no file"},
	} {
		got, err := x.password(func(string) string { return x.environment })
		if x.says != "" {
			require.ErrorContains(t, err, x.says, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, x.want, got, name)
	}
}

// served starts a server by the command, and returns its URL and what stops it.
func served(t *testing.T, f serveFlags, log io.Writer) (url string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	done := make(chan error)
	go func() { done <- f.run(ctx, nil, out, log) }()
	stop = sync.OnceFunc(func() {
		cancel()
		assert.NoError(t, <-done)
	})
	t.Cleanup(stop)
	b := make([]byte, 1000)
	n := world.Must(in.Read(b))
	url, ok := strings.CutPrefix(strings.TrimSpace(string(b[:n])), "ready ")
	require.True(t, ok, "%s", b[:n])
	return url, stop
}

// Shards give the password of the environment to a server that has it from there, too.
func TestAUserIsAskedForAPassword(t *testing.T) {
	t.Setenv(passwordKey, "secret")
	url, _ := served(t, serveFlags{secret: secret{User: "crowd"}, Dir: t.TempDir(), Port: new(int)}, io.Discard)
	f := joinFlags{
		client: client{secret: secret{User: "crowd"}, URL: url}, Patience: time.Minute,
		simulation: simulation{Shards: 2, Objects: 500, Seed: 2, Speed: 1, Every: 10, Workers: 1},
	}
	all, _ := joinBoth(t, f, 3)
	assert.Equal(t, 500, all.objects)
	f.Password = "other"
	require.ErrorIs(t, f.run(t.Context(), nil, io.Discard, io.Discard), shard.ErrRefused)
	f.User = ""
	require.ErrorContains(t, f.run(t.Context(), nil, io.Discard, io.Discard), "--user")
}

// What the server has to say is in the log of serve: that a password is wrong, say.
func TestServeLogs(t *testing.T) {
	var log bytes.Buffer
	url, stop := served(t, serveFlags{
		secret: secret{User: "crowd", Password: "secret"}, Dir: t.TempDir(), Port: new(int),
	}, &log)
	_, err := shard.Connect(shard.Server{URL: url, User: "crowd", Password: "wrong"})
	require.ErrorIs(t, err, shard.ErrRefused)
	stop()
	assert.Contains(t, log.String(), "level=ERROR")
	assert.Contains(t, log.String(), "authentication error")
}

// A shard without neighbours that answer gives up after --patience, and says what to do.
func TestJoinWaitsAsLongAsItIsTold(t *testing.T) {
	url, _ := served(t, serveFlags{Dir: t.TempDir(), Port: new(int)}, io.Discard)
	f := joinFlags{
		client: client{URL: url}, Patience: 300 * time.Millisecond,
		simulation: simulation{
			Shards: 2, Objects: 500, Ticks: 3, Seed: 2, Speed: 1, Every: 10, Workers: 1,
		},
	}
	err := f.run(t.Context(), nil, io.Discard, io.Discard)
	require.ErrorIs(t, err, shard.ErrSilent)
	require.ErrorContains(t, err, "in 300ms")
	assert.ErrorContains(t, err, "start all shards again")
}

// The units of docs/SCALE.md have flags that the command knows.
func TestUnitsOfTheDocs(t *testing.T) {
	doc := world.Must(os.ReadFile("../../docs/SCALE.md"))
	n := 0
	for _, text := range strings.Split(string(doc), "ExecStart=/usr/local/bin/shard ")[1:] {
		line, _, _ := strings.Cut(text, "\n")
		line = strings.ReplaceAll(line, "%i", "1")
		k := world.Must(kong.New(new(flags), helps))
		_, err := k.Parse(strings.Fields(line))
		require.NoError(t, err, line)
		n++
	}
	assert.Equal(t, 2, n, "the server's and the shards'")
}

// The table of measured runs is one that docs/SCALE.md can take.
func TestMeasure(t *testing.T) {
	f := measureFlags{Objects: 500, Ticks: 3, Speeds: []float32{1}, Shards: []int{2}, Rounds: 1}
	var out bytes.Buffer
	require.NoError(t, f.run(t.Context(), &out, io.Discard))
	assert.Regexp(t, `(?s)processors, load .*\| 2 shards \| ratio \|\n(\|---:){5}\|\n`+
		`\| \d+ \| [\d.]+ s \| [\d.]+ s \| [\d.]+ s \| [\d.]+ \|\n`, out.String())
}

// A certificate may have been through any editor.
func TestCertificatesOfAnyEditor(t *testing.T) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	ca := client{CA: filepath.Join(t.TempDir(), "ca.pem")}
	block := &pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := "\ufeff" + strings.ReplaceAll(string(pem.EncodeToMemory(block)), "\n", end)
		for _, text := range []string{text, strings.TrimSuffix(text, end)} {
			require.NoError(t, os.WriteFile(ca.CA, []byte(text), 0o600))
			_, err := ca.server()
			require.NoError(t, err, "%q", end)
		}
	}
}

func read(t *testing.T, url string) string {
	t.Helper()
	r := world.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil))
	answer := world.Must(http.DefaultClient.Do(r))
	defer answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode, url)
	return string(world.Must(io.ReadAll(answer.Body)))
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
	world.Must(w.report(true)) // a reader waits for it
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
	require.Eventually(t, func() bool { return kill(t, page, "1") == http.StatusNoContent },
		time.Minute, time.Millisecond, "a busy run listens late")
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

// A player is a shard that was told to join.
type player struct {
	out, log bytes.Buffer
	err      error
}

// joinBoth runs two shards to a tick, and returns their common result and what they logged.
func joinBoth(t *testing.T, f joinFlags, ticks uint64) (all result, logs []string) {
	t.Helper()
	f.Ticks = ticks
	players, done := [2]player{}, make(chan bool)
	for i := range players {
		go func() {
			mine, p := f, &players[i]
			mine.Shard = i
			p.err = mine.run(t.Context(), nil, &p.out, &p.log)
			done <- true
		}()
	}
	<-done
	<-done
	for i := range players {
		p := &players[i]
		require.NoError(t, p.err, p.log.String())
		var r result
		require.NoError(t, r.parse(p.out.String()))
		all.sum += r.sum
		all.objects += r.objects
		logs = append(logs, p.log.String())
	}
	return all, logs
}

// Borders that were moved from the command line only change which shard computes an object.
func TestBordersAreMovedFromTheCommandLine(t *testing.T) {
	s, err := server.Start(server.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Stop()) })
	at := client{URL: s.URL()}
	f := joinFlags{client: at, Patience: 2 * time.Minute, simulation: simulation{
		Shards: 2, Objects: 1000, Seed: 2, Speed: 1, Every: 10, Workers: 1,
	}}
	joinBoth(t, f, 20)

	var out bytes.Buffer
	p := proposeFlags{client: at, Name: theCrowd, X: []float32{20}, After: 30}
	require.NoError(t, p.run(t.Context(), &out))
	require.Equal(t, "tick 30\n", out.String())
	moved, logs := joinBoth(t, f, 40)
	for _, log := range logs {
		assert.Equal(t, 1, strings.Count(log, `msg="borders moved"`), log)
		assert.Contains(t, log, "tick=30 x=[20] y=[]")
	}

	one, _ := digest(t, runFlags{simulation: simulation{
		Shards: 1, Objects: 1000, Ticks: 40, Seed: 2, Speed: 1, Every: 10, Workers: 1,
	}})
	assert.Equal(t, fmt.Sprintf("digest ticks=40 objects=%d sum=%016x\n", moved.objects, moved.sum),
		one)
}

func TestAPlanThatCannotBeIsRefused(t *testing.T) {
	s, err := server.Start(server.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Stop()) })
	p := proposeFlags{client: client{URL: s.URL()}, Name: "nobody", X: []float32{20}}
	require.ErrorIs(t, p.run(t.Context(), new(bytes.Buffer)), shard.ErrPlan)
	p.CA = "propose.go"
	require.ErrorContains(t, p.run(context.Background(), new(bytes.Buffer)), "no certificate")
}
