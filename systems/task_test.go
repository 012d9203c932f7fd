package systems

import (
	"bytes"
	"strings"
	"testing"

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

func TestAllocsTasks(t *testing.T) {
	s := taskWorld(t, 10_000)
	w := NewWorkers(2)
	defer w.Close()
	tasks := split(s, []func(State) State{MoveAll, Update, nudge}, 8)
	if n := testing.AllocsPerRun(20, func() { s = RunTasks(s, w, tasks) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
