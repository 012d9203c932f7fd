package inspect_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
)

func TestRequestsThatAreAnswered(t *testing.T) {
	here := inspector(t, small(t, 3)).Handler()
	open, err := inspect.New(small(t, 3), inspect.Options{
		Clock: world.Clock(time.Now), Remote: true, Hosts: []string{"game.example"},
	})
	require.NoError(t, err)
	there := open.Handler()
	header := func(pairs ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
		return h
	}
	const api, page = "/debug/ecs/api/overview", "/debug/ecs"
	for _, c := range []struct {
		name    string
		handler http.Handler
		method  string
		host    string
		path    string
		header  http.Header
		body    string
		status  int
	}{
		{"by name", here, "GET", "localhost:8080", api, nil, "", 200},
		{"by another case", here, "GET", "LocalHost", api, nil, "", 200},
		{"by IPv4", here, "GET", "127.0.0.1:8080", api, nil, "", 200},
		{"by another loopback", here, "GET", "127.9.9.9", api, nil, "", 200},
		{"by IPv6", here, "GET", "[::1]:8080", api, nil, "", 200},
		{"head", here, "HEAD", "localhost", api, nil, "", 200},

		{"a name that resolves here", here, "GET", "evil.example:8080", api, nil, "", 403},
		{"a name that ends like it", here, "GET", "localhost.evil.example", api, nil, "", 403},
		{"a name below it", here, "GET", "evil.localhost", api, nil, "", 403},
		{"no name", here, "GET", "", api, nil, "", 403},
		{"another address", here, "GET", "192.168.1.2", api, nil, "", 403},
		{"every address", here, "GET", "0.0.0.0:8080", api, nil, "", 403},
		{"remote by address", there, "GET", "192.168.1.2:80", api, nil, "", 200},
		{"remote by its name", there, "GET", "game.example:80", api, nil, "", 200},
		{"remote by another name", there, "GET", "evil.example", api, nil, "", 403},

		{"own origin", here, "GET", "localhost:1", api, header("Origin", "http://localhost:1"), "", 200},
		{"another origin", here, "GET", "localhost:1", api, header("Origin", "http://evil.example"), "", 403},
		{"another port", here, "GET", "localhost:1", api, header("Origin", "http://localhost:2"), "", 403},
		{"no origin", here, "GET", "localhost:1", api, header("Origin", "null"), "", 403},
		{"another scheme", here, "GET", "localhost:1", api, header("Origin", "file://localhost:1"), "", 403},
		{"own site", here, "GET", "localhost", api, header("Sec-Fetch-Site", "same-origin"), "", 200},
		{"by hand", here, "GET", "localhost", api, header("Sec-Fetch-Site", "none"), "", 200},
		{"another site", here, "GET", "localhost", api, header("Sec-Fetch-Site", "cross-site"), "", 403},
		{"a picture", here, "GET", "localhost", page, header("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"), "", 403},
		{"a link", here, "GET", "localhost", page, header("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), "", 200},
		{"a link to a profile", here, "GET", "localhost", "/debug/ecs/pprof/profile", header("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), "", 403},
		{"a frame", here, "GET", "localhost", page, header("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"), "", 403},

		{"post", here, "POST", "localhost", api, nil, "", 405},
		{"put", here, "PUT", "localhost", api, nil, "", 405},
		{"delete", here, "DELETE", "localhost", page, nil, "", 405},
		{"options", here, "OPTIONS", "localhost", api, nil, "", 405},
		{"connect", here, "CONNECT", "localhost", api, nil, "", 405},
		{"a body", here, "GET", "localhost", api, nil, "hello", 400},
		{"a long query", here, "GET", "localhost", api + "?q=" + strings.Repeat("x", 2048), nil, "", 414},
		{"the page with a slash", here, "GET", "localhost", page + "/", nil, "", 301},
		{"nothing", here, "GET", "localhost", "/debug/ecs/api/nothing", nil, "", 404},
		{"above", here, "GET", "localhost", "/", nil, "", 404},
		{"Go's own page", here, "GET", "localhost", "/debug/pprof/", nil, "", 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
			r.Host = c.host
			for name := range c.header {
				r.Header.Set(name, c.header.Get(name))
			}
			w := httptest.NewRecorder()
			c.handler.ServeHTTP(w, r)
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

func TestTheDefaultMuxIsLeftAlone(t *testing.T) {
	for _, path := range []string{"/debug/pprof/", "/debug/ecs", "/debug/vars"} {
		_, pattern := http.DefaultServeMux.Handler(httptest.NewRequest(http.MethodGet, path, nil))
		assert.Empty(t, pattern, path)
	}
}
