package schedule

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

const (
	splitParts  = 16   // parts of a split job, as far as the next two allow it
	leastBlocks = 16   // blocks of 64 objects in a part, if there are as many
	mostBlocks  = 1024 // the most
	fuseBlocks  = 64   // blocks per turn of fused jobs: 4,096 rows, which fit into caches
)

// A phase is what runs in parallel in a tick: one strand, or the elements of a Merge group.
type phase struct {
	strands []strand
	merged  bool
	tasks   []systems.Task // a part of a strand each
	pace    systems.Pace   // of the parts of one strand
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
	t.run = append(t.run, func(s world.State) world.State { return j.call(s) })
	t.names = append(t.names, j.title())
	t.lists = append(t.lists, j.Queries...)
}

// local reports whether all jobs of a strand are Local.
func (t *strand) local() bool {
	return !slices.ContainsFunc(t.jobs, func(j *job) bool { return !j.Local })
}

// split reports whether a strand may be cut into parts.
func (t *strand) split() bool { return len(t.jobs) == 1 && t.jobs[0].Split || t.local() }

// Run takes the world through a pipeline once. Each phase is one tick. The error is that of a job's
// Do, with the job's name, and no later job has run; or it wraps [ErrNoPipeline]. Where a job's Run
// panics, Run panics with a [*systems.PanicError], which has the job's name and stack. Jobs may run
// other worlds through pipelines of the same schedule.
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
	for _, j := range s.jobs {
		j.times.last.Store(0)
		if j.labelled == nil {
			j.labelled = label(j.Name)
		}
		if j.call == nil && j.Run != nil {
			j.call = j.wrap(by)
		}
	}
}

// wrap returns Run with the job's label and clock.
func (j *job) wrap(s *Schedule) func(world.State) world.State {
	return func(state world.State) world.State {
		if !j.on {
			return state
		}
		setLabel(j.labelled)
		after := j.trace(s, state)
		state = j.timed(s, state)
		after(state)
		clearLabel()
		return state
	}
}

func (j *job) trace(s *Schedule, state world.State) (after func(world.State)) {
	if s.Trace == nil {
		return untraced
	}
	return s.Trace(&j.Job, state)
}

func untraced(world.State) {}

func (j *job) timed(s *Schedule, state world.State) world.State {
	if s.Clock == nil {
		return j.Run(state)
	}
	start := s.Clock()
	state = j.Run(state)
	j.note(int64(s.Clock() - start))
	return state
}

func (j *job) note(nanoseconds int64) {
	j.times.last.Add(nanoseconds)
	j.times.total.Add(nanoseconds)
}

func (g *phase) do(state world.State, s *Schedule) (world.State, error) {
	switch {
	case !g.on(state):
		return state, nil
	case g.strands[0].jobs[0].Do != nil:
		return g.strands[0].jobs[0].do(state, s)
	}
	g.tasks = g.tasks[:0]
	for i := range g.strands {
		g.part(&g.strands[i], state)
	}
	switch {
	case s.Trace != nil, !g.merged && len(g.tasks) == 1:
		return systems.RunTasks(state, nil, g.tasks), nil
	case g.merged:
		return systems.RunTasks(state, s.workers, g.tasks), nil
	}
	return g.pace.RunTasks(state, s.workers, g.tasks), nil
}

// on asks all jobs of a phase whether they run, and reports whether one does.
func (g *phase) on(state world.State) (on bool) {
	for _, t := range g.strands {
		for _, j := range t.jobs {
			if j.on = j.When == nil || j.When(state); j.on {
				j.times.runs.Add(1)
				on = true
			}
		}
	}
	return on
}

// do runs a job with Do.
func (j *job) do(state world.State, s *Schedule) (world.State, error) {
	setLabel(j.labelled)
	defer clearLabel()
	if s.Clock != nil {
		start := s.Clock()
		defer func() { j.note(int64(s.Clock() - start)) }()
	}
	after := j.trace(s, state)
	next, err := j.Do(state)
	after(next)
	if err != nil {
		return next, fmt.Errorf("%s: %w", j.title(), err)
	}
	return program.Kept(state, next, "schedule: job ", j.Name), nil
}

// size returns the number of blocks per part: what the first job asks for, or what makes as many
// parts as keep some goroutines busy. It does not depend on the number of goroutines, since tasks
// are numbered in recorded ids.
func (t *strand) size(blocks uint32) uint32 {
	if p := t.jobs[0].Part; p > 0 {
		return uint32(min(p, mostBlocks))
	}
	return min(max((blocks+splitParts-1)/splitParts, leastBlocks), mostBlocks)
}

// part appends the tasks of a strand: one, or one per part of the objects, by their numbers only.
func (g *phase) part(t *strand, state world.State) {
	task := systems.Task{Run: t.run, Names: t.names, Queries: t.lists}
	if len(t.jobs) > 1 && t.local() {
		task.Fuse = fuseBlocks
	}
	blocks := uint32(tool.MaxUID(state)+63) / 64
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
			j.Name, int(t.runs.Load()), duration(t.last.Load()), duration(t.total.Load()),
		})
	}
	return dst
}
