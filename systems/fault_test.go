package systems

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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

// TestAPanicSaysWhereItWas: the system's name and the stack of its goroutine, whoever ran it.
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
