package report

import (
	_ "embed" // the page
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/internal/onepage"
)

//go:embed page.html
var pageSource string

const (
	root = "/debug/shards"
	kill = root + "/kill"
)

// Guard returns the checks of the page, which accept only loopback addresses. Hosts are further
// names of this machine that requests may use.
func Guard(hosts ...string) inspect.Guard {
	return inspect.Guard{Page: root, Hosts: hosts, Posts: []string{kill}}
}

// Options configure the page. Requests call its functions on any goroutine.
type Options struct {
	Name    string          // of the simulation
	Reports func() []Report // the latest of all shards

	// Kill kills the process of a shard; with it, the page has a button for each shard, and shows
	// the error.
	Kill func(shard int) error
}

// Handler returns a handler for the page of a simulation.
func Handler(o Options) http.Handler {
	reports := o.Reports
	if reports == nil {
		panic("shard/report: Handler without a function; give it one that returns reports")
	}
	mux := http.NewServeMux()
	source := pageSource
	if o.Kill != nil {
		source = strings.Replace(source, `data-kills=""`, `data-kills="yes"`, 1)
		mux.HandleFunc("POST "+kill, o.serveKill)
	}
	mux.HandleFunc(root, func(w http.ResponseWriter, _ *http.Request) {
		onepage.Serve(w, source, o.Name+" · shards")
	})
	mux.HandleFunc(root+"/api", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(reports()) // the client may have disconnected
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
