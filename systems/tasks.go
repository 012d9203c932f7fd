package systems

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/walk"
	"github.com/flatecs/flatecs/systems/internal/work"
)

// A Task is one call of a system, on all objects or a range of blocks, that may run in parallel
// with others. It may walk the queries that it lists, and record [Commands]. It may read by id what
// no other task of the call writes by its queries; if it is on all objects, it may read and write
// by id what its own queries write ([OpenWrite]). It may not change the structure.
type Task struct {
	Run     []func(State) State // one after the other
	Names   []string            // of Run, for [PanicError]; may be left out
	Queries []Query             // queries that they may walk
	First   uint32              // first block of 64 objects
	End     uint32              // block after the last one; 0: all
	Fuse    uint32              // call all of Run on this many blocks at a time; 0: on all
}

// RunTasks runs tasks in parallel on workers, and returns when all have ended. Their commands are
// appended to the world's in the order of the tasks, so that the bytes do not depend on the number
// of workers. A panic in a task ends that task alone; when all have ended, RunTasks panics with the
// first one, a [*PanicError]. It panics while a walk is open, if the workers are closed, and if the
// queries of two tasks ask for a field of the same objects and one writes it.
func RunTasks(s State, w *Workers, tasks []Task) State {
	return (*Pace)(nil).RunTasks(s, w, tasks)
}

// runAll runs tasks of a world, and returns when all have ended.
func (side *side) runAll(j *job, w *Workers, tasks []Task, p *Pace) {
	side.claims.list = side.claims.list[:0]
	j.guard.Turn++ // nobody uses the world's State meanwhile, nor its Writers
	j.guard.Shape, side.running = j.guard.Shape+1, true
	defer side.unshare(j)
	side.share(j, tasks)
	side.set.Begin(len(tasks), side.run, side.wrong)
	var pool *work.Pool
	if w != nil {
		pool = &w.pool
	}
	if p == nil {
		pool.Run(&side.set, nil, 0)
		return
	}
	blocks := 0
	for i := range tasks {
		blocks += int(tasks[i].End - tasks[i].First)
	}
	pool.Run(&side.set, &p.work, blocks)
}

// share gives each part its task, and notes what tasks may write. Tasks that follow each other and
// list the same queries are the parts of a system.
func (side *side) share(j *job, tasks []Task) {
	first, written := 0, &side.written
	for i := range tasks {
		t, part := &tasks[i], side.jobs[i]
		if i != first && !slices.Equal(t.Queries, tasks[first].Queries) {
			first = i
		}
		part.part.assign(t, first)
		j.commands.Lend(&part.commands)
		if i > first {
			continue
		}
		for _, q := range t.Queries {
			written.Add(j.planOf(q), first)
		}
	}
	if len(tasks) > 1 {
		side.checkApart(j, tasks)
	}
	for i := range tasks {
		side.jobs[i].part.beside = written.Kinds
	}
	j.walks.Writes = written.Kinds // for Readers of before
}

// unshare gives the world back to its State.
func (side *side) unshare(j *job) {
	side.written.Clear()
	j.walks.Writes = 0
	j.guard.Turn--
	j.guard.Shape, side.running = j.guard.Shape-1, false
	for _, task := range side.jobs {
		task.guard.Shape++ // ends its Writers
	}
}

// checkAlone panics if a field must not be read by id, because it may be written meanwhile: by
// another task, or by another part of this one's system.
func (j *job) checkAlone(f *layout.FieldSpec) {
	j.checkBeside(f)
	if j.part.whole == nil || !j.part.cut() {
		return
	}
	if _, ok := j.part.whole.side.written.By(f); ok {
		panic("flatecs: " + f.String() + " is read by id in a task on some of the objects, whose " +
			"queries write it, as others do with the rest; run it as a task on all objects, or " +
			"read a copy in another field")
	}
}

// checkBeside panics if the queries of another system's task write a field. For who has the whole
// world, as a Reader of before the tasks, each task is another's.
func (j *job) checkBeside(f *layout.FieldSpec) {
	side := j.root().side
	if side == nil {
		return
	}
	if by, ok := side.written.By(f); ok && (j.part.whole == nil || by != j.part.strand) {
		panic("flatecs: " + f.String() + " is read by id while the queries of a task beside " +
			"write it; run the two one after the other, and open Readers in the task that uses " +
			"them")
	}
}

