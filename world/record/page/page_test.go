package page_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/record/page"
	"github.com/flatecs/flatecs/world/stage"
	"github.com/stretchr/testify/require"
)

var counts = world.Counts{Kinds: layout.Kinds(layout.NewComponent[int32]("paged gold"))}

func step(s world.State, _ []byte) world.State { return world.Advance(s) }

// TestARecordingIsServed: the page has any frame; going back plays the recorded steps from there.
func TestARecordingIsServed(t *testing.T) {
	s := world.Must(world.CreateState(counts))
	var file bytes.Buffer
	rec := world.Must(record.New(&file, s, record.Options{}))
	for range 40 {
		s = world.Must(rec.Step(s, []byte{1}, step))
	}
	require.NoError(t, rec.Close())
	f := world.Must(record.ReadFrom(bytes.NewReader(file.Bytes()), int64(file.Len())))
	past := world.Must(f.Timeline(counts, step, record.Options{}))
	defer past.Close()
	l := world.Must(net.Listen("tcp", "127.0.0.1:0"))
	addr := l.Addr().String()
	require.NoError(t, l.Close())
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- page.Serve(ctx, addr, past, step, inspect.Options{Clock: stage.Clock(time.Now)})
	}()
	tickAt := func(at string) (tick uint64) {
		require.Eventually(t, func() bool {
			r, err := http.Get(fmt.Sprintf("http://%s/debug/ecs/api/overview?at=%s", addr, at))
			if err != nil {
				return false
			}
			defer func() { _ = r.Body.Close() }()
			var got struct{ Tick uint64 }
			require.NoError(t, json.NewDecoder(r.Body).Decode(&got))
			tick = got.Tick
			return r.StatusCode == http.StatusOK
		}, time.Minute, 10*time.Millisecond)
		return tick
	}
	require.Equal(t, uint64(4), tickAt("3"))
	require.Equal(t, uint64(41), tickAt("now"))
	cancel()
	require.NoError(t, <-served)
	world.Close(s)
}

// TestARecordingThatEndsWithAPanic: it is shown up to that step, and read only.
func TestARecordingThatEndsWithAPanic(t *testing.T) {
	step := func(s world.State, input []byte) world.State {
		if input[0] == 7 {
			panic("seven")
		}
		return step(s, input)
	}
	s := world.Must(world.CreateState(counts))
	var file bytes.Buffer
	rec := world.Must(record.New(&file, s, record.Options{}))
	require.Panics(t, func() {
		for n := range 9 {
			s = world.Must(rec.Step(s, []byte{byte(n)}, step))
		}
	})
	require.NoError(t, rec.Close())
	f := world.Must(record.ReadFrom(bytes.NewReader(file.Bytes()), int64(file.Len())))
	past := world.Must(f.Timeline(counts, step, record.Options{}))
	defer past.Close()
	require.NoError(t, page.Show(t.Context(), past, step, inspect.Options{
		Clock: stage.Clock(time.Now), Edit: true,
	}, func(_ context.Context, i *inspect.Inspector) error {
		for path, want := range map[string]string{
			"overview": `{"title":"flatecs, before a step that panics","frame":1,"tick":8,`,
			"time":     `{"first":0,"next":7,"tick":8,"paused":true,`,
		} {
			w := httptest.NewRecorder()
			i.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet,
				"http://localhost/debug/ecs/api/"+path, nil))
			require.Contains(t, w.Body.String(), want)
		}
		w := httptest.NewRecorder()
		i.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost,
			"http://localhost/debug/ecs/api/edit", nil))
		require.Equal(t, http.StatusMethodNotAllowed, w.Code)
		return nil
	}))
}
