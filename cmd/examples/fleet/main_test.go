package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pool"
)

func TestTheSidecarIsTold(t *testing.T) {
	var told []string
	sidecar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if told = append(told, r.Method+" "+r.URL.Path); len(told) > 5 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	defer sidecar.Close()
	first := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(score.Count(16))}))
	defer world.Close(first)
	p := world.Must(pool.New(first, 3))
	defer p.Close()
	rooms := world.Must(p.Fork(nil, first, 3))
	now := make(chan time.Time)
	close(now)
	require.NoError(t, Serve(Sidecar(sidecar.URL), rooms, p, 130, now))
	assert.Equal(t, []string{
		"POST /ready", "POST /health", "POST /health", "POST /health", "POST /shutdown",
	}, told)
	assert.EqualValues(t, 131, world.Tick(rooms[2]), "from 1 on")
	require.ErrorContains(t, Serve(Sidecar(sidecar.URL), rooms, p, 1, now), "POST /ready: 500")
	require.ErrorContains(t, Serve("http://127.0.0.1:1", rooms, p, 1, now), "in an Agones fleet")
}
