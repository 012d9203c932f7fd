package world_test

import (
	"context"
	"reflect"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/pool"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/stage"
)

func listPrograms(all map[reflect.Type]listing) {
	list(all, func(g *room) systems.Tools { return systems.ToolsOf(g.s) }, nil)
	list(all, func(*room) heroes.Renderer { return silent{} }, nil)
	list(all, func(*room) context.Context { return ended }, nil)
	list(all, func(*room) error { return errContract }, nil)
	list(all, func(*room) any { return 1 }, nil)
	list(all, func(g *room) *systems.Workers {
		w := systems.NewWorkers(2)
		g.later(w.Close)
		return w
	}, bads{"closed": func(*room) any {
		w := systems.NewWorkers(2)
		w.Close()
		return w
	}})
	list(all, func(*room) systems.Task {
		return systems.Task{Run: []func(world.State) world.State{calm}}
	}, bads{
		"of nil": systems.Task{
			Run: make([]func(world.State) world.State, 1),
		},
		"of a zero query": systems.Task{Queries: make([]world.Query, 1)},
		"backwards":       systems.Task{First: 1 << 31, End: 3, Fuse: 1 << 31},
		"one that walks what it does not list": systems.Task{
			Run: []func(world.State) world.State{heroes.MoveAll},
		},
		"one that changes": systems.Task{
			Run: []func(world.State) world.State{world.Advance},
		},
	})
	list(all, func(g *room) *history.History {
		h := recorded(g.s)
		g.later(h.Close)
		return h
	}, bads{
		"empty": func(g *room) any { return world.Must(history.New(g.s, 2, 1)) },
		"far": func(g *room) any {
			h := world.Must(history.New(g.s, 2, 1))
			h.Restart(int(^uint(0) >> 1))
			return h
		},
		"of another world": func(*room) any { return recorded(foreign()) },
	})
	list(all, func(g *room) *pool.Pool {
		p := world.Must(pool.New(g.keeping().State(), 2))
		g.later(p.Close)
		return p
	}, bads{"closed": func(g *room) any {
		p := world.Must(pool.New(g.keeping().State(), 1))
		p.Close()
		return p
	}})
	list(all, func(*room) []byte { return []byte{1} }, nil)
	list(all, func(*room) *stage.Gizmos { return stage.NewGizmos(1) }, nil)
	list(all, func(*room) *stage.Timed { return timedLoop() }, bads{
		"negative":     func(*room) any { return &stage.Timed{Step: -1} },
		"without step": func(*room) any { return &stage.Timed{Fixed: nothing1} },
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
func nothingDrawn(world.State, *stage.Gizmos) world.State { return world.State{} }
func nothingDone(world.State) (world.State, error)        { return world.State{}, nil }
func nothingStepped(world.State, []byte) (s world.State)  { return s }

func listRoots(all map[reflect.Type]listing) {
	rooted := func(h stage.System) func(*room) any {
		return func(*room) any {
			r := &stage.Root{}
			if err := r.Add(h); err != nil {
				panic(err)
			}
			return r
		}
	}
	good := stage.System{Name: "name", Watcher: exhibitWatcher, Init: calm}
	list(all, func(*room) stage.System { return good }, bads{
		"without a watcher": stage.System{Name: "name", Enter: calm},
		"foreign":           stage.System{Watcher: foreignWatcher},
	})
	list(all, func(g *room) *stage.Root { return rooted(good)(g).(*stage.Root) }, bads{
		"foreign": rooted(stage.System{Name: "name", Watcher: foreignWatcher}),
		"one whose hooks lose the State": rooted(stage.System{
			Name: "name", Init: nothing, Update: nothing1, DrawGizmos: nothingDrawn,
			Destroy: nothing,
		}),
		"one whose hooks for objects lose the State": rooted(stage.System{
			Name: "name", Watcher: exhibitWatcher, Enter: nothing, FirstUpdate: nothing,
			Leave: nothing, Destroy: nothing,
		}),
		"of an unknown order": func(*room) any {
			r := rooted(good)(nil).(*stage.Root)
			r.Order = 200
			return r
		},
	})
	list(all, func(*room) *stage.System { return &stage.System{Watcher: exhibitWatcher} }, bads{
		"foreign": func(*room) any { return &stage.System{Watcher: foreignWatcher} },
	})
	list(all, func(*room) *stage.Launcher {
		return &stage.Launcher{Stages: []stage.Stage{{}}}
	}, bads{
		"one that is done by nobody": func(*room) any {
			return &stage.Launcher{StartUp: make([]stage.StartUpStep, 1)}
		},
		"one whose stages lose the State": func(*room) any {
			return &stage.Launcher{Stages: []stage.Stage{
				{Name: "name", Fixed: nothing1, Update: nothing2, DrawGizmos: nothing},
			}}
		},
		"one whose start loses the State": func(*room) any {
			return &stage.Launcher{StartUp: []stage.StartUpStep{{Name: "name", Run: nothingDone}}}
		},
	})
}

func listSchedules(all map[reflect.Type]listing) {
	pipeline := func(jobs ...schedule.Job) schedule.Pipeline {
		p := schedule.Pipeline{Name: "name", Groups: []schedule.Group{{Name: "whole"}}, Jobs: jobs}
		for _, j := range jobs {
			p.Groups[0].Elements = append(p.Groups[0].Elements, j.Name)
		}
		return p
	}
	scheduled := func(jobs ...schedule.Job) func(*room) any {
		return func(*room) any {
			s := schedule.New(1)
			if err := s.Register(pipeline(jobs...)); err != nil {
				panic(err)
			}
			return s
		}
	}
	good := schedule.Job{Name: "job", Run: calm}
	list(all, func(*room) schedule.Pipeline { return pipeline(good) }, bads{
		"without elements": schedule.Pipeline{Groups: make([]schedule.Group, 1)},
		"of a zero query":  pipeline(schedule.Job{Name: "job", Run: calm, Queries: make([]world.Query, 1)}),
		"of unknown links": func(*room) any {
			p := pipeline(good)
			p.Groups[0].Link = 200
			return p
		},
		"of zero queries side by side": func(*room) any {
			p := pipeline(good, schedule.Job{Name: "b", Run: calm, Queries: make([]world.Query, 1)},
				schedule.Job{Name: "c", Run: calm, Queries: make([]world.Query, 1)})
			p.Groups[0].Link = schedule.Merge
			return p
		},
	})
	list(all, func(g *room) *schedule.Schedule {
		return scheduled(good)(g).(*schedule.Schedule)
	}, bads{
		"closed": func(g *room) any {
			s := schedule.New(2)
			s.Close()
			return s
		},
		"one that loses the State": scheduled(schedule.Job{Name: "job", Do: nothingDone}),
		"one that does not list what it walks": scheduled(schedule.Job{
			Name: "job", Run: heroes.MoveAll,
		}),
		"one of a zero query": scheduled(schedule.Job{
			Name: "job", Run: calm, Queries: make([]world.Query, 1),
		}),
	})
}
