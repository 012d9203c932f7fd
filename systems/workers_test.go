package systems

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
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

// TestRefusedCopyChangesNothing: also where the pool of the object is full.
func TestRefusedCopyChangesNothing(t *testing.T) {
	r := NewRecipe("copied", kindA)
	s, err := CreateState(Counts{
		GameObjects: 1024, Kinds: []layout.Count{kindA.Count(2000)}, Recipes: []Recipe{r},
	})
	if err == nil {
		s, err = SpawnN(s, r, 1024, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	id := sure(objectAt(s, 0))
	s, _ = Dispose(s, id)
	s, id, _ = Spawn(s, r)
	before := bytes.Clone(Bytes(s))
	s, _, err = Copy(s, id)
	if !errors.Is(err, ErrTooMany) || !bytes.Equal(before, Bytes(s)) {
		t.Errorf("%v, bytes equal %v", err, bytes.Equal(before, Bytes(s)))
	}
}

// TestCreatedIDsServeTheRecording: an id that the world's commands gave means the same in a task, and
// one that a task gave means the same outside it; after Apply both are nobody's.
func TestCreatedIDsServeTheRecording(t *testing.T) {
	s := sure(CreateState(Counts{GameObjects: 8, Kinds: []layout.Count{kindA.Count(8), kindC.Count(8)}}))
	mine := Record(s).Create()
	var theirs GameObject
	s = RunTasks(s, nil, []Task{{Run: doing(func(s State) {
		c := Record(s)
		theirs = c.Create()
		c.Add(theirs, kindC)
		c.Add(mine, kindA)
	})}})
	Record(s).Add(theirs, kindA)
	s, err := Apply(s)
	if err != nil {
		t.Error(err)
	}
	first, second := sure(objectAt(s, 0)), sure(objectAt(s, 1))
	if !Has(s, first, kindA) || Has(s, first, kindC) || !Has(s, second, kindC) || !Has(s, second, kindA) {
		t.Error("a component went to the wrong object")
	}
	for i := range 5 { // nor do they become somebody else's
		Record(s).Create()
		Record(s).Add(mine, kindC)
		Record(s).Add(theirs, kindC)
		if s, err = Apply(s); !errors.Is(err, ErrDead) || managed(s, kindC).Mounted() != 1 || Len(s) != 3+i {
			t.Errorf("an id of an earlier Apply: %v", err)
		}
	}
}

// TestTasksMadeAtCreation: contexts that Counts.Tasks makes know what those know that are made later.
func TestTasksMadeAtCreation(t *testing.T) {
	r := NewRecipe("made at creation", kindA)
	task := []Task{{Run: doing(func(s State) {
		Record(s).Spawn(r)
	})}}
	for tasks := range 3 {
		s := sure(CreateState(Counts{
			GameObjects: 8, Kinds: layout.Kinds(kindA), Recipes: []Recipe{r}, Tasks: tasks,
		}))
		s, err := Apply(RunTasks(s, nil, task))
		if err != nil || managed(s, kindA).Mounted() != 1 {
			t.Errorf("%d tasks: %d objects, %v", tasks, managed(s, kindA).Mounted(), err)
		}
		fork, err := Clone(s)
		if err == nil {
			fork, err = Apply(RunTasks(fork, nil, task))
		}
		if err != nil || managed(fork, kindA).Mounted() != 2 {
			t.Errorf("%d tasks of a copy: %d objects, %v", tasks, managed(fork, kindA).Mounted(), err)
		}
		Close(fork)
		Close(s)
	}
}

// TestFewTasks: none at all, and one that is to be fused in stretches longer than the world.
func TestFewTasks(t *testing.T) {
	s := taskWorld(t, 64)
	w := NewWorkers(2)
	defer w.Close()
	s = RunTasks(s, w, nil)
	calls := 0
	count := func(s State) State {
		calls++
		return s
	}
	s = RunTasks(s, w, []Task{{Run: []func(State) State{count}, End: math.MaxUint32, Fuse: math.MaxUint32}})
	if calls != 1 || Len(s) != 64 {
		t.Errorf("%d calls, want 1", calls)
	}
}

// TestTaskThatEndsItsGoroutine: the caller hears of it, and the workers go on.
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
