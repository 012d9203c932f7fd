package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	play(t, "serve cubes --addr 127.0.0.1:0").says(t, 1,
		"flatecs: server: the page's program cannot be built")
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
	assert.Equal(t, "here", string(world.Must(io.ReadAll(response.Body))))
	stop()
	select {
	case err := <-ended:
		require.ErrorIs(t, err, errInterrupted)
	case <-time.After(time.Minute):
		t.Error("it goes on")
	}
}

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
		assert.Equal(t, want, a, "%q", text)
		assert.Equal(t, want == "", err != nil, "%q: %v", text, err)
	}
}

// servingPprof serves profiles, and returns where.
func servingPprof(t *testing.T) (url string) {
	t.Helper()
	var log bytes.Buffer
	stop := world.Must(servePprof("127.0.0.1:0", &log))
	t.Cleanup(func() { assert.NoError(t, stop()) })
	url = regexp.MustCompile(`http://127\.0\.0\.1:\d+/debug/pprof/`).FindString(log.String())
	require.NotEmpty(t, url, &log)
	return url
}

func TestPprofIsServedToThisMachine(t *testing.T) {
	url := servingPprof(t)
	for path, want := range map[string]int{
		"": 200, "heap": 200, "goroutine?debug=1": 200, "cmdline": 200, "symbol": 200,
		"nothing": 404, "../../": 404, "../vars": 404,
		"profile?seconds=31": 400, "trace?seconds=3600": 400, "heap?seconds=1e9": 400,
		"profile?seconds=1&seconds=3600": 400, "profile?seconds=NaN": 400, "trace?seconds=x": 400,
		"trace?seconds=0.01": 200,
	} {
		response := world.Must(http.Get(url + path))
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		assert.Equal(t, want, response.StatusCode, path)
	}
}

func TestPprofIsGuarded(t *testing.T) {
	request := world.Must(http.NewRequest(http.MethodGet, servingPprof(t)+"heap", http.NoBody))
	request.Host = "example.com:6060"
	response := world.Must(http.DefaultClient.Do(request))
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusForbidden, response.StatusCode)
}

func TestAddressesThatOthersReachAreRefused(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", "192.0.2.1:0", "flatecs.example:0"} {
		for flag, shows := range map[string]string{
			"--inspect": "see all of this world, and take profiles of this program",
			"--pprof":   "take profiles of this program",
		} {
			refused(t, 2, map[string]string{
				"run cubes --frames 1 --count 10 " + flag + " " + addr: flag + " " + addr +
					": other machines can reach this address, and could " + shows + ", which slows it down, " +
					"and see its command line; give 127.0.0.1:0, or add " + flag + "-anyone\n",
			})
		}
	}
}

func TestAddressesThatOthersReachAreNamed(t *testing.T) {
	for flag, path := range map[string]string{"--inspect": "/debug/ecs", "--pprof": "/debug/pprof/"} {
		r := play(t, "run cubes --frames 1 --count 10 "+flag+" 0.0.0.0:0 "+flag+"-anyone")
		r.says(t, 0)
		assert.Regexp(t, `level=INFO .* url=http://127\.0\.0\.1:\d+`+path+`\n`, r.err)
		assert.Regexp(t, `level=WARN msg="other machines can .*profiles of this program.*" url=`, r.err)
		assert.NotRegexp(t, `0\.0\.0\.0|\[::\]`, r.err)
	}
}

func TestURLsOfAddresses(t *testing.T) {
	for _, c := range []struct {
		ip   net.IP
		want string
	}{
		{net.IPv4zero, "http://127.0.0.1:80/x"},
		{net.IPv6zero, "http://127.0.0.1:80/x"},
		{net.IPv4(10, 0, 0, 1), "http://10.0.0.1:80/x"},
		{net.IPv6loopback, "http://[::1]:80/x"},
	} {
		here, others := urls(&net.TCPAddr{IP: c.ip, Port: 80}, "/x")
		assert.Equal(t, c.want, here)
		assert.NotContains(t, others, "127.0.0.1")
		assert.True(t, c.ip.IsUnspecified() || others == "", "%v: %q", c.ip, others)
	}
}

func TestAnAddressInUseIsRefusedInOneLine(t *testing.T) {
	listener := world.Must(net.Listen("tcp", "127.0.0.1:0"))
	defer func() { _ = listener.Close() }()
	addr := listener.Addr().String()
	refused(t, 1, map[string]string{
		"run heroes --pprof " + addr:                        "flatecs: --pprof: inspect: " + addr + " is in use by another program",
		"run cubes --count 10 --frames 1 --inspect " + addr: "--inspect: " + addr + " is in use by another program",
		"run cubes --count 11 --frames 1 --inspect " + addr: "; give another port",
	})
}
