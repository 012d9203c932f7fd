package systems

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/walk"
	"github.com/flatecs/flatecs/systems/internal/work"
)

// A Task is one call of a system, on all objects or on some blocks of them, that may run beside
// others: it may walk the queries that it lists, on its objects, and record [Commands]; it may not
// change the world's structure.
type Task struct {
	Run     []func(State) State // one after the other
	Queries []Query             // that they may walk
	First   uint32              // first block of 64 objects
	End     uint32              // block after the last one; 0: all
	Fuse    uint32              // blocks that all of Run are called on before the next ones; 0: all
}

// RunTasks runs tasks side by side on workers, and returns when all have ended. What they recorded
// is added to the world's commands in the order of the tasks, so that the bytes do not depend on
// the number of workers. A panic in one is passed on. It panics while a walk is open, and when the
// workers are closed.
func RunTasks(s State, w *Workers, tasks []Task) State {
	j := s.use()
	j.still()
	for i := range tasks {
		tasks[i].check(i)
	}
	side := j.sideBySide(len(tasks))
	side.tasks = tasks
	for i := range tasks {
		j.commands.Lend(&side.parts[i].commands)
		for _, q := range tasks[i].Queries {
			j.planOf(q)
		}
	}
	side.set.Begin(len(tasks), side.run)
	if w != nil {
		w.pool.Offer(&side.set)
		defer w.pool.Finish(&side.set) // should the caller's goroutine end in a task
	}
	side.set.Work()
	if w != nil {
		w.pool.Finish(&side.set)
	}
	for i := range tasks {
		j.commands.Append(&side.parts[i].commands)
		j.stampAll(&tasks[i], side.parts[i])
	}
	if fault := side.set.Fault(); fault != nil {
		panic(*fault)
	}
	return s.done()
}

// tasksOf are the tasks that run side by side in one world.
type tasksOf struct {
	parts []*job // a context per task
	tasks []Task
	set   work.Set
	run   func(task int) // made once
}

// sideBySide returns the tasks of a world, with contexts for n.
func (j *job) sideBySide(n int) *tasksOf {
	if j.tasks == nil {
		side := &tasksOf{}
		side.run = func(task int) { side.parts[task].run(&side.tasks[task]) }
		j.tasks = side
	}
	for i := len(j.tasks.parts); i < n; i++ {
		j.tasks.parts = append(j.tasks.parts, j.part(i))
	}
	return j.tasks
}

// check panics when a function or query of a task is none.
func (t *Task) check(i int) {
	for _, f := range t.Run {
		if f == nil {
			panic(fmt.Sprintf("systems: RunTasks: task %d runs a nil function; "+
				"set it, or leave it out", i))
		}
	}
}

// run runs a task in its context.
func (j *job) run(t *Task) {
	j.allowed, j.walked = t.Queries, 0
	end := j.walks.Blocks()
	if t.End != 0 {
		end = min(end, t.End)
	}
	if t.Fuse == 0 {
		j.call(t, t.First, end)
	} else {
		fuse := min(t.Fuse, end) // so that no sum is beyond 32 bits
		for first := t.First; first < end; first += fuse {
			j.call(t, first, min(first+fuse, end))
		}
	}
}

func (j *job) call(t *Task, from, to uint32) {
	j.walks.From, j.walks.To = from, to
	for _, f := range t.Run {
		f(newState(j))
	}
}

// part returns a context for a part of the world's objects.
func (j *job) part(number int) *job {
	return &job{
		Table: j.Table, whole: j, commands: j.commands.ForTask(number),
		pools: j.pools, poolList: j.poolList, plans: j.plans,
		walks: walk.Walks{Objects: j.Objects, Part: true},
	}
}

// stamp notes what a task may have written. The stamps of rows at the border of two tasks' objects
// are the same, so that they are noted when all have ended.
func (j *job) stampAll(t *Task, part *job) {
	j.walks.From, j.walks.To = t.First, t.End
	if t.End == 0 {
		j.walks.To = math.MaxUint32
	}
	for i := range t.Queries {
		if part.walked>>(i&63)&1 != 0 && j.planOf(t.Queries[i]).Writes() {
			j.walk(t.Queries[i], 0, func(Batch) bool { return true })
		}
	}
	j.walks.From, j.walks.To = 0, math.MaxUint32
}

// allows notes that a task walks a query. It panics when the task does not list it.
func (j *job) allows(q Query) {
	for i := range j.allowed {
		if j.allowed[i] == q {
			j.walked |= 1 << (i & 63)
			return
		}
	}
	panic("systems: this job walks a query that it does not list; add it to the job's Queries")
}

// Conflict returns a field that one of two lists of queries writes and the other asks for, if there
// is one: systems that walk them may not run side by side.
func Conflict(a, b []Query) (field *layout.FieldSpec, ok bool) {
	for _, p := range a {
		for _, q := range b {
			if f := query.Conflict(p.declared(), q.declared()); f != nil {
				return f, true
			}
		}
	}
	return nil, false
}

// Workers are goroutines that run tasks. The nil Workers runs them one after the other. Whoever
// runs tasks works on them too and waits for no idle worker, so several goroutines may run tasks of
// different worlds on the same Workers at once, and a task may run those of another world.
type Workers struct{ pool work.Pool }

// maxWorkers is the most goroutines that Workers may be: any machine has fewer processors.
const maxWorkers = 1 << 12

// NewWorkers starts n goroutines, the caller's counted as one of them. It panics when they are more
// than 4,096.
func NewWorkers(n int) *Workers {
	if n > maxWorkers {
		panic(fmt.Sprintf("systems: NewWorkers(%d): there may be %d; have one per processor", n,
			maxWorkers))
	}
	w := &Workers{}
	w.pool.Start(n)
	return w
}

// Close ends the goroutines. Closing twice is closing once.
func (w *Workers) Close() {
	if w != nil {
		w.pool.Close()
	}
}

// Count returns how many goroutines run tasks, the caller's among them.
func (w *Workers) Count() int {
	if w == nil {
		return 1
	}
	return w.pool.Count()
}
