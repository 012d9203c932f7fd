package inspect_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/stage"
)

func page(tb testing.TB, title string) (http.Header, string) {
	tb.Helper()
	i, err := inspect.New(small(tb, 1), inspect.Options{Clock: stage.Clock(time.Now), Title: title})
	require.NoError(tb, err)
	header, text := raw(tb, i.Handler(), "")
	return header, string(text)
}

func TestThePageRunsItsOwnScriptAndNoOther(t *testing.T) {
	header, text := page(t, "")
	assert.Equal(t, "text/html; charset=utf-8", header.Get("Content-Type"))
	policy := header.Get("Content-Security-Policy")
	assert.NotContains(t, policy, "unsafe")
	for _, element := range []string{"script", "style"} {
		found := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(text, -1)
		require.Len(t, found, 1, "one %s", element)
		sum := sha256.Sum256([]byte(found[0][1]))
		assert.Contains(t, policy, element+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	assert.NotRegexp(t, ` style=`, text, "the policy forbids it")
	assert.NotRegexp(t, `<[a-z][^>]* on[a-z]+=`, text, "the policy forbids it")
	assert.NotContains(t, text, "innerHTML", "names in a world are no markup")
	own := strings.ReplaceAll(text, "http://www.w3.org/2000/svg", "")
	assert.NotRegexp(t, `https?://|src="//|@import|url\(`, own, "the page needs no other server")
}

func TestThePageHasTheElementsThatItPromises(t *testing.T) {
	_, text := page(t, "")
	_, rest, _ := strings.Cut(text, "<!--")
	promises, rest, _ := strings.Cut(rest, "-->")
	promises, _, _ = strings.Cut(promises, "The hash is the place")
	names := regexp.MustCompile(`#([a-z0-9]+(?:-[a-z0-9]+)*)\b`).FindAllStringSubmatch(promises, -1)
	require.Greater(t, len(names), 30)
	seen := map[string]bool{}
	for _, id := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(rest, -1) {
		assert.False(t, seen[id[1]], "%s is there twice", id[1])
		seen[id[1]] = true
	}
	for _, name := range names {
		switch name[1] {
		case "tab", "objects": // the name goes on
			continue
		case "rows-first", "rows-back", "rows-next", "rows-last":
			assert.Contains(t, rest, "button('"+strings.TrimPrefix(name[1], "rows-")+"'")
			continue
		case "object-dispose", "object-add", "object-kind":
			assert.Contains(t, rest, "id: '"+name[1]+"'")
			continue
		case "rows-page":
			assert.Contains(t, rest, "id: name + '-page'")
			continue
		}
		assert.Contains(t, seen, name[1])
	}
}

// Browsers ask for an icon beside what is no page, such as the metrics.
func TestNoBrowserMissesAnIcon(t *testing.T) {
	w := httptest.NewRecorder()
	h := inspector(t, small(t, 1)).Handler()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/favicon.ico", nil))
	assert.Equal(t, http.StatusNoContent, w.Code)
}

func TestThePageEscapesItsTitle(t *testing.T) {
	_, text := page(t, "</title><script>alert(1)</script>")
	assert.Contains(t, text, "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; · inspector</title>")
	assert.Equal(t, 1, strings.Count(text, "<script>"))
}

// docs/INSPECTOR.md names the fields of the answers.
func TestTheAnswersAreDescribed(t *testing.T) {
	described := string(world.Must(os.ReadFile("../../docs/INSPECTOR.md")))
	h := inspector(t, small(t, 10)).Handler()
	for _, path := range []string{
		"overview", "times", "kinds", "watchers", "rows?kind=health", "objects", "object?id=0",
	} {
		_, found := get(t, h, "/api/"+path)
		for _, name := range names(found) {
			assert.Contains(t, described, "`"+name+"`", path)
		}
	}
	header, _ := raw(t, h, "/api/column?kind=position&field=xyz")
	for name := range header {
		if strings.HasPrefix(name, "X-Rows") || name == "X-Lanes" || name == "X-Stride" || name == "X-Tick" {
			assert.Contains(t, described, "`"+name+"`")
		}
	}
	assert.Contains(t, described, "/debug/ecs/pprof/")
}

// names returns the names of all fields in JSON.
func names(x any) (list []string) {
	switch x := x.(type) {
	case map[string]any:
		for name, value := range x {
			list = append(append(list, name), names(value)...)
		}
	case []any:
		for _, value := range x {
			list = append(list, names(value)...)
		}
	}
	return list
}

func TestProfilesAreGos(t *testing.T) {
	h := inspector(t, small(t, 1)).Handler()
	header, text := raw(t, h, "/pprof/goroutine?debug=1")
	assert.Contains(t, string(text), "TestProfilesAreGos")
	assert.Equal(t, "text/plain; charset=utf-8", header.Get("Content-Type"))
	for _, path := range []string{"/pprof/heap?gc=1", "/pprof/allocs", "/pprof/profile?seconds=0"} {
		header, bytes := raw(t, h, path)
		assert.Equal(t, "application/octet-stream", header.Get("Content-Type"))
		assert.Contains(t, header.Get("Content-Disposition"), ".pb.gz")
		assert.Equal(t, []byte{0x1f, 0x8b}, bytes[:2], "gzip")
	}
	for path, status := range map[string]int{
		"/pprof/nothing": 404, "/pprof/": 404, "/pprof/heap?debug=9": 400,
		"/pprof/profile?seconds=31": 400, "/pprof/profile?seconds=-1": 400,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/debug/ecs"+path, nil))
		assert.Equal(t, status, w.Code, path)
	}
}

func TestAProfileThatTheProgramTakesItself(t *testing.T) {
	h := inspector(t, small(t, 1)).Handler()
	require.NoError(t, pprof.StartCPUProfile(io.Discard))
	defer pprof.StopCPUProfile()
	w := inspect.Ask(h, "/pprof/profile?seconds=0")
	assert.Equal(t, http.StatusConflict, w.Code)
	assert.Equal(t, "application/json", w.Header().Get("Content-Type"))
	assert.Empty(t, w.Header().Get("Content-Disposition"))
}

// Each row in use is on the page that its number turns to, and at no other place.
func TestARowIsFoundByItsNumber(t *testing.T) {
	s := small(t, 200)
	for n := range uint32(60) { // holes, and one row without an object
		s = world.Must(world.Dispose(s, world.Must(tool.GameObjectAt(s, 2*n+20))))
	}
	loose, _ := world.Must2(world.CreateComponent(small(t, 200), Health))
	for name, s := range map[string]world.State{"holes": s, "loose": loose} {
		t.Run(name, func(t *testing.T) {
			h := inspector(t, s).Handler()
			for row := range 105 {
				status, found := get(t, h, "/api/rows?kind=health&size=7&page=3&q=x&row="+strconv.Itoa(row))
				use, _ := tool.RowUseOf(s, Health, layout.Row(row))
				if row >= 101 || use == tool.RowUnused {
					require.Equal(t, http.StatusNotFound, status, "row %d", row)
					assert.Contains(t, found["error"], "row "+strconv.Itoa(row)+" of health is not in use")
					continue
				}
				require.Equal(t, http.StatusOK, status)
				assert.Equal(t, float64(row), found["at"])
				rows := found["rows"].([]any)
				at := slices.IndexFunc(rows, func(r any) bool { return part(t, r, "row") == float64(row) })
				assert.GreaterOrEqual(t, at, 0, "row %d is on page %v", row, found["page"])
				_, same := get(t, h, "/api/rows?kind=health&size=7&page="+strconv.Itoa(int(found["page"].(float64))))
				assert.Equal(t, same["rows"], found["rows"])
			}
		})
	}
}

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
