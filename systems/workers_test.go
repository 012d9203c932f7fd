package systems

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inner is a world that a task steps.
type inner struct {
	state State
	tasks []Task
}

func newInner(t *testing.T) *inner {
	t.Helper()
	s := taskWorld(t, 3000)
	return &inner{s, split(s, []func(State) State{MoveAll, Update, nudge}, 0)}
}

// TestTasksStepOtherWorldsOnTheirWorkers: as many tasks as workers and more, each of which runs the
// tasks of two worlds, one by a task of the other.
func TestTasksStepOtherWorldsOnTheirWorkers(t *testing.T) {
	const outer = 6
	want := newInner(t)
	for range 2 {
		want.state = RunTasks(Advance(want.state), nil, want.tasks)
	}
	for _, n := range []int{1, 2, 3, 8} {
		w := NewWorkers(n)
		var first, second [outer]*inner
		var tasks []Task
		for i := range outer {
			first[i], second[i] = newInner(t), newInner(t)
			deeper := Task{Run: []func(State) State{func(s State) State {
				second[i].state = RunTasks(Advance(second[i].state), w, second[i].tasks)
				return s
			}}}
			tasks = append(tasks, Task{Run: []func(State) State{func(s State) State {
				first[i].state = RunTasks(Advance(first[i].state), w,
					append([]Task{deeper}, first[i].tasks...))
				return s
			}}})
		}
		s := taskWorld(t, 64)
		for range 2 {
			s = RunTasks(s, w, tasks)
		}
		for i := range outer {
			require.True(t, bytes.Equal(Bytes(want.state), Bytes(first[i].state)), "%d workers", n)
			require.True(t, bytes.Equal(Bytes(want.state), Bytes(second[i].state)), "%d workers", n)
		}
		w.Close()
	}
}

// TestSeveralRunTasksAtOnce: on the same workers, from several goroutines.
func TestSeveralRunTasksAtOnce(t *testing.T) {
	w := NewWorkers(3)
	defer w.Close()
	var worlds [5]*inner
	for i := range worlds {
		worlds[i] = newInner(t)
	}
	var all sync.WaitGroup
	for _, x := range worlds {
		all.Go(func() {
			for range 20 {
				x.state = RunTasks(Advance(x.state), w, x.tasks)
			}
		})
	}
	all.Wait()
	for _, x := range worlds[1:] {
		assert.Equal(t, Digest(worlds[0].state), Digest(x.state))
	}
}

func TestClosedWorkersRunNothing(t *testing.T) {
	w := NewWorkers(2)
	w.Close()
	w.Close()
	s := taskWorld(t, 64)
	before := Digest(s)
	defer func() {
		assert.Contains(t, recover(), "RunTasks: these Workers are closed")
		assert.Equal(t, before, Digest(s))
	}()
	RunTasks(s, w, split(s, []func(State) State{MoveAll}, 0))
}
