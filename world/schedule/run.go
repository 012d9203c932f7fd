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
	leastBlocks = 64   // blocks of 64 objects in a part, if there are as many
	mostBlocks  = 1024 // the most
	splitFrom   = 4    // number of parts from which other goroutines are woken
	fuseBlocks  = 64   // blocks per turn of fused jobs: 4,096 rows, which fit into caches
)

// A phase is a set of jobs of a pipeline that run in parallel: one job, fused Local neighbours, or
// the elements of a merge group.
type phase struct {
	all   []*job         // all jobs of the phase
	jobs  []*job         // the job, or the fused ones
	tasks []systems.Task // one per element of a merge group, or part of a split job
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
		var g phase
		for _, m := range n.nodes {
			var t systems.Task
			for _, j := range m.all() {
				t.Run = append(t.Run, func(s world.State) world.State { return j.call(s) })
				t.Names = append(t.Names, j.title())
				t.Queries = append(t.Queries, j.Queries...)
				g.all = append(g.all, j)
			}
			g.tasks = append(g.tasks, t)
		}
		s.list = append(s.list, g)
	}
}

// appendJob appends a phase of one job, or fuses the job with the phase before.
func (s *phases) appendJob(j *job) {
	if n := len(s.list); n > 0 && j.Local && s.list[n-1].local() {
		s.list[n-1].add(j)
		return
	}
	var g phase
	g.add(j)
	s.list = append(s.list, g)
}

func (g *phase) add(j *job) {
	g.all, g.jobs = append(g.all, j), append(g.jobs, j)
	g.run = append(g.run, func(s world.State) world.State { return j.call(s) })
	g.names = append(g.names, j.title())
	g.lists = append(g.lists, j.Queries...)
}

func (g *phase) local() bool { return len(g.jobs) > 0 && g.jobs[len(g.jobs)-1].Local }

func (g *phase) split() bool { return len(g.jobs) > 0 && (g.jobs[0].Split || g.jobs[0].Local) }

// Run takes the world through a pipeline once. Each phase is one tick. The error is that of a job's
// Do, with the job's name, and no later job has run; or it wraps [ErrNoPipeline]. Where a job's Run
// panics, Run panics with a [*systems.TaskPanic], which has the job's name and stack. Jobs may run
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
		state = j.timed(s, state)
		clearLabel()
		return state
	}
}

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
	on := false
	for _, j := range g.all {
		if j.on = j.When == nil || j.When(state); j.on {
			j.times.runs.Add(1)
			on = true
		}
	}
	switch {
	case !on:
		return state, nil
	case len(g.jobs) == 1 && g.jobs[0].Do != nil:
		return g.jobs[0].do(state, s)
	}
	workers := s.workers
	if len(g.jobs) > 0 {
		if g.split() || len(g.tasks) == 0 {
			g.part(state)
		}
		if len(g.tasks) < splitFrom {
			workers = nil
		}
	}
	return systems.RunTasks(state, workers, g.tasks), nil
}

// do runs a job with Do.
func (j *job) do(state world.State, s *Schedule) (world.State, error) {
	setLabel(j.labelled)
	defer clearLabel()
	if s.Clock != nil {
		start := s.Clock()
		defer func() { j.note(int64(s.Clock() - start)) }()
	}
	next, err := j.Do(state)
	if err != nil {
		return next, fmt.Errorf("%s: %w", j.title(), err)
	}
	return program.Kept(state, next, "schedule: job ", j.Name), nil
}

// size returns the number of blocks per part: what the first job asks for, or what makes as many
// parts as keep some goroutines busy. It does not depend on the number of goroutines, since tasks
// are numbered in recorded ids.
func (g *phase) size(blocks uint32) uint32 {
	if p := g.jobs[0].Part; p > 0 {
		return uint32(min(p, mostBlocks))
	}
	return min(max((blocks+splitParts-1)/splitParts, leastBlocks), mostBlocks)
}

// part cuts the objects into the parts for the jobs of a phase, by their numbers only.
func (g *phase) part(state world.State) {
	blocks := uint32(tool.MaxUID(state)+63) / 64
	n, size := 1, uint32(0)
	if g.split() {
		size = g.size(blocks)
		n = int((blocks + size - 1) / size)
	}
	n = max(n, 1)
	g.tasks = slices.Grow(g.tasks[:0], n)[:n]
	for i := range g.tasks {
		first := uint32(i) * size
		t := systems.Task{Run: g.run, Names: g.names, Queries: g.lists, First: first}
		if size > 0 {
			t.End = min(first+size, blocks)
		}
		if len(g.jobs) > 1 {
			t.Fuse = fuseBlocks
		}
		g.tasks[i] = t
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
