package schedule

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A Job is a system with a name in a [Schedule]. It has either Run or Do.
type Job struct {
	Name string

	// Run is a system that walks only Queries and records changes of structure as [world.Commands],
	// so that it may run in parallel with others. Unless it is Split or Local, it may also write by
	// id ([world.WriterOf]) the fields that Queries write, and walk trees.
	Run     func(world.State) world.State
	Queries []world.Query // that Run walks, or that name fields that Run reads by id

	// Do may do anything, and runs alone. [world.Apply] is an example.
	Do func(world.State) (world.State, error)

	When func(world.State) bool // called before each run, with the whole world; nil: always run

	// Split says that Run may be called on parts of the objects, in parallel. In a group that is an
	// element of a Merge group, only neighbours that are all Local are split.
	Split bool

	// Part is the number of blocks of 64 objects in a part of a Split job; 0 stands for a 16th of
	// the world's blocks, but at least 16 and at most 1,024. Choose fewer if Run takes long for
	// each object. The bytes of the world do not depend on it.
	Part int

	// Local is Split for a Run that accesses only components of the current object. Consecutive
	// Local jobs take turns on the same part of the objects while it is in the cache.
	Local bool
}

// A Link says how the elements of a group are run.
type Link uint8

// Links of a group.
const (
	Concat Link = iota // one after the other
	Merge              // in parallel
)

// A Group is a part of a pipeline: jobs and other groups by name.
type Group struct {
	Name     string
	Link     Link
	Elements []string
}

// An Insert puts a job or group before or after an element of a group, of the same module or
// another one.
type Insert struct {
	Element string
	Before  string // either Before or After
	After   string
}

// A Pipeline is a module's part of the pipeline with a name: groups, jobs, and inserts. The first
// group that any module adds is the root.
type Pipeline struct {
	Name    string
	Groups  []Group
	Jobs    []Job
	Inserts []Insert
}

// A Schedule runs pipelines by name. Several modules can add to a pipeline.
type Schedule struct {
	// Clock returns the time since a fixed moment. It is called from several goroutines. Without
	// it, no times are recorded.
	Clock func() time.Duration

	// Trace, if it is not nil, is called before each call of a job's Run or Do, and returns a
	// function that is called after it, with the State that the job returned. With Trace, all jobs
	// run on the caller's goroutine, one at a time, which leads to the same bytes. The States are
	// for reading by package systems/tool; they may be States of a task.
	Trace func(j *Job, s world.State) (after func(world.State))

	// Span, if it is not nil and there is a Clock, is called after each call of a job's Run or Do
	// with the times when it began and ended, on the goroutine that ran it.
	Span func(job string, begin, end time.Duration)

	parts   []Pipeline
	plans   map[string]*phases
	workers *systems.Workers
}

// Errors of schedules. They come wrapped with the pipeline's and the elements' names.
//
//nolint:revive,staticcheck // two are sentences, as users of other libraries know them
var (
	ErrNoPipeline  = errors.New("System used before registered.")
	ErrJobTwice    = errors.New("Registering system more than once.")
	ErrGroupTwice  = errors.New("a group has this name already; name each once")
	ErrNoElement   = errors.New("no group and no job has this name; register the part that has it")
	ErrUnplaced    = errors.New("no group holds this job or group; list it in one, or insert it")
	ErrPlacedTwice = errors.New("an element is placed more than once; list it in one group")
	ErrCycle       = errors.New("a group holds itself; take it out of the inner one")
	ErrSideBySide  = errors.New("these jobs may not run side by side; put them one after the other")
	ErrJob         = errors.New("a job has no name, or not one of Run and Do; give it both")
	ErrNoGroup     = errors.New("a pipeline has no group; give one, the first is the whole")
	ErrInsert      = errors.New("an insert lacks an element, Before or After; give it both")
)

