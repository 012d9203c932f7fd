package world_test

import (
	"context"
	"reflect"

	"github.com/flatecs/flatecs/world"
)

func listPrograms(all map[reflect.Type]listing) {
	list(all, func(*room) world.Renderer { return silent{} }, nil)
	list(all, func(*room) context.Context {
		ctx, end := context.WithCancel(context.Background())
		end()
		return ctx
	}, nil)
	list(all, func(*room) error { return errContract }, nil)
	list(all, func(*room) any { return 1 }, nil)
	list(all, func(g *room) *world.Workers {
		w := world.NewWorkers(2)
		g.later(w.Close)
		return w
	}, bads{"closed": func(*room) any {
		w := world.NewWorkers(2)
		w.Close()
		return w
	}})
	list(all, func(*room) world.Task {
		return world.Task{Run: []func(world.State) world.State{calm}}
	}, bads{
		"of nil": func(*room) any { return world.Task{Run: make([]func(world.State) world.State, 1)} },
		"of a zero query": func(*room) any {
			return world.Task{Queries: make([]world.Query, 1)}
		},
		"backwards": func(*room) any { return world.Task{First: 1 << 31, End: 3, Fuse: 1 << 31} },
		"one that walks what it does not list": func(*room) any {
			return world.Task{Run: []func(world.State) world.State{world.MoveAll}}
		},
		"one that changes": func(*room) any {
			return world.Task{Run: []func(world.State) world.State{world.Advance}}
		},
	})
	list(all, func(g *room) *world.History { return recorded(g.s) }, bads{
		"empty": func(g *room) any { return must(world.NewHistory(g.s, 2, 1)) },
		"far": func(g *room) any {
			h := must(world.NewHistory(g.s, 2, 1))
			h.Restart(int(^uint(0) >> 1))
			return h
		},
		"of another world": func(*room) any { return recorded(foreign()) },
	})
	list(all, func(*room) []byte { return []byte{1} }, nil)
	list(all, func(*room) *world.Gizmos { return world.NewGizmos(1) }, nil)
	list(all, func(*room) *world.TimedLoop { return timedLoop() }, bads{
		"negative":     func(*room) any { return &world.TimedLoop{Step: -1} },
		"without step": func(*room) any { return &world.TimedLoop{Fixed: nothing1} },
		"one that loses the State": func(*room) any {
			l := timedLoop()
			l.Update = nothing2
			l.Start()
			return l
		},
		"one that loses the State in a step": func(*room) any {
			l := timedLoop()
			l.Step, l.Fixed = 1, nothing1
			l.StepOnce()
			l.Start()
			l.StepOnce()
			return l
		},
	})
	listRoots(all)
	listSchedules(all)
}

// calm leaves a State as it is; the others lose it.
func calm(s world.State) world.State                      { return s }
func nothing(world.State) world.State                     { return world.State{} }
func nothing1(world.State, float32) world.State           { return world.State{} }
func nothing2(world.State, float32, float32) world.State  { return world.State{} }
func nothingDrawn(world.State, *world.Gizmos) world.State { return world.State{} }
func nothingDone(world.State) (world.State, error)        { return world.State{}, nil }
func nothingStepped(world.State, []byte) (s world.State)  { return s }

func listRoots(all map[reflect.Type]listing) {
	rooted := func(h world.Hooks) func(*room) any {
		return func(*room) any {
			r := &world.Root{}
			if err := r.Add(h); err != nil {
				panic(err)
			}
			return r
		}
	}
	good := world.Hooks{Name: "name", Watcher: exhibitWatcher, Init: calm}
	list(all, func(*room) world.Hooks { return good }, bads{
		"without a watcher": func(*room) any { return world.Hooks{Name: "name", Enter: calm} },
		"foreign":           func(*room) any { return world.Hooks{Watcher: foreignWatcher} },
	})
	list(all, func(g *room) *world.Root { return rooted(good)(g).(*world.Root) }, bads{
		"foreign": rooted(world.Hooks{Name: "name", Watcher: foreignWatcher}),
		"one whose hooks lose the State": rooted(world.Hooks{
			Name: "name", Init: nothing, Update: nothing1, DrawGizmos: nothingDrawn,
			Destroy: nothing,
		}),
		"one whose hooks for objects lose the State": rooted(world.Hooks{
			Name: "name", Watcher: exhibitWatcher, Enter: nothing, FirstUpdate: nothing,
			Leave: nothing, Destroy: nothing,
		}),
		"of an unknown order": func(*room) any {
			r := rooted(good)(nil).(*world.Root)
			r.Order = 200
			return r
		},
	})
	list(all, func(*room) *world.Hooks { return &world.Hooks{Watcher: exhibitWatcher} }, bads{
		"foreign": func(*room) any { return &world.Hooks{Watcher: foreignWatcher} },
	})
	list(all, func(*room) *world.Launcher {
		return &world.Launcher{Stages: []world.Stage{{}}}
	}, bads{
		"one that is done by nobody": func(*room) any {
			return &world.Launcher{StartUp: make([]world.StartUpStep, 1)}
		},
		"one whose stages lose the State": func(*room) any {
			return &world.Launcher{Stages: []world.Stage{
				{Name: "name", Fixed: nothing1, Update: nothing2, DrawGizmos: nothing},
			}}
		},
		"one whose start loses the State": func(*room) any {
			return &world.Launcher{StartUp: []world.StartUpStep{{Name: "name", Run: nothingDone}}}
		},
	})
}

func listSchedules(all map[reflect.Type]listing) {
	pipeline := func(jobs ...world.Job) world.Pipeline {
		p := world.Pipeline{Name: "name", Groups: []world.Group{{Name: "whole"}}, Jobs: jobs}
		for _, j := range jobs {
			p.Groups[0].Elements = append(p.Groups[0].Elements, j.Name)
		}
		return p
	}
	scheduled := func(jobs ...world.Job) func(*room) any {
		return func(*room) any {
			s := world.NewSchedule(1)
			if err := s.Register(pipeline(jobs...)); err != nil {
				panic(err)
			}
			return s
		}
	}
	good := world.Job{Name: "job", Run: calm}
	list(all, func(*room) world.Pipeline { return pipeline(good) }, bads{
		"without elements": func(*room) any { return world.Pipeline{Groups: make([]world.Group, 1)} },
		"of a zero query": func(*room) any {
			return pipeline(world.Job{Name: "job", Run: calm, Queries: make([]world.Query, 1)})
		},
		"of unknown links": func(*room) any {
			p := pipeline(good)
			p.Groups[0].Link = 200
			return p
		},
		"of zero queries side by side": func(*room) any {
			p := pipeline(good, world.Job{Name: "b", Run: calm, Queries: make([]world.Query, 1)},
				world.Job{Name: "c", Run: calm, Queries: make([]world.Query, 1)})
			p.Groups[0].Link = world.Merge
			return p
		},
	})
	list(all, func(g *room) *world.Schedule { return scheduled(good)(g).(*world.Schedule) }, bads{
		"closed": func(g *room) any {
			s := world.NewSchedule(2)
			s.Close()
			return s
		},
		"one that loses the State": scheduled(world.Job{Name: "job", Do: nothingDone}),
		"one that does not list what it walks": scheduled(world.Job{
			Name: "job", Run: world.MoveAll,
		}),
		"one of a zero query": scheduled(world.Job{
			Name: "job", Run: calm, Queries: make([]world.Query, 1),
		}),
	})
}
