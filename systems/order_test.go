package systems

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/flatecs/flatecs/layout"
)

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
	id := mustObject(t, s, 0)
	s, _ = DisposeGameObject(s, id)
	s, id, _ = Spawn(s, r)
	before := bytes.Clone(Bytes(s))
	s, _, err = CopyGameObject(s, id)
	if !errors.Is(err, ErrTooMany) || !bytes.Equal(before, Bytes(s)) {
		t.Errorf("%v, bytes equal %v", err, bytes.Equal(before, Bytes(s)))
	}
}

// TestCreatedIDsServeTheRecording: an id that the world's commands gave means the same in a task, and
// one that a task gave means the same outside it; after Apply both are nobody's.
func TestCreatedIDsServeTheRecording(t *testing.T) {
	s, err := CreateState(Counts{GameObjects: 8, Kinds: []layout.Count{kindA.Count(8), kindC.Count(8)}})
	if err != nil {
		t.Fatal(err)
	}
	mine := Record(s).Create()
	var theirs GameObject
	s = RunTasks(s, nil, []Task{{Run: []func(State) State{func(s State) State {
		c := Record(s)
		theirs = c.Create()
		c.Add(theirs, kindC)
		c.Add(mine, kindA)
		return s
	}}}})
	Record(s).Add(theirs, kindA)
	s, err = Apply(s)
	if err != nil {
		t.Error(err)
	}
	first, second := mustObject(t, s, 0), mustObject(t, s, 1)
	if !Has(s, first, kindA) || Has(s, first, kindC) || !Has(s, second, kindC) || !Has(s, second, kindA) {
		t.Error("a component went to the wrong object")
	}
	for i := range 5 { // nor do they become somebody else's
		Record(s).Create()
		Record(s).Add(mine, kindC)
		Record(s).Add(theirs, kindC)
		if s, err = Apply(s); !errors.Is(err, ErrDead) || managed(s, kindC).Mounted() != 1 || Live(s) != 3+i {
			t.Errorf("an id of an earlier Apply: %v", err)
		}
	}
}

// TestTasksMadeAtCreation: contexts that Counts.Tasks makes know what those know that are made later.
func TestTasksMadeAtCreation(t *testing.T) {
	r := NewRecipe("made at creation", kindA)
	task := []Task{{Run: []func(State) State{func(s State) State {
		Record(s).Spawn(r)
		return s
	}}}}
	for tasks := range 3 {
		s, err := CreateState(Counts{
			GameObjects: 8, Kinds: layout.Kinds(kindA), Recipes: []Recipe{r}, Tasks: tasks,
		})
		if err != nil {
			t.Fatal(err)
		}
		s, err = Apply(RunTasks(s, nil, task))
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
	if calls != 1 || Live(s) != 64 {
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
