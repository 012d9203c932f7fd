package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/server"
	"github.com/flatecs/flatecs/world"
)

// program is what stands for the built one: large enough to be packed.
var program = server.Program{
	Wasm:   append([]byte("\x00asm\x01\x00\x00\x00"), make([]byte, 4096)...),
	Script: []byte("globalThis.Go = class {};"),
}

func handler(t *testing.T, loopback bool) http.Handler {
	t.Helper()
	count := 12
	h := world.Must(server.NewHandler(program,
		server.Start{Scene: "heroes", Count: &count, Seed: 7}, loopback))
	return h
}

// ask sends a request; headers are names and values in turn.
func ask(h http.Handler, method, target string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+target, nil)
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) []byte {
	t.Helper()
	return world.Must(io.ReadAll(r.Body))
}

func TestWhatIsServed(t *testing.T) {
	h := handler(t, true)
	for path, kind := range map[string]string{
		"/":             "text/html; charset=utf-8",
		"/page.css":     "text/css; charset=utf-8",
		"/page.js":      "text/javascript; charset=utf-8",
		"/heap.js":      "text/javascript; charset=utf-8",
		"/futures.js":   "text/javascript; charset=utf-8",
		"/wasm_exec.js": "text/javascript; charset=utf-8",
		"/icon.svg":     "image/svg+xml",
		"/start.json":   "application/json",
		"/app.wasm":     "application/wasm",
	} {
		r := ask(h, "GET", path)
		assert.Equal(t, http.StatusOK, r.StatusCode, path)
		assert.Equal(t, kind, r.Header.Get("Content-Type"), path)
		assert.Equal(t, "nosniff", r.Header.Get("X-Content-Type-Options"), path)
		assert.Contains(t, r.Header.Get("Content-Security-Policy"), "default-src 'none'", path)
		assert.NotEmpty(t, body(t, r), path)
	}
	assert.Equal(t, program.Wasm, body(t, ask(h, "GET", "/app.wasm")))
}

func TestWhatToOpenFirst(t *testing.T) {
	var start map[string]any
	require.NoError(t, json.Unmarshal(body(t, ask(handler(t, true), "GET", "/start.json")), &start))
	assert.Equal(t, map[string]any{"scene": "heroes", "count": 12.0, "seed": "7"}, start)
}

// TestThePageNeedsNothingElse looks for addresses of others, and for what the policy forbids.
func TestThePageNeedsNothingElse(t *testing.T) {
	h := handler(t, true)
	far := regexp.MustCompile(`(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}`)
	near := regexp.MustCompile(`(?:src|href)="([^"]+)"`)
	for _, path := range []string{"/", "/page.css", "/page.js", "/heap.js", "/futures.js", "/icon.svg"} {
		text := string(body(t, ask(h, "GET", path)))
		text = strings.ReplaceAll(text, `xmlns="http://www.w3.org/2000/svg"`, "")
		text = regexp.MustCompile(`<a href="[^"]+">`).ReplaceAllString(text, "") // to be clicked
		assert.Empty(t, far.FindAllString(text, -1), path)
		assert.NotRegexp(t, ` style="| on[a-z]+="`, text, path)
		for _, link := range near.FindAllStringSubmatch(text, -1) {
			assert.Equal(t, http.StatusOK, ask(h, "GET", "/"+link[1]).StatusCode, link[1])
		}
	}
}

func TestPacked(t *testing.T) {
	h := handler(t, true)
	for coding, packed := range map[string]bool{
		"":                        false,
		"gzip":                    true,
		"deflate, gzip;q=0.5, br": true,
		"GZIP ; q=1":              true,
		"gzip;q=0":                false,
		"gzip; q=0.000":           false,
		"br, deflate":             false,
		"x-gzip-not":              false,
	} {
		r := ask(h, "GET", "/app.wasm", "Accept-Encoding", coding)
		assert.Equal(t, "Accept-Encoding", r.Header.Get("Vary"), coding)
		content := body(t, r)
		assert.Equal(t, packed, r.Header.Get("Content-Encoding") == "gzip", coding)
		if packed {
			assert.Less(t, len(content), 200)
			content = world.Must(io.ReadAll(world.Must(gzip.NewReader(bytes.NewReader(content)))))
		}
		assert.Equal(t, program.Wasm, content, coding)
	}
}

func TestWhatIsKnownIsNotSentAgain(t *testing.T) {
	h := handler(t, true)
	plain := ask(h, "GET", "/app.wasm").Header.Get("ETag")
	packed := ask(h, "GET", "/app.wasm", "Accept-Encoding", "gzip").Header.Get("ETag")
	require.NotEmpty(t, plain)
	assert.NotEqual(t, plain, packed, "other bytes")
	r := ask(h, "GET", "/app.wasm", "If-None-Match", plain)
	assert.Equal(t, http.StatusNotModified, r.StatusCode)
	assert.Empty(t, body(t, r))
	r = ask(h, "GET", "/app.wasm", "If-None-Match", `"old", W/`+packed, "Accept-Encoding", "gzip")
	assert.Equal(t, http.StatusNotModified, r.StatusCode)
	assert.Equal(t, http.StatusOK, ask(h, "GET", "/app.wasm", "If-None-Match", `"old"`).StatusCode)
}

