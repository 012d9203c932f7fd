package world_test

import (
	"context"
	"errors"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/hooks"
	"github.com/flatecs/flatecs/world/loop"
	"github.com/flatecs/flatecs/world/schedule"
)

var errContract = errors.New("the program refuses")

func refuseAll(s world.State) (world.State, error) { return s, errContract }

// taskContracts are those of tasks and workers.
func taskContracts() map[string]contract {
	return map[string]contract{
		"RunTasks": steps(func(_ *exhibit, s world.State) world.State {
			return systems.RunTasks(s, nil, []systems.Task{{
				Run: []func(world.State) world.State{
					func(s world.State) world.State { return s },
				},
				Queries: []world.Query{exhibited},
			}})
		}),
		"NewWorkers":          knowsNone(func() { systems.NewWorkers(2).Close() }),
		"Workers.Close":       knowsNone(func() { systems.NewWorkers(1).Close() }),
		"PanicError.Cause":    knowsNone(func() { _ = (&systems.PanicError{}).Cause() }),
		"PanicError.Error":    knowsNone(func() { _ = (&systems.PanicError{}).Error() }),
		"PanicError.Unwrap":   knowsNone(func() { _ = (&systems.PanicError{}).Unwrap() }),
		"Workers.SetPatience": knowsNone(func() { systems.NewWorkers(1).SetPatience(time.Second) }),
		"Workers.Count":       knowsNone(func() { systems.NewWorkers(1).Count() }),
		"Conflict": knowsNone(func() {
			systems.Conflict([]world.Query{exhibited}, []world.Query{exhibited})
		}),
	}
}

// historyContracts are those of histories.
func historyContracts() map[string]contract {
	past := func(f func(h *history.History)) contract {
		return reads(func(x *exhibit, s world.State) { f(recorded(s)) })
	}
	step := func(s world.State, _ []byte) world.State { return world.MoveAll(s) }
	return map[string]contract{
		"history.Resimulating":     reads(func(_ *exhibit, s world.State) { history.Resimulating(s) }),
		"history.New":              past(func(*history.History) {}),
		"history.History.Record":   past(func(*history.History) {}),
		"history.History.Frames":   past(func(h *history.History) { h.Frames() }),
		"history.History.Restart":  past(func(h *history.History) { h.Restart(3) }),
		"history.History.Input":    past(func(h *history.History) { world.Must(h.Input(0)) }),
		"history.History.SetInput": past(func(h *history.History) { _ = h.SetInput(0, []byte{1}) }),
		"history.History.Snapshot": past(func(h *history.History) { world.Must(h.Snapshot(0)) }),
		"history.History.Digest":   past(func(h *history.History) { world.Must(h.Digest(0)) }),
		"history.History.Close":    past(func(h *history.History) { h.Close() }),
		"history.History.FirstDifference": past(func(h *history.History) {
			_, _, _ = h.FirstDifference(h)
		}),
		"history.History.Rollback": changes(func(x *exhibit, s world.State) (world.State, error) {
			return recorded(x.kept.State()).Rollback(s, 0)
		}),
		"history.History.Resimulate": changes(func(x *exhibit, s world.State) (world.State, error) {
			return recorded(x.kept.State()).Resimulate(s, 0, step)
		}),
		"history.Difference.String": knowsNone(func() { _ = history.Difference{}.String() }),
	}
}

// recorded returns a history of one frame.
func recorded(s world.State) *history.History {
	h := world.Must(history.New(s, 2, 1))
	if err := h.Record(s, []byte{0}); err != nil {
		panic(err)
	}
	return h
}

// hookContracts are those of roots of hooks.
func hookContracts() map[string]contract {
	hooked := hooks.System{
		Name: "contract", Watcher: exhibitWatcher, Init: world.MoveAll, Enter: world.MoveAll,
		DrawGizmos: func(s world.State, _ *hooks.Gizmos) world.State { return world.MoveAll(s) },
	}
	root := func() *hooks.Root {
		r := &hooks.Root{}
		if err := r.Add(hooked); err != nil {
			panic(err)
		}
		return r
	}
	return map[string]contract{
		"hooks.System.HasObjects": reads(func(_ *exhibit, s world.State) { hooked.HasObjects(s) }),
		"hooks.Root.Add":          knowsNone(func() { root() }),
		"hooks.Root.Names":        knowsNone(func() { root().Names() }),
		"hooks.Root.Watchers":     knowsNone(func() { root().Watchers() }),
		"hooks.Root.Init": steps(func(_ *exhibit, s world.State) world.State {
			return root().Init(s)
		}),
		"hooks.Root.Update": steps(func(_ *exhibit, s world.State) world.State {
			return root().Update(s, 1)
		}),
		"hooks.Root.DrawGizmos": steps(func(_ *exhibit, s world.State) world.State {
			return root().DrawGizmos(s, hooks.NewGizmos(1))
		}),
		"hooks.Root.Remove": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return root().Remove(s, "contract")
		}).refuses(func(_ *exhibit, s world.State) (world.State, error) {
			return root().Remove(s, "another")
		}),
		"hooks.Root.Clear": steps(func(_ *exhibit, s world.State) world.State { return root().Clear(s) }),
	}
}

