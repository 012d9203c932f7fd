package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestServeFlagsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"serve chess", "there are heroes, boids, tanks, cubes, flappy"},
		{"serve cubes --variant sideways", `cubes has no variant "sideways"`},
		{"serve cubes --count -1", "--count: expected"},
		{"serve cubes --count=-1", "give 0 or more"},
		{"serve cubes --addr nowhere", "expected PORT, :PORT or HOST:PORT"},
		{"serve cubes flappy", "unexpected argument flappy"},
	} {
		r := play(t, c.line)
		if r.code != 80 || !strings.Contains(r.err, c.want) {
			t.Errorf("%s: exit code %d, stderr %q; want %q", c.line, r.code, r.err, c.want)
		}
	}
}

func TestAPortInUseIsToldAtOnce(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	r := play(t, "serve cubes --addr "+taken.Addr().String())
	want := "flatecs: " + taken.Addr().String() + " is in use; give another --addr"
	if r.code != 1 || !strings.HasPrefix(r.err, want) || strings.Count(r.err, "\n") != 1 {
		t.Errorf("exit code %d, stderr %q", r.code, r.err)
	}
}

func TestAPageThatCannotBeBuilt(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r := play(t, "serve cubes --addr 127.0.0.1:0")
	if r.code != 1 || !strings.Contains(r.err, "flatecs: server: the page's program cannot be built") {
		t.Errorf("exit code %d, stderr %q", r.code, r.err)
	}
}

func TestServingEndsWithTheContext(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		ended <- serveUntil(ctx, listener, http.HandlerFunc(
			func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }))
	}()
	response, err := http.Get("http://" + listener.Addr().String())
	require.NoError(t, err)
	defer response.Body.Close()
	if content, err := io.ReadAll(response.Body); err != nil || string(content) != "here" {
		t.Errorf("got %q, %v", content, err)
	}
	stop()
	select {
	case err := <-ended:
		if !errors.Is(err, errInterrupted) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it goes on")
	}
}