func TestWhatIsRefused(t *testing.T) {
	h := handler(t, true)
	assert.Equal(t, http.StatusNotFound, ask(h, "GET", "/../go.mod").StatusCode)
	assert.Equal(t, http.StatusNotFound, ask(h, "GET", "/page").StatusCode)
	r := ask(h, "POST", "/")
	assert.Equal(t, http.StatusMethodNotAllowed, r.StatusCode)
	assert.Equal(t, "GET, HEAD", r.Header.Get("Allow"))
	r = ask(h, "HEAD", "/app.wasm")
	assert.Equal(t, http.StatusOK, r.StatusCode)
	assert.Empty(t, body(t, r))
	assert.Equal(t, "4104", r.Header.Get("Content-Length"))
}

func TestOnlyThisMachineIsAnswered(t *testing.T) {
	for host, status := range map[string]int{
		"localhost:8080": 200, "127.0.0.1:8080": 200, "[::1]:8080": 200, "127.0.0.1": 200,
		"flatecs.example:8080": 403, "127.0.0.1.example": 403, "10.0.0.7:8080": 403, "": 403,
	} {
		assert.Equal(t, status, ask(handler(t, true), "GET", "/", "Host", host).StatusCode, host)
		assert.Equal(t, 200, ask(handler(t, false), "GET", "/", "Host", host).StatusCode, host)
	}
}

func TestWithoutGoThereIsNoProgram(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := server.Build(context.Background(), server.App, nil)
	require.ErrorIs(t, err, server.ErrBuild)
	assert.ErrorContains(t, err, "install Go")
}

// names returns what is in a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	for _, e := range world.Must(os.ReadDir(dir)) {
		all = append(all, e.Name())
	}
	return all
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	return string(world.Must(os.ReadFile(filepath.Join(path...))))
}

func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	list := world.Must(server.Export(program, server.Start{Scene: "cubes", Seed: 3}, dir))
	html := read(t, dir, "index.html")
	loaded := 0
	for _, e := range list {
		content := read(t, dir, e.Name)
		assert.Len(t, content, e.Plain)
		packed := world.Must(gzip.NewReader(strings.NewReader(read(t, dir, e.Name+".gz"))))
		for _, unpacked := range []io.Reader{
			packed, brotli.NewReader(strings.NewReader(read(t, dir, e.Name+".br"))),
		} {
			var b bytes.Buffer
			world.Must(b.ReadFrom(unpacked))
			assert.Equal(t, content, b.String(), e.Name)
		}
		if e.Name == "index.html" {
			continue
		}
		assert.Regexp(t, `^\w+-[0-9a-f]{16}\.\w+$`, e.Name)
		assert.Contains(t, html, `="`+e.Name+`"`)
		sum := sha512.Sum384([]byte(content))
		if strings.Contains(html, base64.StdEncoding.EncodeToString(sum[:])) {
			loaded++
		}
	}
	assert.Len(t, names(t, dir), 3*len(list)+1, "and a list of them")
	assert.Equal(t, 6, loaded, "three scripts, the program's, a style sheet and the program are checked")
	assert.Contains(t, html, `http-equiv="Content-Security-Policy" content="default-src 'none'`)
	for _, link := range regexp.MustCompile(`(?:src|href|data-program|data-start)="([^"]+)"`).FindAllStringSubmatch(html, -1) {
		if !strings.HasPrefix(link[1], "https://github.com/") {
			assert.FileExists(t, filepath.Join(dir, link[1]), "relative, and there")
		}
	}
}

// The same content has the same names, and other content others.
func TestExportAgain(t *testing.T) {
	dir := t.TempDir()
	var all [3][]string
	for i, scene := range []string{"cubes", "cubes", "flappy"} {
		world.Must(server.Export(program, server.Start{Scene: scene}, dir))
		all[i] = names(t, dir)
	}
	assert.Equal(t, all[0], all[1])
	assert.Len(t, all[2], len(all[0]))
	assert.NotEqual(t, all[0], all[2])
}

// What is written into a folder takes the place of what was before, and nothing else is touched.
func TestFoldersOfOthersAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	mine, list := filepath.Join(dir, "mine.txt"), filepath.Join(dir, ".flatecs-site")
	require.NoError(t, os.WriteFile(mine, nil, 0o600))
	err := server.WriteFolder(dir, map[string][]byte{"a": nil})
	require.ErrorIs(t, err, server.ErrNotEmpty)
	require.ErrorContains(t, err, "mine.txt")
	require.NoError(t, os.Remove(mine))

	require.NoError(t, server.WriteFolder(dir, map[string][]byte{"a": nil, "b/c": []byte("c")}))
	assert.Equal(t, "c", read(t, dir, "b", "c"))
	require.NoError(t, os.WriteFile(mine, nil, 0o600))
	require.NoError(t, os.Remove(filepath.Join(dir, "b", "c")))
	require.NoError(t, server.WriteFolder(dir, map[string][]byte{"d": nil}))
	assert.Equal(t, []string{".flatecs-site", "b", "d", "mine.txt"}, names(t, dir))

	require.NoError(t, os.WriteFile(list, []byte("../../x\n"), 0o600))
	require.ErrorContains(t, server.WriteFolder(dir, nil), "elsewhere")
}
