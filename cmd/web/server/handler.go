package server

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/cmd/render/webgl"
)

//go:embed page
var page embed.FS

// A Start is what the page opens first. Nil or empty values mean the scene's defaults.
type Start struct {
	Scene   string `json:"scene"`
	Count   *int   `json:"count,omitempty"`
	Seed    uint64 `json:"seed,string"`
	Variant string `json:"variant,omitempty"`
}

// types are media types by extension.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".json": "application/json",
	".wasm": "application/wasm",
}

// policy only allows the page to load from this server.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// A file is prepared for serving at a path.
type file struct {
	kind, tag     string
	plain, packed []byte
}

func newFile(name string, content []byte) *file {
	sum := sha256.Sum256(content)
	f := &file{kind: types[path.Ext(name)], plain: content, tag: hex.EncodeToString(sum[:12])}
	if packed := gzipped(content); len(packed) < len(content) {
		f.packed = packed
	}
	return f
}

// gzipped returns the content compressed with gzip.
func gzipped(content []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = z.Write(content)
	_ = z.Close()
	return b.Bytes()
}

// contents returns the files of the page, by name.
func contents(p Program, start Start) (map[string][]byte, error) {
	first, err := json.Marshal(start)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{
		"app.wasm": p.Wasm, "wasm_exec.js": p.Script, "heap.js": webgl.Script,
		"start.json": first,
	}
	entries, err := page.ReadDir("page")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if all[e.Name()], err = page.ReadFile("page/" + e.Name()); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// NewHandler returns a handler for the page. With loopback it answers only requests that name this
// machine, so that no other page can reach it through a host name that resolves here.
func NewHandler(p Program, start Start, loopback bool) (http.Handler, error) {
	contents, err := contents(p, start)
	if err != nil {
		return nil, err
	}
	return Files(contents, loopback), nil
}

// Files returns a handler that serves files by name, / as index.html, and the icon.svg of pages;
// loopback as in [NewHandler].
func Files(contents map[string][]byte, loopback bool) http.Handler {
	files := map[string]*file{}
	for name, content := range contents {
		files["/"+name] = newFile(name, content)
	}
	icon, _ := page.ReadFile("page/icon.svg")
	files["/"], files["/icon.svg"] = files["/index.html"], newFile("icon.svg", icon)
	files["/favicon.ico"] = files["/icon.svg"]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f := files[r.URL.Path]
		switch {
		case loopback && !NamesLoopback(r.Host):
			http.Error(w, "this server answers this machine only", http.StatusForbidden)
		case f == nil:
			http.NotFound(w, r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "this server is for reading only", http.StatusMethodNotAllowed)
		default:
			f.serve(w, r)
		}
	})
}

// serve answers with the file, compressed if the client accepts it, or with "not modified".
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	content, tag := f.plain, `"`+f.tag+`"`
	h := w.Header()
	h.Set("Vary", "Accept-Encoding")
	if f.packed != nil && takesGzip(r) {
		content, tag = f.packed, `"`+f.tag+`-gzip"`
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", tag)
	h.Set("Cache-Control", "no-cache") // cached, but revalidated
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin") // with the next: precise clocks
	h.Set("Cross-Origin-Embedder-Policy", "require-corp")
	h.Set("Referrer-Policy", "no-referrer")
	if strings.Contains(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", f.kind)
	h.Set("Content-Length", strconv.Itoa(len(content)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(content)
	}
}

// takesGzip reports whether the client accepts gzip.
func takesGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";")
		if strings.EqualFold(name, "gzip") {
			return weight == "" || strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != ""
		}
	}
	return false
}

// NamesLoopback reports whether a host, with or without a port, is a loopback address or name.
func NamesLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
