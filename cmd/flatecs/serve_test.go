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

	"github.com/flatecs/flatecs/world"
)

func TestAPortInUseIsToldAtOnce(t *testing.T) {
	taken := world.Must(net.Listen("tcp", "127.0.0.1:0"))
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
	listener := world.Must(net.Listen("tcp", "127.0.0.1:0"))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		ended <- serveUntil(ctx, listener, http.HandlerFunc(
			func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }))
	}()
	response := world.Must(http.Get("http://" + listener.Addr().String()))
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