// loopContracts are those of loops by hand, launchers and gizmos.
func loopContracts() map[string]contract {
	moves := func(s world.State, _, _ float32) world.State { return world.MoveAll(s) }
	stages := &loop.Launcher{Stages: []loop.Stage{{
		Fixed:      func(s world.State, _ float32) world.State { return world.MoveAll(s) },
		Update:     moves,
		DrawGizmos: world.MoveAll,
	}}}
	launcher := func(run func(world.State) (world.State, error)) *loop.Launcher {
		return &loop.Launcher{StartUp: []loop.StartUpStep{{Name: "contract", Run: run}}}
	}
	fail := refuseAll
	return map[string]contract{
		"loop.Clock": knowsNone(func() { loop.Clock(time.Now) }),
		"loop.Await": knowsNone(func() { loop.Await(make(chan time.Time)) }),
		"Init": func() contract {
			c := steps(func(_ *exhibit, s world.State) world.State { return world.Init(s, silent{}) })
			c.passes = true
			return c
		}(),
		"Loop": steps(func(_ *exhibit, s world.State) world.State {
			return world.Loop(s, 1, world.MoveAll)
		}),
		"loop.Launcher.Launch": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return launcher(world.Tidy).Launch(s)
		}).refuses(func(_ *exhibit, s world.State) (world.State, error) {
			return launcher(fail).Launch(s)
		}),
		"loop.Launcher.LaunchNext": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return launcher(world.Tidy).LaunchNext(s)
		}).refuses(func(_ *exhibit, s world.State) (world.State, error) {
			return launcher(fail).LaunchNext(s)
		}),
		"loop.Launcher.Launched": knowsNone(func() { stages.Launched() }),
		"loop.Launcher.Ready":    knowsNone(func() { stages.Ready() }),
		"loop.Launcher.FixedUpdate": steps(func(_ *exhibit, s world.State) world.State {
			return stages.FixedUpdate(s, 1)
		}),
		"loop.Launcher.Update": steps(func(_ *exhibit, s world.State) world.State {
			return stages.Update(s, 1, 0)
		}),
		"loop.Launcher.DrawGizmos": steps(func(_ *exhibit, s world.State) world.State {
			return stages.DrawGizmos(s)
		}),
		"hooks.NewGizmos":    knowsNone(func() { hooks.NewGizmos(1) }),
		"hooks.Gizmos.Line":  knowsNone(func() { hooks.NewGizmos(1).Line([3]float32{}, [3]float32{}) }),
		"hooks.Gizmos.Len":   knowsNone(func() { hooks.NewGizmos(1).Len() }),
		"hooks.Gizmos.Bytes": knowsNone(func() { hooks.NewGizmos(1).Bytes() }),
		"hooks.Gizmos.Draw":  knowsNone(func() { _ = hooks.NewGizmos(1).Draw(silent{}) }),
	}
}

// timedLoopContracts are those of loops by a clock.
func timedLoopContracts() map[string]contract {
	return map[string]contract{
		"loop.Timed.Frame": steps(func(_ *exhibit, s world.State) world.State {
			l := timedLoop()
			l.Start()
			return l.Frame(s, 0)
		}),
		"loop.Timed.Run": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return timedLoop().Run(context.Background(), s)
		}).refuses(func(_ *exhibit, s world.State) (world.State, error) {
			ended, end := context.WithCancel(context.Background())
			end()
			return timedLoop().Run(ended, s)
		}),
		"loop.Timed.Start":    knowsNone(func() { timedLoop().Start() }),
		"loop.Timed.Pause":    knowsNone(func() { timedLoop().Pause() }),
		"loop.Timed.Stop":     knowsNone(func() { timedLoop().Stop() }),
		"loop.Timed.Fail":     knowsNone(func() { timedLoop().Fail(errContract) }),
		"loop.Timed.Err":      knowsNone(func() { _ = timedLoop().Err() }),
		"loop.Timed.StepOnce": knowsNone(func() { timedLoop().StepOnce() }),
		"loop.Timed.Running":  knowsNone(func() { timedLoop().Running() }),
		"loop.Timed.Paused":   knowsNone(func() { timedLoop().Paused() }),
		"loop.Timed.Dropped":  knowsNone(func() { timedLoop().Dropped() }),
	}
}

// timedLoop returns a loop of one frame.
func timedLoop() *loop.Timed {
	l := &loop.Timed{
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
	pipeline := schedule.Pipeline{
		Name: "contract", Groups: []schedule.Group{{Name: "whole", Elements: []string{"move"}}},
		Jobs: []schedule.Job{{Name: "move", Do: func(s world.State) (world.State, error) {
			return world.MoveAll(s), nil
		}}},
	}
	sched := func() *schedule.Schedule {
		s := schedule.New(1)
		if err := s.Register(pipeline); err != nil {
			panic(err)
		}
		return s
	}
	return map[string]contract{
		"schedule.New":                 knowsNone(func() { schedule.New(1) }),
		"schedule.Schedule.Close":      knowsNone(func() { sched().Close() }),
		"schedule.Schedule.Register":   knowsNone(func() { sched() }),
		"schedule.Schedule.Unregister": knowsNone(func() { _ = sched().Unregister("contract") }),
		"schedule.Schedule.Run": changes(func(_ *exhibit, s world.State) (world.State, error) {
			return sched().Run(s, "contract")
		}).refuses(func(_ *exhibit, s world.State) (world.State, error) {
			return sched().Run(s, "another")
		}),
		"schedule.Schedule.Times":       knowsNone(func() { sched().Times("contract") }),
		"schedule.Schedule.AppendTimes": knowsNone(func() { sched().AppendTimes(nil, "contract") }),
		"schedule.Schedule.String":      knowsNone(func() { _ = sched().String() }),
		"schedule.Schedule.DOT":         knowsNone(func() { sched().DOT("contract") }),
		"schedule.Schedule.Workers":     knowsNone(func() { sched().Workers() }),
		"schedule.Link.String":          knowsNone(func() { _ = schedule.Concat.String() }),
	}
}
