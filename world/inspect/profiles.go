package inspect

import (
	"net/http"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	usualSeconds = 5
	maxSeconds   = 30
)

// profiles answers with profiles of the Go runtime.
type profiles struct{ running atomic.Bool } // a CPU profile is running

// serve answers with a profile of the Go runtime: "profile" is a CPU profile over the number of
// seconds in the parameter seconds; the other names are those of package runtime/pprof. With
// debug=1 the profile is text.
func (p *profiles) serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if name == "profile" {
		p.serveProcessor(w, r)
		return
	}
	found := pprof.Lookup(name)
	if found == nil {
		refuse(w, http.StatusNotFound, "there is no such profile; try profile, heap, goroutine, "+
			"allocs, block, mutex, threadcreate")
		return
	}
	debug, err := number(r.URL.Query(), "debug", 0, 2)
	if err != nil {
		refuseWith(w, err)
		return
	}
	if name == "heap" && r.URL.Query().Get("gc") == "1" {
		runtime.GC()
	}
	attach(w, name, debug > 0)
	_ = found.WriteTo(w, debug) // the client may have disconnected
}

func (p *profiles) serveProcessor(w http.ResponseWriter, r *http.Request) {
	seconds, err := number(r.URL.Query(), "seconds", usualSeconds, maxSeconds)
	if err != nil {
		refuseWith(w, err)
		return
	}
	if r.Method == http.MethodHead {
		attach(w, "profile", false)
		return
	}
	if !p.running.CompareAndSwap(false, true) {
		refuse(w, http.StatusConflict, "a profile is being taken; try again when it has ended")
		return
	}
	defer p.running.Store(false)
	attach(w, "profile", false)
	if err := pprof.StartCPUProfile(w); err != nil {
		w.Header().Del("Content-Disposition")
		refuse(w, http.StatusConflict, "the program takes a profile itself: "+err.Error())
		return
	}
	defer pprof.StopCPUProfile()
	pause(r.Context(), time.Duration(seconds)*time.Second)
}

// attach sets the content type of a profile, and the name under which browsers save it.
func attach(w http.ResponseWriter, name string, text bool) {
	if text {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(name+".pb.gz"))
}
