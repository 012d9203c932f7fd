package systems

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
	"github.com/flatecs/flatecs/systems/internal/walk"
	"github.com/flatecs/flatecs/systems/internal/work"
)

// A Task is one call of a system, on all objects or a range of blocks, that may run in parallel
// with others. It may walk the queries that it lists, and record [Commands]. It may read by id
// fields that no query of another task of the call writes. A task on all objects may also read and
// write by id fields that its own queries write ([WriterOf]). It may not change the structure.
type Task struct {
	Run     []func(State) State // one after the other
	Names   []string            // of Run, for [PanicError]; optional
	Queries []Query             // queries that they may walk
	First   uint32              // first block of 64 objects
	End     uint32              // block after the last one; 0: all
	Fuse    uint32              // call all of Run on this many blocks at a time; 0: on all
}

// A Pace measures how long the tasks of a job take per block of 64 objects. It is part of no world,
// and may be used for several. It belongs to one goroutine.
type Pace struct{ work work.Pace }

// RunTasks is the function [RunTasks] for tasks that take the same time per block, all on part of
// the blocks. It wakes one goroutine per 50 µs of expected work, or per 10 µs if the workers have
// patience, but at most one per processor. The first run wakes all goroutines, and so does a nil
// Pace.
func (p *Pace) RunTasks(s State, w *Workers, tasks []Task) State {
	j := s.use()
	j.mustBeStill()
	for i := range tasks {
		tasks[i].mustHaveFunctions(i)
	}
	side := j.sideBySide(len(tasks))
	side.runAll(j, w, tasks, p)
	if fault := side.set.Fault(); fault != nil {
		panic(*fault)
	}
	return s.done()
}

// RunTasks runs tasks in parallel on workers, and returns when all have ended. Their commands are
// appended to the world's in the order of the tasks, so that the bytes do not depend on the number
// of workers. A panic in a task ends that task alone; when all have ended, RunTasks panics with the
// first one, a [*PanicError]. It panics while a walk is open, if the workers are closed, and if the
// queries of two tasks ask for a field of the same objects and one writes it.
func RunTasks(s State, w *Workers, tasks []Task) State {
	return (*Pace)(nil).RunTasks(s, w, tasks)
}

// A part is the work of a task, and its range of blocks.
type part struct {
	whole            *job // the whole world; nil: the job is the whole
	systems          []func(State) State
	names            []string // of them, or shorter
	runs             int      // which of them
	allowed          []Query  // that the task may walk
	walked           uint64   // a bit per allowed query
	strand           int      // the first task of the same system
	beside           uint64   // kinds that some task may write, by query.MaskOf
	first, end, fuse uint32   // as in a Task
}

// A side is the parts that run in parallel.
type side struct {
	jobs    []*job
	set     work.Set
	run     func(task int) // allocated once, like wrong
	wrong   func(task int, fault any) any
	running bool
	claims  claims
	written query.Written // by their queries, while they run
}

// claims record which task writes rows of which kind by id, so that no two tasks stamp the same
// rows.
type claims struct {
	sync.Mutex
	list []claim
}

type claim struct {
	kind *manager.Manager
	job  *job // of the task
}

