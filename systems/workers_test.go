package systems

import (
	"bytes"
	"errors"
	"io"
	"runtime"
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

// TestTasksStepOtherWorldsOnTheirWorkers: at least as many tasks as workers, each of which runs the
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

// taskPanic returns what f panics with.
func panicOf(t *testing.T, f func()) (fault *PanicError) {
	t.Helper()
	defer func() {
		t.Helper()
		var ok bool
		if value := recover(); !assert.NotNil(t, value, "it did not panic") {
			return
		} else if fault, ok = value.(*PanicError); !ok {
			t.Errorf("it panicked with %v", value)
		}
	}()
	f()
	return nil
}

// sentence returns the text of a panic, also of one in a task.
func sentence(value any) (text string, ok bool) {
	if fault, ok := value.(*PanicError); ok {
		return fault.Cause(), true
	}
	text, ok = value.(string)
	return text, ok
}

func well(s State) State { return s }

func outOfRange(s State) State {
	few := make([]int, 3)
	few[len(few)+int(s.turn&7)]++
	return s
}

// TestAPanicSaysWhereItWas: the system's name and the stack of its goroutine, for any goroutine.
func TestAPanicSaysWhereItWas(t *testing.T) {
	s, _ := mixed(t, 4000)
	w := NewWorkers(3)
	defer w.Close()
	for _, workers := range []*Workers{nil, w} {
		for _, fuse := range []uint32{0, 1} {
			tasks := []Task{{Run: []func(State) State{well}}, {
				Run: []func(State) State{well, outOfRange, well}, Names: []string{"first", "second"},
				Fuse: fuse,
			}}
			fault := panicOf(t, func() { RunTasks(s, workers, tasks) })
			assert.Contains(t, fault.Cause(), "flatecs: second: runtime error: index out of range")
			assert.NotContains(t, fault.Cause(), "\n")
			assert.Regexp(t, `^github\.com/flatecs/flatecs/systems\.outOfRange`, fault.Stack)
			assert.Equal(t, fault.Cause()+"\n\n"+fault.Stack, fault.Error())
		}
	}
	nameless := []Task{{}, {}, {Run: []func(State) State{outOfRange}, Names: nil}}
	fault := panicOf(t, func() { RunTasks(s, nil, nameless) })
	assert.Contains(t, fault.Cause(), "flatecs: task 2: runtime error: ")
}

// TestAPanicWithinTasksOfTasks: all names, and the innermost stack.
func TestAPanicWithinTasksOfTasks(t *testing.T) {
	s, _ := mixed(t, 100)
	inner, _ := mixed(t, 100)
	fail := []Task{{Run: []func(State) State{outOfRange}, Names: []string{`job "in"`}}}
	nest := func(s State) State {
		RunTasks(inner, nil, fail)
		return s
	}
	tasks := []Task{{Run: []func(State) State{nest}, Names: []string{`job "out"`}}}
	fault := panicOf(t, func() { RunTasks(s, nil, tasks) })
	assert.Contains(t, fault.Cause(), `flatecs: job "out": job "in": runtime error: `)
	assert.Regexp(t, `^github\.com/flatecs/flatecs/systems\.outOfRange`, fault.Stack)

	wrapped := &PanicError{Value: io.EOF}
	require.ErrorIs(t, wrapped, io.EOF)
	assert.NoError(t, errors.Unwrap(&PanicError{Value: "text"}))
}

// TestTaskThatEndsItsGoroutine: the caller gets an error, and the workers continue.
func TestTaskThatEndsItsGoroutine(t *testing.T) {
	s := taskWorld(t, 64)
	w := NewWorkers(2)
	defer w.Close()
	gate := make(chan bool)
	meet := func(s State) State { // one task on each goroutine
		select {
		case gate <- true:
		case <-gate:
		}
		if stack := make([]byte, 4096); bytes.Contains(stack[:runtime.Stack(stack, false)], []byte("help")) {
			runtime.Goexit()
		}
		return s
	}
	task := Task{Run: []func(State) State{meet}}
	mustPanic(t, "a goroutine that ends", func() { _ = RunTasks(s, w, []Task{task, task}) })
	s = newState(s.use())
	for range 3 {
		s = RunTasks(s, w, split(s, []func(State) State{MoveAll}, 0))
	}
}
