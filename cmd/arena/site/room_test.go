//go:build !js

package site

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/web"
)

// open serves a room until the test is over, and returns its address.
func open(t *testing.T, o Options, p server.Program) string {
	t.Helper()
	room, err := New(o, p)
	require.NoError(t, err)
	s := httptest.NewServer(room)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- room.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		assert.NoError(t, <-done)
		s.Close()
	})
	return s.URL
}

// read returns what is at an address.
func read(t *testing.T, url string) (status int, text string) {
	t.Helper()
	answer, err := http.Get(url)
	require.NoError(t, err)
	all, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return answer.StatusCode, string(all)
}

// Programs play, over bad links: their tanks are the server's when they rest. Who does not fit is
// sent away.
func TestProgramsPlay(t *testing.T) {
	url := open(t, Options{
		Players: 3, Bots: 2, Seed: 1, Lag: link.Conditions{Loss: .05, Delay: 1, Seed: 1},
	}, server.Program{})
	status, page := read(t, url+"/")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, page, "arena.js")

	c, err := web.Dial(t.Context(), "ws"+strings.TrimPrefix(url, "http")+"/play")
	require.NoError(t, err)
	defer func() { assert.NoError(t, c.Close()) }()
	p, err := arena.NewPlayer(c, 1)
	require.NoError(t, err)
	defer p.Close()
	began := time.Now()
	frame := func(press func(*arena.Player) arena.Input) {
		time.Sleep(10 * time.Millisecond)
		require.NoError(t, c.Err())
		require.NoError(t, p.Frame(time.Since(began), press))
		require.Less(t, time.Since(began), time.Minute, "it takes too long")
	}
	for p.Status().Side < 0 || time.Since(began) < time.Second {
		frame((*arena.Player).Pilot)
	}
	_, err = web.Dial(t.Context(), "ws"+strings.TrimPrefix(url, "http")+"/play")
	require.ErrorContains(t, err, "503")

	for equal := false; !equal; {
		frame(func(*arena.Player) arena.Input { return 0 })
		status, text := read(t, url+"/debug/ecs/api/client?number=2")
		require.Equal(t, http.StatusOK, status, text)
		equal = strings.HasPrefix(text, "tank "+p.Status().Tank())
	}
}
