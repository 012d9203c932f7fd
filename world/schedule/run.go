package schedule

import (
	"fmt"
	"slices"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

const (
	splitParts  = 16   // parts of a split job, within the limits below
	leastBlocks = 16   // blocks of 64 objects in a part, if there are as many
	mostBlocks  = 1024 // the most
	fuseBlocks  = 64   // blocks per turn of fused jobs: 4,096 rows, which fit into caches
)

// A phase is the work of one tick, in parallel: one strand, or the elements of a Merge group.
type phase struct {
	strands []strand
	merged  bool
	tasks   []systems.Task // a part of a strand each, for a number of blocks
	blocks  uint32
	pace    systems.Pace // of the parts of a single strand
}

// A strand is jobs that run one after the other: one job, Local neighbours that take turns on the
// same objects, or an element of a Merge group.
type strand struct {
	jobs  []*job
	run   []func(world.State) world.State
	names []string // of run, for panics
	lists []world.Query
}

// flatten appends the phases of a node.
func (s *phases) flatten(n *node) {
	switch {
	case n.job != nil:
		s.appendJob(n.job)
	case n.link == Concat:
		for _, m := range n.nodes {
			s.flatten(m)
		}
	default:
		g := phase{merged: true}
		for _, m := range n.nodes {
			g.strands = append(g.strands, strandOf(m.all()...))
		}
		s.list = append(s.list, g)
	}
}

// appendJob appends a phase of one job, or fuses the job with the phase before.
func (s *phases) appendJob(j *job) {
	if n := len(s.list); n > 0 && j.Local && s.list[n-1].local() {
		s.list[n-1].strands[0].add(j)
		return
	}
	s.list = append(s.list, phase{strands: []strand{strandOf(j)}})
}

// local reports whether a Local job may join a phase.
func (g *phase) local() bool { return !g.merged && g.strands[0].local() }

func strandOf(jobs ...*job) (t strand) {
	for _, j := range jobs {
		t.add(j)
	}
	return t
}

func (t *strand) add(j *job) {
	t.jobs = append(t.jobs, j)
	t.run = append(t.run, j.step)
	t.names = append(t.names, j.title())
	t.lists = append(t.lists, j.Queries...)
}

// local reports whether all jobs of a strand are Local.
func (t *strand) local() bool {
	return !slices.ContainsFunc(t.jobs, func(j *job) bool { return !j.Local })
}

// split reports whether a strand may be cut into parts.
func (t *strand) split() bool { return len(t.jobs) == 1 && t.jobs[0].Split || t.local() }

// Run takes the world through a pipeline once. Each phase is one tick. It returns the error of a
// job's Do, with the job's name, after which no later job has run, or an error that wraps
// [ErrNoPipeline]. If a job's Run panics, Run panics with a [*systems.PanicError], which has the
// job's name and stack. Jobs may run other worlds through pipelines of the same schedule.
func (s *Schedule) Run(state world.State, pipeline string) (world.State, error) {
	plan := program.There(s, noSchedule).plans[pipeline]
	if plan == nil {
		return state, scheduleError(ErrNoPipeline, pipeline)
	}
	p := plan.claim(s.parts)
	defer plan.release(p)
	p.start(s)
	for i := range p.list {
		var err error
		if state, err = p.list[i].do(world.Advance(state), s); err != nil {
			return state, fmt.Errorf("schedule: pipeline %q: %w", pipeline, err)
		}
	}
	return state, nil
}

// title names a job in texts.
func (j *job) title() string { return fmt.Sprintf("job %q", j.Name) }

// start prepares the jobs for a run.
func (s *phases) start(by *Schedule) {
	if by.Clock != nil {
		for _, j := range s.jobs {
			j.times.last.Store(0)
		}
	}
	if s.started {
		return
	}
	for _, j := range s.jobs {
		j.by, j.labelled = by, label(j.Name)
	}
	s.started = true
}

// step calls Run, with the job's label.
func (j *job) step(state world.State) world.State {
	if !j.on {
		return state
	}
	setLabel(j.labelled)
	if j.by.Clock == nil && j.by.Trace == nil {
		state = j.Run(state)
	} else {
		state, _ = j.watched(state, func(s world.State) (world.State, error) {
			return j.Run(s), nil
		})
	}
	clearLabel()
	return state
}

// watched calls Run or Do with the schedule's Trace and Clock.
func (j *job) watched(
	state world.State, call func(world.State) (world.State, error),
) (world.State, error) {
	if clock := j.by.Clock; clock != nil {
		start := clock()
		defer func() {
			end := clock()
			j.times.last.Add(int64(end - start))
			j.times.total.Add(int64(end - start))
			if j.by.Span != nil {
				j.by.Span(j.Name, start, end)
			}
		}()
	}
	if j.by.Trace == nil {
		return call(state)
	}
	after := j.by.Trace(&j.Job, state)
	next, err := call(state)
	after(next)
	return next, err
}

func (g *phase) do(state world.State, s *Schedule) (world.State, error) {
	switch {
	case !g.on(state, s.Clock != nil):
		return state, nil
	case g.strands[0].jobs[0].Do != nil:
		return g.strands[0].jobs[0].do(state)
	}
	g.cut(uint32(tool.MaxUID(state)+63) / 64)
	switch {
	case s.Trace != nil, !g.merged && len(g.tasks) == 1:
		return systems.RunTasks(state, nil, g.tasks), nil
	case g.merged:
		return systems.RunTasks(state, s.workers, g.tasks), nil
	}
	return g.pace.RunTasks(state, s.workers, g.tasks), nil
}

// on calls When of all jobs of a phase, and reports whether a job runs. It counts the runs if times
// are recorded.
func (g *phase) on(state world.State, counted bool) (on bool) {
	for _, t := range g.strands {
		for _, j := range t.jobs {
			j.on = j.When == nil || j.When(state)
			if on = on || j.on; j.on && counted {
				j.times.runs.Add(1)
			}
		}
	}
	return on
}

// do runs a job with Do.
func (j *job) do(state world.State) (world.State, error) {
	setLabel(j.labelled)
	defer clearLabel()
	next, err := j.watched(state, j.Do)
	if err != nil {
		return next, fmt.Errorf("%s: %w", j.title(), err)
	}
	return program.Kept(state, next, "schedule: job ", j.Name), nil
}

// size returns the number of blocks per part: the first job's choice, or a number that gives enough
// parts to keep several goroutines busy. It does not depend on the number of goroutines, since
// recorded ids contain the numbers of tasks.
func (t *strand) size(blocks uint32) uint32 {
	if p := t.jobs[0].Part; p > 0 {
		return uint32(min(p, mostBlocks))
	}
	return min(max((blocks+splitParts-1)/splitParts, leastBlocks), mostBlocks)
}

// cut creates the tasks of a phase for a world of blocks blocks.
func (g *phase) cut(blocks uint32) {
	if g.tasks != nil && g.blocks == blocks {
		return // the same as in the previous run
	}
	g.tasks, g.blocks = g.tasks[:0], blocks
	for i := range g.strands {
		g.part(&g.strands[i], blocks)
	}
}

// part appends the tasks of a strand: one, or one per part of the objects, by their numbers only.
func (g *phase) part(t *strand, blocks uint32) {
	task := systems.Task{Run: t.run, Names: t.names, Queries: t.lists}
	if len(t.jobs) > 1 && t.local() {
		task.Fuse = fuseBlocks
	}
	if !t.split() || blocks == 0 {
		g.tasks = append(g.tasks, task)
		return
	}
	size := t.size(blocks)
	for ; task.First < blocks; task.First += size {
		task.End = min(task.First+size, blocks)
		g.tasks = append(g.tasks, task)
	}
}

// Times returns how long the jobs of a pipeline ran, in the order in which they were registered. It
// returns nothing if the schedule has no Clock.
func (s *Schedule) Times(pipeline string) []JobTime { return s.AppendTimes(nil, pipeline) }

// AppendTimes appends the result of Times to dst.
func (s *Schedule) AppendTimes(dst []JobTime, pipeline string) []JobTime {
	p := program.There(s, noSchedule).plans[pipeline]
	if p == nil || s.Clock == nil {
		return dst
	}
	for _, j := range p.jobs {
		t := j.times
		dst = append(dst, JobTime{
			j.Name, int(t.runs.Load()), time.Duration(t.last.Load()), time.Duration(t.total.Load()),
		})
	}
	return dst
}
