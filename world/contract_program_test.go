package world_test

import (
	"context"
	"errors"
	"time"

	"github.com/flatecs/flatecs/world"
)

var errContract = errors.New("the program refuses")

func refuseAll(s world.State) (world.State, error) { return s, errContract }

// taskContracts are those of tasks and workers.
func taskContracts() map[string]contract {
	return map[string]contract{
		"RunTasks": steps(func(_ *exhibit, s world.State) world.State {
			return world.RunTasks(s, nil, []world.Task{{
				Run: []func(world.State) world.State{
					func(s world.State) world.State { return s },
				},
				Queries: []world.Query{exhibited},
			}})
		}),
		"NewWorkers":    knowsNone(func() { world.NewWorkers(2).Close() }),
		"Workers.Close": knowsNone(func() { world.NewWorkers(1).Close() }),
		"Workers.Count": knowsNone(func() { world.NewWorkers(1).Count() }),
		"Conflict": knowsNone(func() {
			world.Conflict([]world.Query{exhibited}, []world.Query{exhibited})
		}),
	}
}

// historyContracts are those of histories.
func historyContracts() map[string]contract {
	history := func(f func(h *world.History)) contract {
		return reads(func(x *exhibit, s world.State) { f(recorded(s)) })
	}
	step := func(s world.State, _ []byte) world.State { return world.MoveAll(s) }
	return map[string]contract{
		"NewHistory":       history(func(*world.History) {}),
		"History.Record":   history(func(*world.History) {}),
		"History.Frames":   history(func(h *world.History) { h.Frames() }),
		"History.Restart":  history(func(h *world.History) { h.Restart(3) }),
		"History.Input":    history(func(h *world.History) { must(h.Input(0)) }),
		"History.SetInput": history(func(h *world.History) { _ = h.SetInput(0, []byte{1}) }),
		"History.Snapshot": history(func(h *world.History) { must(h.Snapshot(0)) }),
		"History.Digest":   history(func(h *world.History) { must(h.Digest(0)) }),
		"History.FirstDifference": history(func(h *world.History) {
			_, _, _ = h.FirstDifference(h)
		}),
		"History.Rollback": changes(func(x *exhibit, s world.State) (world.State, error) {
			return recorded(x.kept.State()).Rollback(s, 0)
		}),
		"History.Resimulate": changes(func(x *exhibit, s world.State) (world.State, error) {
			return recorded(x.kept.State()).Resimulate(s, 0, step)
		}),
		"FrameDifference.String": knowsNone(func() { _ = world.FrameDifference{}.String() }),
	}
}

// recorded returns a history of one frame.
func recorded(s world.State) *world.History {
	h := must(world.NewHistory(s, 2, 1))
	if err := h.Record(s, []byte{0}); err != nil {
		panic(err)
	}
	return h
}

// hookContracts are those of roots of hooks.
func hookContracts() map[string]contract {
	hooks := world.Hooks{
		Name: "contract", Watcher: exhibitWatcher, Init: world.MoveAll, Enter: world.MoveAll,
		DrawGizmos: func(s world.State, _ *world.Gizmos) world.State { return world.MoveAll(s) },
	}
	root := func() *world.Root {
		r := &world.Root{}
		if err := r.Add(hooks); err != nil {
			panic(err)
		}
		return r
	}
	return map[string]contract{
		"Hooks.HasObjects": reads(func(_ *exhibit, s world.State) { hooks.HasObjects(s) }),
		"Root.Add":         knowsNone(func() { root() }),
		"Root.Names":       knowsNone(func() { root().Names() }),
		"Root.Watchers":    knowsNone(func() { root().Watchers() }),
		"Root.Init": steps(func(_ *exhibit, s world.State) world.State {
			return root().Init(s)
		}),
		"Root.Update": steps(func(_ *exhibit, s world.State) world.State {
			return root().Update(s, 1)
		}),
		"Root.DrawGizmos": steps(func(_ *exhibit, s world.State) world.State {
			return root().DrawGizmos(s, world.NewGizmos(1))
		}),
		"Root.Remove": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return root().Remove(s, "contract")
		}).refuses(func(_ *exhibit, s world.State) (world.State, error) {
			return root().Remove(s, "another")
		}),
		"Root.Clear": steps(func(_ *exhibit, s world.State) world.State { return root().Clear(s) }),
	}
}

