package inspect_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/stage"
)

const (
	apiPath  = "/debug/ecs/api/overview"
	pagePath = "/debug/ecs"
)

func headers(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Set(pairs[i], pairs[i+1])
	}
	return h
}

// A request and its status. The server is remote when its options say so.
type request struct {
	name   string
	remote bool
	method string
	host   string
	path   string
	header http.Header
	body   string
	status int
}

var requests = []request{
	{"by name", false, "GET", "localhost:8080", apiPath, nil, "", 200},
	{"by another case", false, "GET", "LocalHost", apiPath, nil, "", 200},
	{"by IPv4", false, "GET", "127.0.0.1:8080", apiPath, nil, "", 200},
	{"by another loopback", false, "GET", "127.9.9.9", apiPath, nil, "", 200},
	{"by IPv6", false, "GET", "[::1]:8080", apiPath, nil, "", 200},
	{"head", false, "HEAD", "localhost", apiPath, nil, "", 200},

	{"a name that resolves here", false, "GET", "evil.example:8080", apiPath, nil, "", 403},
	{"a name that ends like it", false, "GET", "localhost.evil.example", apiPath, nil, "", 403},
	{"a name below it", false, "GET", "evil.localhost", apiPath, nil, "", 403},
	{"no name", false, "GET", "", apiPath, nil, "", 403},
	{"another address", false, "GET", "192.168.1.2", apiPath, nil, "", 403},
	{"every address", false, "GET", "0.0.0.0:8080", apiPath, nil, "", 403},
	{"remote by address", true, "GET", "192.168.1.2:80", apiPath, nil, "", 200},
	{"remote by its name", true, "GET", "game.example:80", apiPath, nil, "", 200},
	{"remote by another name", true, "GET", "evil.example", apiPath, nil, "", 403},

	{"own origin", false, "GET", "localhost:1", apiPath, headers("Origin", "http://localhost:1"), "", 200},
	{"another origin", false, "GET", "localhost:1", apiPath, headers("Origin", "http://evil.example"), "", 403},
	{"another port", false, "GET", "localhost:1", apiPath, headers("Origin", "http://localhost:2"), "", 403},
	{"no origin", false, "GET", "localhost:1", apiPath, headers("Origin", "null"), "", 403},
	{"another scheme", false, "GET", "localhost:1", apiPath, headers("Origin", "file://localhost:1"), "", 403},
	{"own site", false, "GET", "localhost", apiPath, headers("Sec-Fetch-Site", "same-origin"), "", 200},
	{"by hand", false, "GET", "localhost", apiPath, headers("Sec-Fetch-Site", "none"), "", 200},
	{"another site", false, "GET", "localhost", apiPath, headers("Sec-Fetch-Site", "cross-site"), "", 403},
	{"a picture", false, "GET", "localhost", pagePath, headers("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"), "", 403},
	{"a link", false, "GET", "localhost", pagePath, headers("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), "", 200},
	{"a link to a profile", false, "GET", "localhost", "/debug/ecs/pprof/profile", headers("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), "", 403},
	{"a frame", false, "GET", "localhost", pagePath, headers("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"), "", 403},

	{"post", false, "POST", "localhost", apiPath, nil, "", 405},
	{"put", false, "PUT", "localhost", apiPath, nil, "", 405},
	{"delete", false, "DELETE", "localhost", pagePath, nil, "", 405},
	{"options", false, "OPTIONS", "localhost", apiPath, nil, "", 405},
	{"connect", false, "CONNECT", "localhost", apiPath, nil, "", 405},
	{"a body", false, "GET", "localhost", apiPath, nil, "hello", 400},
	{"a long query", false, "GET", "localhost", apiPath + "?q=" + strings.Repeat("x", 2048), nil, "", 414},
	{"the page with a slash", false, "GET", "localhost", pagePath + "/", nil, "", 301},
	{"nothing", false, "GET", "localhost", "/debug/ecs/api/nothing", nil, "", 404},
	{"above", false, "GET", "localhost", "/", nil, "", 404},
	{"Go's own page", false, "GET", "localhost", "/debug/pprof/", nil, "", 404},
}

func TestRequestsThatAreAnswered(t *testing.T) {
	here := inspector(t, small(t, 3)).Handler()
	open := world.Must(inspect.New(small(t, 3), inspect.Options{
		Clock: stage.Clock(time.Now), Remote: true, Hosts: []string{"game.example"},
	}))
	there := open.Handler()
	for _, c := range requests {
		handler := here
		if c.remote {
			handler = there
		}
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
			r.Host = c.host
			for name := range c.header {
				r.Header.Set(name, c.header.Get(name))
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			assert.Equal(t, c.status, w.Code, "%s", w.Body)
			assert.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
			assert.Equal(t, "DENY", w.Header().Get("X-Frame-Options"))
			assert.Equal(t, "same-origin", w.Header().Get("Cross-Origin-Resource-Policy"))
			assert.Equal(t, "no-store", w.Header().Get("Cache-Control"))
			assert.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
			assert.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
			if c.status == 405 {
				assert.Equal(t, "GET, HEAD", w.Header().Get("Allow"))
			}
			if c.status >= 400 {
				assert.Regexp(t, `^\{"error":".+[;a-z].+"\}\n$`, w.Body.String())
			}
		})
	}
}

func TestAGuardOfOtherPages(t *testing.T) {
	g := inspect.Guard{Page: "/mine"}
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	link := headers("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
	for path, want := range map[string]int{"/mine": http.StatusTeapot, "/mine/own": http.StatusForbidden} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host, r.Header = "localhost", link
		w := httptest.NewRecorder()
		g.Handler(next).ServeHTTP(w, r)
		assert.Equal(t, want, w.Code, path)
		assert.Equal(t, "same-origin", w.Header().Get("Cross-Origin-Resource-Policy"))
	}
	_, err := g.Listen("0.0.0.0:0")
	require.ErrorIs(t, err, inspect.ErrRemote)
	ctx, cancel := context.WithCancel(t.Context())
	l := world.Must(g.Listen(":0"))
	ended := make(chan error, 1)
	go func() { ended <- g.Serve(ctx, l, next) }()
	answer := world.Must(http.Get("http://" + l.Addr().String()))
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, http.StatusTeapot, answer.StatusCode)
	cancel()
	require.NoError(t, <-ended)
}

func TestTheDefaultMuxIsLeftAlone(t *testing.T) {
	for _, path := range []string{"/debug/pprof/", "/debug/ecs", "/debug/vars"} {
		_, pattern := http.DefaultServeMux.Handler(httptest.NewRequest(http.MethodGet, path, nil))
		assert.Empty(t, pattern, path)
	}
}
