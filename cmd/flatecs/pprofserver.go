package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"
	"strconv"

	"github.com/flatecs/flatecs/world/inspect"
)

const (
	pprofPage    = "/debug/pprof/"
	pprofShows   = "take profiles of this program, which slows it down, and see its command line"
	pprofSeconds = 30 // longest profile
)

// servePprof serves Go's profiles until the returned function is called.
func servePprof(addr address, stderr io.Writer) (stop func() error, err error) {
	guard := inspect.Guard{Page: pprofPage, Hosts: addr.names(), Remote: !addr.isOwn()}
	l, err := guard.Listen(string(addr))
	if err != nil {
		return nil, fmt.Errorf("--pprof: %w", err)
	}
	serve := func(ctx context.Context) error { return guard.Serve(ctx, l, pprofHandler()) }
	return addr.serveAt(l, pprofPage, "pprof", pprofShows, stderr, serve), nil
}

// pprofHandler uses its own mux, so that nothing else is served, and limits the duration of
// profiles.
func pprofHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(pprofPage, pprof.Index)
	mux.HandleFunc(pprofPage+"cmdline", pprof.Cmdline)
	mux.HandleFunc(pprofPage+"profile", pprof.Profile)
	mux.HandleFunc(pprofPage+"symbol", pprof.Symbol)
	mux.HandleFunc(pprofPage+"trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, text := range r.URL.Query()["seconds"] {
			seconds, err := strconv.ParseFloat(text, 64)
			if err != nil || !(seconds <= pprofSeconds) {
				http.Error(w, fmt.Sprintf("seconds is %q; give at most %d", text, pprofSeconds),
					http.StatusBadRequest)
				return
			}
		}
		mux.ServeHTTP(w, r)
	})
}
