package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/inspect"
	"github.com/flatecs/flatecs/world/stage"
)

// An inspected is a world that is shown in a browser until stop is called.
type inspected struct {
	*inspect.Inspector
	url  string // for this machine
	stop func() error
}

const inspectShows = "see all of this world, and " + pprofShows

// inspectAt serves the inspector of a run. The caller has checked that other machines may reach the
// address.
func (f *playFlags) inspectAt(r *sceneRun, stderr io.Writer) error {
	o := inspect.Options{
		Title: r.Scene.Name, Clock: stage.Clock(time.Now), Edit: f.InspectEdit,
		Schedule: r.Schedule, Pipeline: scene.Pipeline,
	}
	o.Hunt = huntBeside(r.Play)
	past, err := r.remember(&o)
	if err != nil {
		return err
	}
	i, err := inspectState(f.Inspect, r.state, o, r.hand, stderr)
	if err != nil {
		past.Close()
		return err
	}
	r.watchers = append(r.watchers, watcher{
		stepped: func(_ uint64, s world.State) error { return i.Publish(s) },
		ended:   func(uint64, world.State, error) error { return i.stop() },
	})
	r.past = &remembered{page: i.Inspector, past: past, from: r.played}
	return nil
}

// inspectState serves the inspector of any world.
func inspectState(
	addr address, s world.State, o inspect.Options, h *hand.Hand, stderr io.Writer,
) (*inspected, error) {
	o.Hosts, o.Remote = addr.names(), !addr.isOwn()
	i, err := inspect.New(s, o)
	if err != nil {
		return nil, err
	}
	return addr.inspector(i, o, h, stderr)
}

// inspector serves an inspector at an address.
func (a address) inspector(
	i *inspect.Inspector, o inspect.Options, h *hand.Hand, stderr io.Writer,
) (*inspected, error) {
	listen := i.Listen
	if h != nil { // the next program takes it over
		listen = func(addr string) (net.Listener, error) { return h.Listen("tcp", addr) }
	}
	l, err := listen(string(a))
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	path := "/debug/ecs"
	if o.Model != nil {
		path += "#model"
	}
	serve := func(ctx context.Context) error { return i.ServeListener(ctx, l) }
	url, _ := urls(l.Addr(), "")
	return &inspected{i, url, a.serveAt(l, path, "inspector", inspectShows, stderr, serve)}, nil
}

// shown reports whether only the inspector shows a run.
func (f *playFlags) shown(s streams) bool { return f.Inspect != "" && f.choose(s) == "none" }

// paceOf limits a run to the scene's own speed.
func paceOf(r *sceneRun) watcher {
	ticker := time.NewTicker(scene.StepTime)
	return watcher{
		stepped: func(uint64, world.State) error {
			if !r.hurries {
				<-ticker.C
			}
			return nil
		},
		ended: func(uint64, world.State, error) error { ticker.Stop(); return nil },
	}
}
