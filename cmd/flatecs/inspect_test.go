package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
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

func TestARunIsShownWhileItPlays(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var out, log shared
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{
			"run", "cubes", "--count", "100", "--frames", "100000000", "--inspect", "0",
		}, streams{&out, &log})
	}()
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/debug/ecs`)
	url := ""
	for limit := 0; url == "" && limit < 1000; limit++ {
		time.Sleep(10 * time.Millisecond)
		url = address.FindString(log.String())
	}
	if url == "" {
		t.Fatalf("no address in the log: %s", &log)
	}
	var found struct {
		Title   string
		Objects struct{ Alive int }
	}
	answer, err := http.Get(url + "/api/overview")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(answer.Body).Decode(&found); err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if found.Title != "cubes" || found.Objects.Alive < 100 {
		t.Errorf("got %+v", found)
	}
	var times struct{ Jobs []struct{ Runs int } }
	answer, err = http.Get(url + "/api/times")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(answer.Body).Decode(&times); err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if len(times.Jobs) == 0 || times.Jobs[0].Runs == 0 {
		t.Errorf("got %+v", times)
	}
	stop()
	if got := <-code; got != 130 {
		t.Errorf("got %d: %s", got, &log)
	}
	if _, err := http.Get(url); err == nil {
		t.Error("it serves on")
	}
}

func TestInspectAPortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	var out, log bytes.Buffer
	code := run(t.Context(), []string{
		"run", "cubes", "--count", "10", "--frames", "1", "--inspect", taken.Addr().String(),
	}, streams{&out, &log})
	if code != 1 || !strings.Contains(log.String(), "--inspect: "+taken.Addr().String()+
		" is in use by another program") || !strings.Contains(log.String(), "; give another port") {
		t.Errorf("got %d: %s", code, &log)
	}
}
