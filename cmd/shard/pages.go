package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/report"
	"github.com/flatecs/flatecs/world/stage"
)

const (
	shardsPath = "/debug/shards"
	worldPath  = "/debug/ecs"
)

// pages is a page server on this machine.
type pages struct {
	url  string // without a path
	stop func()
}

// servePages serves a handler that checks requests itself, until it is stopped. addr is PORT, :PORT
// or HOST:PORT, on loopback.
func servePages(addr string, h http.Handler) (*pages, error) {
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	l, err := report.Guard().Listen(addr)
	if err != nil {
		return nil, fmt.Errorf("shard: --inspect: %w", err)
	}
	s := &http.Server{
		Handler: h, MaxHeaderBytes: 16 << 10, WriteTimeout: time.Minute,
		ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 5 * time.Second,
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l) // returns when stopped
	}()
	return &pages{"http://" + l.Addr().String(), func() { _ = s.Close(); <-done }}, nil
}

// page returns the page of all shards, with buttons to kill them.
func (r *run) page() http.Handler {
	const killTakes = 2 * time.Second // limit until the run receives the request
	return report.Guard().Handler(report.Handler(report.Options{
		Name: "shards", Reports: r.board.reports, Kill: func(i int) error {
			if i < 0 || i >= r.Shards {
				return fmt.Errorf("shard: no shard %d; there are %d", i, r.Shards)
			}
			select {
			case r.wanted <- i:
				return nil
			case <-time.After(killTakes):
				return errors.New("shard: the run is about to end")
			}
		},
	}))
}

// A watched is a shard with reports at intervals, and an optional inspector.
type watched struct {
	*shard.Shard
	number    int
	board     *board
	inspector *inspect.Inspector // nil: no page
	pages     *pages
	next      time.Time // time of the next report
}

// watch starts watching a shard. addr is the address of its inspector; "": none.
func watch(
	s *shard.Shard, o shard.Options, b *board, addr string, log io.Writer,
) (w *watched, err error) {
	w = &watched{Shard: s, number: o.Shard, board: b}
	if addr == "" {
		return w, nil
	}
	w.inspector, err = inspect.New(s.State(), inspect.Options{
		Title: fmt.Sprintf("%s, shard %d", o.Name, o.Shard), Clock: stage.Clock(time.Now),
		Schedule: o.Schedule, Pipeline: o.Pipeline,
		Sources: inspect.Sources{Others: func() []inspect.Metric {
			return report.Metrics(report.Of(w.number, s))
		}},
	})
	if err != nil {
		return nil, err
	}
	own := func() []report.Report { return b.reports()[w.number:][:1] }
	mux := http.NewServeMux()
	mux.Handle(worldPath, w.inspector.Handler())
	mux.Handle(worldPath+"/", w.inspector.Handler())
	page := report.Handler(report.Options{Name: o.Name, Reports: own})
	mux.Handle("/", report.Guard().Handler(page))
	if w.pages, err = servePages(addr, mux); err != nil {
		w.inspector.Close()
		return nil, err
	}
	fmt.Fprintf(log, "inspector: %[1]s%[2]s and %[1]s%[3]s\n", w.pages.url, shardsPath, worldPath)
	return w, nil
}

// report returns the report after a tick, or nil if none is due.
func (w *watched) report(last bool) (*report.Report, error) {
	const reportEvery = 250 * time.Millisecond
	if w.inspector != nil {
		if err := w.inspector.Publish(w.State()); err != nil {
			return nil, err
		}
	}
	if now := time.Now(); last || !now.Before(w.next) {
		w.next = now.Add(reportEvery)
		r := report.Of(w.number, w.Shard)
		r.Map = &report.Map{
			Width: mapWidth, Counts: w.board.scene.Places(w.State(), mapWidth, mapHeight),
		}
		if w.pages != nil {
			r.Inspector = w.pages.url + worldPath
		}
		w.board.set(w.number, r)
		return &r, nil
	}
	return nil, nil
}

func (w *watched) close() {
	if w.pages != nil {
		w.pages.stop()
		w.inspector.Close()
	}
}