// loopContracts are those of loops by hand, launchers and gizmos.
func loopContracts() map[string]contract {
	moves := func(s world.State, _, _ float32) world.State { return world.MoveAll(s) }
	stages := &world.Launcher{Stages: []world.Stage{{
		Fixed:      func(s world.State, _ float32) world.State { return world.MoveAll(s) },
		Update:     moves,
		DrawGizmos: world.MoveAll,
	}}}
	launcher := func(run func(world.State) (world.State, error)) *world.Launcher {
		return &world.Launcher{StartUp: []world.StartUpStep{{Name: "contract", Run: run}}}
	}
	fail := refuseAll
	return map[string]contract{
		"Clock": knowsNone(func() { world.Clock(time.Now) }),
		"Await": knowsNone(func() { world.Await(make(chan time.Time)) }),
		"Init": func() contract {
			c := steps(func(_ *exhibit, s world.State) world.State { return world.Init(s, silent{}) })
			c.passes = true
			return c
		}(),
		"Frame": steps(func(_ *exhibit, s world.State) world.State { return world.Frame(s, silent{}) }),
		"Loop": steps(func(_ *exhibit, s world.State) world.State {
			return world.Loop(s, 1, world.MoveAll)
		}),
		"Launcher.Launch": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return launcher(world.Tidy).Launch(s)
		}).refuses(func(_ *exhibit, s world.State) (world.State, error) {
			return launcher(fail).Launch(s)
		}),
		"Launcher.LaunchNext": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return launcher(world.Tidy).LaunchNext(s)
		}).refuses(func(_ *exhibit, s world.State) (world.State, error) {
			return launcher(fail).LaunchNext(s)
		}),
		"Launcher.Launched": knowsNone(func() { stages.Launched() }),
		"Launcher.Ready":    knowsNone(func() { stages.Ready() }),
		"Launcher.FixedUpdate": steps(func(_ *exhibit, s world.State) world.State {
			return stages.FixedUpdate(s, 1)
		}),
		"Launcher.Update": steps(func(_ *exhibit, s world.State) world.State {
			return stages.Update(s, 1, 0)
		}),
		"Launcher.DrawGizmos": steps(func(_ *exhibit, s world.State) world.State {
			return stages.DrawGizmos(s)
		}),
		"NewGizmos":    knowsNone(func() { world.NewGizmos(1) }),
		"Gizmos.Line":  knowsNone(func() { world.NewGizmos(1).Line([3]float32{}, [3]float32{}) }),
		"Gizmos.Len":   knowsNone(func() { world.NewGizmos(1).Len() }),
		"Gizmos.Bytes": knowsNone(func() { world.NewGizmos(1).Bytes() }),
		"Gizmos.Draw":  knowsNone(func() { _ = world.NewGizmos(1).Draw(silent{}) }),
	}
}

// timedLoopContracts are those of loops by a clock.
func timedLoopContracts() map[string]contract {
	return map[string]contract{
		"TimedLoop.Frame": steps(func(_ *exhibit, s world.State) world.State {
			l := timedLoop()
			l.Start()
			return l.Frame(s, 0)
		}),
		"TimedLoop.Run": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return timedLoop().Run(context.Background(), s)
		}).refuses(func(_ *exhibit, s world.State) (world.State, error) {
			ended, end := context.WithCancel(context.Background())
			end()
			return timedLoop().Run(ended, s)
		}),
		"TimedLoop.Start":    knowsNone(func() { timedLoop().Start() }),
		"TimedLoop.Pause":    knowsNone(func() { timedLoop().Pause() }),
		"TimedLoop.Stop":     knowsNone(func() { timedLoop().Stop() }),
		"TimedLoop.Fail":     knowsNone(func() { timedLoop().Fail(errContract) }),
		"TimedLoop.Err":      knowsNone(func() { _ = timedLoop().Err() }),
		"TimedLoop.StepOnce": knowsNone(func() { timedLoop().StepOnce() }),
		"TimedLoop.Running":  knowsNone(func() { timedLoop().Running() }),
		"TimedLoop.Paused":   knowsNone(func() { timedLoop().Paused() }),
		"TimedLoop.Dropped":  knowsNone(func() { timedLoop().Dropped() }),
	}
}

// timedLoop returns a loop of one frame.
func timedLoop() *world.TimedLoop {
	l := &world.TimedLoop{
		Now: func() time.Duration { return 0 }, Wait: func(context.Context) {},
	}
	l.Update = func(s world.State, _, _ float32) world.State {
		l.Stop()
		return world.MoveAll(s)
	}
	return l
}

// scheduleContracts are those of schedules.
func scheduleContracts() map[string]contract {
	pipeline := world.Pipeline{
		Name: "contract", Groups: []world.Group{{Name: "whole", Elements: []string{"move"}}},
		Jobs: []world.Job{{Name: "move", Do: func(s world.State) (world.State, error) {
			return world.MoveAll(s), nil
		}}},
	}
	schedule := func() *world.Schedule {
		s := world.NewSchedule(1)
		if err := s.Register(pipeline); err != nil {
			panic(err)
		}
		return s
	}
	return map[string]contract{
		"NewSchedule":         knowsNone(func() { world.NewSchedule(1) }),
		"Schedule.Close":      knowsNone(func() { schedule().Close() }),
		"Schedule.Register":   knowsNone(func() { schedule() }),
		"Schedule.Unregister": knowsNone(func() { _ = schedule().Unregister("contract") }),
		"Schedule.Run": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return schedule().Run(s, "contract")
		}).refuses(func(_ *exhibit, s world.State) (world.State, error) {
			return schedule().Run(s, "another")
		}),
		"Schedule.Times":       knowsNone(func() { schedule().Times("contract") }),
		"Schedule.AppendTimes": knowsNone(func() { schedule().AppendTimes(nil, "contract") }),
		"Schedule.String":      knowsNone(func() { _ = schedule().String() }),
		"Schedule.DOT":         knowsNone(func() { schedule().DOT("contract") }),
		"Link.String":          knowsNone(func() { _ = world.Concat.String() }),
	}
}
