package report

import (
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/world/inspect"
)

//go:embed page.html
var pageSource string

const (
	root  = "/debug/shards"
	kill  = root + "/kill"
	title = "<title></title>"
	kills = `data-kills=""`
)

// Guard returns the checks of the page, on loopback alone. Hosts are further names of this machine
// that requests may use.
func Guard(hosts ...string) inspect.Guard {
	return inspect.Guard{Page: root, Hosts: hosts, Posts: []string{kill}}
}

// Options say what a page shows. Its functions are called with requests, on any goroutine.
type Options struct {
	Name    string          // of the simulation
	Reports func() []Report // the latest of all shards

	// Kill kills the process of a shard: the page has a button for each then. Its error is shown.
	Kill func(shard int) error
}

// Handler returns a handler for the page of a simulation.
func Handler(o Options) http.Handler {
	reports := o.Reports
	if reports == nil {
		panic("shard/report: Handler without a function; give it one that returns reports")
	}
	mux := http.NewServeMux()
	mux.HandleFunc(root, func(w http.ResponseWriter, _ *http.Request) { servePage(w, &o) })
	if o.Kill != nil {
		mux.HandleFunc("POST "+kill, o.serveKill)
	}
	mux.HandleFunc(root+"/api", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(reports()) // a reader that is gone is no error of ours
	})
	mux.HandleFunc(root+"/metrics", func(w http.ResponseWriter, _ *http.Request) {
		inspect.ServeMetrics(w, Metrics(reports()...))
	})
	mux.Handle("/", http.NotFoundHandler())
	return mux
}

// serveKill kills the shard that a request names.
func (o *Options) serveKill(w http.ResponseWriter, r *http.Request) {
	i, err := strconv.Atoi(r.URL.Query().Get("shard"))
	if err == nil {
		err = o.Kill(i)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// servePage answers with the page. Its own script and style are all that the browser may run.
func servePage(w http.ResponseWriter, o *Options) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; "+
		"frame-ancestors 'none'; img-src data:; connect-src 'self'; "+
		"script-src '"+hashOf("script")+"'; style-src '"+hashOf("style")+"'")
	text := strings.Replace(pageSource, title,
		"<title>"+html.EscapeString(o.Name)+" · shards</title>", 1)
	if o.Kill != nil {
		text = strings.Replace(text, kills, `data-kills="yes"`, 1)
	}
	_, _ = w.Write([]byte(text)) // a reader that is gone is no error of ours
}

// hashOf returns the hash of what is in the page's only element of a name.
func hashOf(element string) string {
	_, rest, _ := strings.Cut(pageSource, "<"+element+">")
	text, _, _ := strings.Cut(rest, "</"+element+">")
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