// sideBySide returns the parts of a world that run side by side, n of them or more.
func (j *job) sideBySide(n int) *side {
	if j.side == nil {
		made := &side{
			claims: claims{list: make([]claim, 0, 16)}, written: query.MakeWritten(64),
		}
		made.run = func(task int) { made.jobs[task].run() }
		made.wrong = func(task int, fault any) any { return made.jobs[task].explained(task, fault) }
		j.side = made
	}
	for i := len(j.side.jobs); i < n; i++ {
		j.side.jobs = append(j.side.jobs, &job{
			Table: j.Table, part: part{whole: j}, commands: j.commands.ForTask(i),
			pools: j.pools, plans: j.plans, kin: j.kin, orders: j.orders, finding: j.finding,
			walks: walk.Walks{Objects: j.Objects, Part: true},
		})
	}
	return j.side
}

// check panics when a function of a task is none.
func (t *Task) check(i int) {
	for _, f := range t.Run {
		if f == nil {
			panic(fmt.Sprintf("flatecs: RunTasks: task %d runs a nil function; "+
				"set it, or leave it out", i))
		}
	}
}

// assign gives a part its task, which is of a strand.
func (p *part) assign(t *Task, strand int) {
	p.systems, p.names, p.allowed = t.Run, t.Names, t.Queries
	p.runs, p.walked, p.strand, p.beside = 0, 0, strand, 0
	p.first, p.end, p.fuse = t.First, t.End, t.Fuse
}

// cut reports whether a task is on some of the objects.
func (p *part) cut() bool { return p.first != 0 || p.end != 0 || p.fuse != 0 }

// claim checks that a task may write a field by id, and that no other task does so with the kind:
// rows are stamped 64 at a time, and tasks run side by side.
func (j *job) claim(caller string, f *layout.FieldSpec, m *manager.Manager) {
	switch {
	case j.part.cut():
		panicClaim(caller, f, " in a task on some of the objects; do so in a task on all of them")
	case f.Kind.Relation != nil:
		panicClaim(caller, f, ", of a relation, in a task; write it outside of tasks")
	case !j.mayWrite(f):
		panicClaim(caller, f, " in a task; list a query that writes it in the task's Queries")
	}
	c := &j.part.whole.side.claims
	c.Lock()
	defer c.Unlock()
	for _, by := range c.list {
		switch {
		case by.kind == m && by.job == j:
			return
		case by.kind == m:
			panicClaim(caller, f, " in two tasks of one call; run them one after the other")
		}
	}
	c.list = append(c.list, claim{m, j})
}

//go:noinline
func panicClaim(caller string, f *layout.FieldSpec, how string) {
	panic("flatecs: " + caller + ": " + f.String() + " is written by id" + how)
}

// mayWrite reports whether a task has a query that writes a field.
func (j *job) mayWrite(f *layout.FieldSpec) bool {
	for _, q := range j.part.allowed {
		if p := j.plans.Made(q.declared()); p != nil && p.WritesField(f) {
			return true
		}
	}
	return false
}

// run runs a part's task.
func (j *job) run() {
	p := &j.part
	end := j.walks.Blocks()
	if p.end != 0 {
		end = min(end, p.end)
	}
	if p.fuse == 0 {
		j.runOn(p.first, end)
		j.guard.Shape++ // ends the task's Writers
		return
	}
	fuse := min(p.fuse, end) // so that sums do not overflow 32 bits
	for first := p.first; first < end; first += fuse {
		j.runOn(first, min(first+fuse, end))
	}
}

// runOn calls the systems of a part's task on some blocks.
func (j *job) runOn(from, to uint32) {
	j.walks.From, j.walks.To = from, to
	for i, f := range j.part.systems {
		j.part.runs = i
		if s := f(newState(j)).returned(); s.job != j {
			panic("flatecs: a task returned the State of another world; " +
				"return the one of its last call")
		}
	}
}

// A PanicError is what [RunTasks] panics with when a task did.
type PanicError struct {
	Name  string // of the system, from Task.Names, or "task 3"
	Value any    // of the panic
	Stack string // of the goroutine, from where it panicked
}

// Error returns the text of Cause, and the stack below it, as the end of a program shows them.
func (p *PanicError) Error() string {
	if p == nil {
		return p.Cause()
	}
	return p.Cause() + "\n\n" + p.Stack
}