// runAll runs tasks of a world, and returns when all have ended.
func (side *side) runAll(j *job, w *Workers, tasks []Task, p *Pace) {
	side.claims.list = side.claims.list[:0]
	j.guard.Turn++ // invalidates the world's State and Writers meanwhile
	j.guard.Shape, side.running = j.guard.Shape+1, true
	defer side.unshare(j)
	side.share(j, tasks)
	defer side.gather(j, len(tasks)) // also if a task ends the goroutine
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

// share gives each part its task, and records which fields tasks may write. Consecutive tasks with
// the same queries are the parts of one system.
func (side *side) share(j *job, tasks []Task) {
	first, written := 0, &side.written
	for i := range tasks {
		t, part := &tasks[i], side.jobs[i]
		if i != first && !slices.Equal(t.Queries, tasks[first].Queries) {
			first = i
		}
		part.part.assign(t, first)
		j.records.commands.Lend(&part.records.commands)
		if i > first {
			continue
		}
		for _, q := range t.Queries {
			written.Add(j.planOf(q), first)
		}
	}
	if len(tasks) > 1 {
		side.mustBeApart(j, tasks)
	}
	for i := range tasks {
		side.jobs[i].part.beside = written.Kinds
	}
	j.walks.Writes = written.Kinds // for Readers opened before
}

// gather appends the commands of n tasks to the world's commands, and stamps the written rows.
func (side *side) gather(j *job, n int) {
	for _, done := range side.jobs[:n] {
		j.records.commands.Append(&done.records.commands)
		j.stampAll(&done.part)
	}
}

// unshare makes the world's State usable again.
func (side *side) unshare(j *job) {
	side.written.Clear()
	j.walks.Writes = 0
	j.guard.Turn--
	j.guard.Shape, side.running = j.guard.Shape-1, false
	for _, task := range side.jobs {
		task.guard.Shape++ // ends its Writers
	}
}

// mustBeApart panics if two tasks use a field of the same objects and one writes it, according to
// their queries, because they run in parallel.
//
//	task        0       1       2        3
//	queries     heat    heat    heat     wear, reads heat
//	blocks      0…64    64…128  100…     all                 2 conflicts with 1, and 3 with all
//	strand      0       0       0        3
func (side *side) mustBeApart(j *job, tasks []Task) {
	for i := range tasks {
		strand := side.jobs[i].part.strand
		if i == strand && side.mayMeet(j, tasks[i].Queries, strand) ||
			i > strand && !tasks[i-1].before(&tasks[i]) && side.writes(j, tasks[i].Queries) {
			side.mustBeApartInPairs(j, tasks)
			return
		}
	}
}

// mayMeet reports whether queries of a strand use a field that another strand writes.
func (side *side) mayMeet(j *job, queries []Query, strand int) bool {
	for _, q := range queries {
		if side.written.Meets(j.planOf(q), strand) {
			return true
		}
	}
	return false
}

// writes reports whether one of queries writes a field.
func (side *side) writes(j *job, queries []Query) bool {
	return slices.ContainsFunc(queries, func(q Query) bool { return j.planOf(q).Writes() })
}

// mustBeApartInPairs panics if two tasks conflict.
func (side *side) mustBeApartInPairs(j *job, tasks []Task) {
	for b := range tasks {
		for a := range b {
			if tasks[a].First >= tasks[b].end() || tasks[b].First >= tasks[a].end() {
				continue
			}
			if f := meeting(j, tasks[a].Queries, tasks[b].Queries); f != nil {
				panic(fmt.Sprintf("flatecs: RunTasks: the queries of tasks %d and %d ask for %s "+
					"of the same objects, and one writes it; run them one after the other, or on "+
					"other blocks", a, b, f))
			}
		}
	}
}

// before reports whether the blocks of t are all before those of next.
func (t *Task) before(next *Task) bool { return t.First <= t.end() && t.end() <= next.First }

// end returns the block after the last one of t.
func (t *Task) end() uint32 {
	if t.End == 0 {
		return math.MaxUint32
	}
	return t.End
}

// meeting returns a field that one of two lists of queries writes and the other one uses, or nil.
func meeting(j *job, a, b []Query) *layout.FieldSpec {
	for _, p := range a {
		for _, q := range b {
			if f := query.Meeting(j.planOf(p), j.planOf(q)); f != nil {
				return f
			}
		}
	}
	return nil
}

// sideBySide returns n or more parts of a world that run in parallel.
func (j *job) sideBySide(n int) *side {
	if j.side == nil {
		made := &side{
			claims: claims{list: make([]claim, 0, 16)}, written: query.MakeWritten(64),
		}
		made.run = func(task int) { made.jobs[task].run() }
		made.wrong = func(i int, fault any) any { return made.jobs[i].part.explained(i, fault) }
		j.side = made
	}
	for i := len(j.side.jobs); i < n; i++ {
		j.side.jobs = append(j.side.jobs, &job{
			world: j.world, finding: j.finding,
			guard: guard{invalid: usedUpState}, part: part{whole: j},
			walks:   walk.Walks{Objects: j.world.arena.Objects, Part: true},
			records: records{commands: j.records.commands.ForTask(i), kinds: &j.world.kinds},
		})
		j.side.jobs[i].finding.written = nil
	}
	return j.side
}

// mustHaveFunctions panics if a function of a task is nil.
func (t *Task) mustHaveFunctions(i int) {
	for _, f := range t.Run {
		if f == nil {
			panic(fmt.Sprintf("flatecs: RunTasks: task %d runs a nil function; "+
				"set it, or leave it out", i))
		}
	}
}

// assign gives a part its task and strand.
func (p *part) assign(t *Task, strand int) {
	p.systems, p.names, p.allowed = t.Run, t.Names, t.Queries
	p.runs, p.walked, p.strand, p.beside = 0, 0, strand, 0
	p.first, p.end, p.fuse = t.First, t.End, t.Fuse
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
			panic("flatecs: a task returned another world; return the State of its last call")
		}
	}
}

// explained returns a description of a panic that names the task and its system.
func (p *part) explained(task int, value any) *PanicError {
	if p.runs < len(p.names) {
		return PanicOf(p.names[p.runs], value)
	}
	return PanicOf(fmt.Sprint("task ", task), value)
}

// stampAll stamps the rows that a task may have written. It runs after all tasks have ended,
// because neighbouring tasks share stamps at their border.
func (j *job) stampAll(p *part) {
	j.walks.From, j.walks.To = p.first, cmp.Or(p.end, math.MaxUint32)
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

// SetPatience sets how long a goroutine without work polls for work before it sleeps; the default
// is 0. Waking a goroutine takes up to 0.1 ms, which is long compared with the phases of a frame. A
// polling goroutine occupies a processor, for up to d after its last task: between phases and at
// the end of each frame. Polling suits a program with one world and idle processors, such as a game
// on a desktop; 1 ms is enough within a frame. It does not suit a server with many rooms, or a
// battery. One processor never polls, so SetPatience has no effect with GOMAXPROCS 1, in a browser,
// and on nil Workers.
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