// New returns a schedule without pipelines, which runs jobs on workers goroutines, including the
// caller's. Close it after use.
func New(workers int) *Schedule {
	s := &Schedule{plans: map[string]*phases{}}
	if workers > 1 {
		s.workers = systems.NewWorkers(workers)
	}
	return s
}

// Workers returns the schedule's goroutines, for a Do that runs tasks of its own, and for
// [systems.Workers.SetPatience]; nil if there is only the caller's goroutine. They end with the
// schedule.
func (s *Schedule) Workers() *systems.Workers { return program.There(s, noSchedule).workers }

// Close ends the schedule's goroutines.
func (s *Schedule) Close() {
	if program.There(s, noSchedule).workers != nil {
		s.workers.Close()
		s.workers = nil
	}
}

// Register adds to pipelines. If it returns an error, nothing was added; the error wraps one of the
// errors above and names the elements.
func (s *Schedule) Register(parts ...Pipeline) error {
	all := append(append([]Pipeline(nil), program.There(s, noSchedule).parts...), parts...)
	plans := map[string]*phases{}
	for _, p := range all {
		if plans[p.Name] != nil {
			continue
		}
		plan, err := newPhases(p.Name, all)
		if err != nil {
			return err
		}
		plans[p.Name] = plan
	}
	s.parts, s.plans = all, plans
	return nil
}

// A JobTime is the time of a job's runs.
type JobTime struct {
	Name  string
	Runs  int           // runs of the pipeline with a Clock in which When returned true
	Last  time.Duration // of the last run, summed over the parts of the objects
	Total time.Duration
}

const noSchedule = "schedule: this Schedule is nil; make one by New"

// String lists the schedule's pipelines, one element per line.
func (s *Schedule) String() string {
	var b strings.Builder
	for _, name := range s.names() {
		fmt.Fprintf(&b, "pipeline %s\n", name)
		s.plans[name].root.write(&b, "  ")
	}
	return b.String()
}

func (s *Schedule) names() (names []string) {
	for name := range program.There(s, noSchedule).plans {
		names = append(names, name)
	}
	sort.Stable(sort.StringSlice(names)) // slices.Sort would add code
	return names
}

func (n *node) write(b *strings.Builder, indent string) {
	if n.job != nil {
		fmt.Fprintf(b, "%s%s%s\n", indent, n.name, n.job.traits())
		return
	}
	fmt.Fprintf(b, "%s%s (%s)\n", indent, n.name, n.link)
	for _, m := range n.nodes {
		m.write(b, indent+"  ")
	}
}

// traits describes the options of a job.
func (j *job) traits() string {
	traits := ""
	switch {
	case j.Do != nil:
		traits = ", alone"
	case j.Local:
		traits = ", local"
	case j.Split:
		traits = ", split"
	}
	if j.When != nil {
		traits += ", when"
	}
	return traits
}

// String returns the link's name.
func (l Link) String() string {
	if l == Merge {
		return "merge"
	}
	return "concat"
}

// DOT returns a graph of a pipeline for Graphviz, which is empty if the schedule does not have it.
func (s *Schedule) DOT(pipeline string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n\trankdir=LR\n\tnode [shape=box]\n", pipeline)
	if p := program.There(s, noSchedule).plans[pipeline]; p != nil {
		p.root.dot(&b, nil)
	}
	b.WriteString("}\n")
	return b.String()
}

// dot draws a node after the jobs that precede it, and returns its last jobs.
func (n *node) dot(b *strings.Builder, before []string) []string {
	switch {
	case n.job != nil:
		fmt.Fprintf(b, "\t%q\n", n.name)
		for _, from := range before {
			fmt.Fprintf(b, "\t%q -> %q\n", from, n.name)
		}
		return []string{n.name}
	case n.link == Concat:
		for _, m := range n.nodes {
			before = m.dot(b, before)
		}
		return before
	}
	var ends []string
	for _, m := range n.nodes {
		ends = append(ends, m.dot(b, before)...)
	}
	return ends
}
