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

func TestAPortInUseIsToldAtOnce(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	addr := taken.Addr().String()
	refused(t, 1, map[string]string{
		"serve cubes --addr " + addr: "flatecs: " + addr + " is in use; give another --addr",
	})
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
