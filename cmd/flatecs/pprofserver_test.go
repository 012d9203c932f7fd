package main

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
)

func TestAddressesWithoutAHostAreOnLoopback(t *testing.T) {
	for text, want := range map[string]address{
		"6060":             "127.0.0.1:6060",
		":6060":            "127.0.0.1:6060",
		"0":                "127.0.0.1:0",
		"localhost:80":     "localhost:80",
		"0.0.0.0:6060":     "0.0.0.0:6060",
		"[::1]:6060":       "[::1]:6060",
		"[::]:6060":        "[::]:6060",
		"192.168.1.2:6060": "192.168.1.2:6060",
		"":                 "",
		"x":                "",
		":":                "",
		":65536":           "",
		":-1":              "",
		"host":             "",
		"host:http":        "",
		"::1":              "",
		"1:2:3":            "",
	} {
		var a address
		err := a.UnmarshalText([]byte(text))
		if a != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v; want %q", text, a, err, want)
		}
	}
}

func TestPprofIsServedToThisMachine(t *testing.T) {
	var log bytes.Buffer
	stop, err := servePprof("127.0.0.1:0", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stop() }()
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/debug/pprof/`).FindString(log.String())
	if url == "" {
		t.Fatalf("no address in the log: %s", &log)
	}
	for path, want := range map[string]int{
		"": 200, "heap": 200, "goroutine?debug=1": 200, "cmdline": 200, "symbol": 200,
		"nothing": 404, "../../": 404, "../vars": 404,
	} {
		response, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, response.StatusCode, want)
		}
	}
}

func TestPprofOnLoopbackAnswersNoOtherName(t *testing.T) {
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 6060}
	public := &net.TCPAddr{IP: net.IPv4zero, Port: 6060}
	for _, test := range []struct {
		listening net.Addr
		host      string
		want      int
	}{
		{local, "127.0.0.1:6060", 200},
		{local, "localhost:6060", 200},
		{local, "localhost", 200},
		{local, "[::1]:6060", 200},
		{local, "example.com:6060", 403},
		{local, "localhost.example.com", 403},
		{local, "", 403},
		{public, "example.com:6060", 200},
	} {
		request := httptest.NewRequest(http.MethodGet, "/debug/pprof/", nil)
		request.Host = test.host
		answer := httptest.NewRecorder()
		pprofHandler(test.listening).ServeHTTP(answer, request)
		if answer.Code != test.want {
			t.Errorf("%v asked for %q: status %d, want %d", test.listening, test.host, answer.Code, test.want)
		}
	}
}

func TestAnAddressInUseIsRefusedInOneLine(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	r := play(t, "run heroes --pprof "+listener.Addr().String())
	want := regexp.MustCompile(`^flatecs: pprof: listen tcp 127.0.0.1:\d+: bind: .*\n$`)
	if r.code != 1 || r.out != "" || !want.MatchString(r.err) {
		t.Errorf("exit code %d, stdout %q, stderr %q", r.code, r.out, r.err)
	}
}
