package systems

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

var (
	taskAge   = layout.NewField[float32]("age")
	taskKind  = layout.NewKind("taskAge", taskAge)
	taskMover = NewRecipe("taskMover", Position, Velocity, taskKind)
	taskAging = NewQuery(Write(taskAge))
	taskRowly = NewQuery(Write(Position), Without(Instance), RowWise())
	taskLists = []Query{MoveQuery, UpdateQuery, taskAging, taskRowly}
)

func nudge(s State) State {
	for b := range taskRowly.In(s) {
		p := layout.Flat[float32](Position, Column(b, Position))
		for i := range p {
			p[i] -= 0.25
		}
	}
	return s
}

// taskWorld returns a world with n objects, some rows of which are scattered.
func taskWorld(t *testing.T, n int) State {
	t.Helper()
	s := sure(CreateState(Counts{
		GameObjects: n + n/2, Commands: 4 * n,
		Kinds: layout.Kinds(
			taskKind.Count(n+n/2), Position.Count(n+n/2), Velocity.Count(n+n/2),
			MaxVelocity.Count(1), Instance.Count(n+n/2),
		), Recipes: []Recipe{taskMover},
	}))
	ids := make([]GameObject, n)
	for i := range ids {
		var id GameObject
		s, id = made(Spawn(s, taskMover))
		ids[i] = id
		if i%9 == 0 {
			s = sure(Add(s, id, Instance))
		}
		if i%5 == 0 {
			s = sure(Remove(s, id, Velocity.Kind()))
		}
		if i%7 == 3 {
			s = sure(Set(s, id, taskAge, float32(i%7)))
		}
	}
	for i := range uint32(n) {
		if i*17%uint32(n)%10 == 0 {
			s = sure(Add(s, ids[i*17%uint32(n)], Velocity.Kind()))
		}
	}
	return s
}

// split returns a task per 16 blocks.
func split(s State, run []func(State) State, fuse uint32) (tasks []Task) {
	blocks := uint32(ArenaOf(s).Objects.High()+63) / 64
	for first := uint32(0); first < blocks; first += 16 {
		tasks = append(tasks, Task{
			Run: run, Queries: taskLists, First: first, End: min(first+16, blocks), Fuse: fuse,
		})
	}
	return tasks
}

// TestTasksEqualCalls: systems that only touch their own objects end in the same bytes as called on
// the whole world.
func TestTasksEqualCalls(t *testing.T) {
	start := taskWorld(t, 5_000)
	run := []func(State) State{MoveAll, Update, nudge}
	direct := Advance(sure(Clone(start)))
	for _, f := range run {
		direct = f(direct)
	}
	for _, workers := range []int{1, 2, 3, 8, 16} {
		for _, fuse := range []uint32{0, 4, 8} {
			w := NewWorkers(workers)
			s := Advance(sure(Clone(start)))
			s = RunTasks(s, w, split(s, run, fuse))
			w.Close()
			require.True(t, bytes.Equal(Bytes(direct), Bytes(s)), "%d workers, %d blocks", workers, fuse)
		}
	}
}

// TestTasksRefuse: what a task may not do.
func TestTasksRefuse(t *testing.T) {
	s := taskWorld(t, 100)
	id := sure(objectAt(s, 0))
	before := bytes.Clone(Bytes(s))
	s = RunTasks(s, nil, []Task{{Queries: taskLists, Run: doing(func(s State) {
		for name, err := range map[string]error{
			"create": second(Create(s)),
			"set":    errorOf(Set(s, id, Position, [3]float32{})),
			"add":    errorOf(Add(s, id, Instance)),
			"edit":   second(Edit(s, id, Position)),
		} {
			if err == nil || !strings.Contains(err.Error(), ";") {
				t.Error(name, err)
			}
		}
		mustPanic(t, "set", func() { _ = SetRow(s, Position, 0, [3]float32{}) })
		mustPanic(t, "advance", func() { _ = Advance(s) })
		mustPanic(t, "an unlisted query", func() {
			for range FlyQuery.In(s) {
			}
		})
		mustPanic(t, "tasks in a task", func() { _ = RunTasks(s, nil, nil) })
	})}})
	if !bytes.Equal(Bytes(s), before) {
		t.Error("the world has changed")
	}
}

func second[T any](_ State, _ T, err error) error { return err }

func errorOf(_ State, err error) error { return err }

// TestPanicErrors: the panic reaches the caller, and the world can be used on.
func TestPanicErrors(t *testing.T) {
	s := taskWorld(t, 1000)
	w := NewWorkers(4)
	defer w.Close()
	tasks := split(s, []func(State) State{func(s State) State {
		for range MoveQuery.In(s) {
			panic("broken; mend it")
		}
		return s
	}}, 0)
	mustPanic(t, "a broken system", func() { _ = RunTasks(s, w, tasks) })
	s = newState(s.use())
	s = RunTasks(s, w, split(s, []func(State) State{MoveAll}, 0))
	if _, _, err := Create(s); err != nil {
		t.Error(err)
	}
}

// TestConflict: of two lists of queries.
func TestConflict(t *testing.T) {
	for _, c := range []struct {
		a, b  []Query
		field string
	}{
		{[]Query{MoveQuery}, []Query{MoveQuery}, "xyz"},
		{[]Query{MoveQuery}, []Query{NewQuery(Read(Velocity))}, ""},
		{[]Query{NewQuery(Read(Position))}, []Query{FlyQuery}, "xyz"},
		{[]Query{NewQuery(Optional(Position))}, []Query{FlyQuery}, "xyz"},
		{nil, []Query{FlyQuery}, ""},
	} {
		f, ok := Conflict(c.a, c.b)
		if ok != (c.field != "") || ok && f.Name != c.field {
			t.Errorf("%v %v, want %q", f, ok, c.field)
		}
	}
}

func TestAllocsTasks(t *testing.T) {
	s := taskWorld(t, 10_000)
	w := NewWorkers(2)
	defer w.Close()
	tasks := split(s, []func(State) State{MoveAll, Update, nudge}, 8)
	if n := testing.AllocsPerRun(20, func() { s = RunTasks(s, w, tasks) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