// Cause says in a line which system panicked with what.
func (p *PanicError) Cause() string {
	if p == nil {
		return "flatecs: no task panicked"
	}
	text := fmt.Sprint(p.Value)
	if inner, ok := p.Value.(*PanicError); ok {
		text = inner.Cause()
	}
	return "flatecs: " + p.Name + ": " + strings.TrimPrefix(text, "flatecs: ")
}

// Unwrap returns the value of the panic if that is an error, or else nil.
func (p *PanicError) Unwrap() error {
	if p == nil {
		return nil
	}
	err, _ := p.Value.(error)
	return err
}

// explained returns what says of a panic in a task where it was.
func (j *job) explained(task int, value any) *PanicError {
	if p := &j.part; p.runs < len(p.names) {
		return PanicOf(p.names[p.runs], value)
	}
	return PanicOf(fmt.Sprint("task ", task), value)
}

// PanicOf returns what says of a panic where it was, for functions that recover: what panicked, by
// its name, the value, and its stack, or that of the PanicError that it is.
func PanicOf(name string, value any) *PanicError {
	if inner, ok := value.(*PanicError); ok {
		return &PanicError{Name: name, Value: value, Stack: inner.Stack}
	}
	return &PanicError{Name: name, Value: value, Stack: StackOfPanic()}
}

// StackOfPanic returns the stack of the goroutine, without what has run since the panic, for
// functions that recover.
func StackOfPanic() string {
	const most = 64 << 10
	text := make([]byte, most)
	stack := string(text[:runtime.Stack(text, false)])
	if _, below, ok := strings.Cut(stack, "\npanic("); ok {
		if lines := strings.SplitN(below, "\n", 3); len(lines) == 3 {
			return lines[2] // without the call of panic and its place
		}
	}
	return stack
}

// stampAll stamps the rows that a task may have written. It runs after all tasks, because
// neighbouring tasks share stamps at their border.
func (j *job) stampAll(p *part) {
	j.walks.From, j.walks.To = p.first, p.end
	if p.end == 0 {
		j.walks.To = math.MaxUint32
	}
	for i, q := range p.allowed {
		if p.walked>>(i&63)&1 != 0 && j.planOf(q).Writes() {
			j.walk(q, 0, func(Batch) bool { return true })
			j.planOf(q).StampLists()
		}
	}
	j.walks.From, j.walks.To = 0, math.MaxUint32
}

// Conflict returns a field that one of two lists of queries writes and the other one uses, if any.
// Systems that walk them must not run in parallel.
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

// Workers are goroutines that run tasks. With nil Workers, tasks run one after the other. The
// caller of [RunTasks] works on the tasks too and never waits for an idle worker, so several
// goroutines may use the same Workers at once, and a task may run tasks of another world on them.
type Workers struct{ pool work.Pool }

// maxWorkers is the largest number of goroutines of Workers.
const maxWorkers = 1 << 12

// NewWorkers returns n goroutines, at least one, counting the caller's as one. It panics if n is
// more than 4,096.
func NewWorkers(n int) *Workers {
	if n > maxWorkers {
		panic(fmt.Sprintf("flatecs: NewWorkers(%d): the most is %d; use one per processor", n,
			maxWorkers))
	}
	w := &Workers{}
	w.pool.Start(n)
	return w
}

// SetPatience has goroutines without work look for some for so long before they sleep; 0, as they
// are made, is not at all. To wake one takes up to .1 ms, which is much for the phases of a frame.
// A goroutine that looks keeps a processor: after its last task it takes up to d more of it, at
// the end of each frame and between phases. That suits a program with one world and processors to
// spare, as a game on a desktop; 1 ms holds a frame together. It does not suit a server with many
// rooms, or a battery. One processor is always left to others, so with GOMAXPROCS 1 and in a
// browser nobody looks. Nil Workers have no patience.
func (w *Workers) SetPatience(d time.Duration) {
	if w != nil {
		w.pool.SetPatience(d)
	}
}

// Close ends the goroutines. Closing twice is allowed.
func (w *Workers) Close() {
	if w != nil {
		w.pool.Close()
	}
}

// Count returns the number of goroutines that run tasks, including the caller's.
func (w *Workers) Count() int {
	if w == nil {
		return 1
	}
	return w.pool.Count()
}
