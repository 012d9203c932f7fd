package schedule

import (
	"errors"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A Job is a system with a name in a [Schedule]. It has either Run or Do.
type Job struct {
	Name string

	// Run is a system that walks nothing but Queries and records changes of structure as
	// [world.Commands]; so it may run beside others.
	Run     func(world.State) world.State
	Queries []world.Query

	// Do may do anything, on its own. [world.Apply] is one.
	Do func(world.State) (world.State, error)

	When func(world.State) bool // asked before each run, with the whole world; nil: always

	// Split says that Run may be called on parts of the objects, side by side. In a Merge group it
	// is called on all of them.
	Split bool

	// Local is Split for a Run that touches no components but those of the object at hand: with
	// neighbours that are Local too it works on one part of the objects after the other, while they
	// are in the cache.
	Local bool
}

// A Link says how the elements of a group follow each other.
type Link uint8

// Links of a group.
const (
	Concat Link = iota // one after the other
	Merge              // side by side
)

// A Group is a part of a pipeline: jobs and other groups by name.
type Group struct {
	Name     string
	Link     Link
	Elements []string
}

// An Insert puts a job or group before or after an element that a group has already, of the same or
// of another module.
type Insert struct {
	Element string
	Before  string // one of these two
	After   string
}

// A Pipeline is what one module adds to a pipeline of a name: groups, jobs, and where they go. The
// first group that any module gives is the whole.
type Pipeline struct {
	Name    string
	Groups  []Group
	Jobs    []Job
	Inserts []Insert
}

// A Schedule runs pipelines, which modules make together, by name.
type Schedule struct {
	// Clock tells the time since any moment, from several goroutines at once. Without one no times
	// are kept.
	Clock func() time.Duration

	parts   []Pipeline
	plans   map[string]*phases
	workers *systems.Workers
}

// Errors of schedules. They come wrapped with the pipeline's and the elements' names.
//
//nolint:revive,staticcheck // sentences, as users of other libraries know them
var (
	ErrNoPipeline  = errors.New("System used before registered.")
	ErrJobTwice    = errors.New("Registering system more than once.")
	ErrGroupTwice  = errors.New("Registering group more than once.")
	ErrNoElement   = errors.New("No group and no job has this name.")
	ErrUnplaced    = errors.New("No group holds this job or group.")
	ErrPlacedTwice = errors.New("An element is placed more than once.")
	ErrCycle       = errors.New("A group holds itself.")
	ErrSideBySide  = errors.New("These jobs may not run side by side.")
	ErrJob         = errors.New("A job needs a name, and either Run or Do.")
	ErrNoGroup     = errors.New("A pipeline needs a group; its first one is the whole.")
	ErrInsert      = errors.New("An insert needs an element, and either Before or After.")
)

// New returns a schedule without pipelines that runs jobs on a number of goroutines, the
// caller's among them. Close it when it is not needed any more.
func New(workers int) *Schedule {
	s := &Schedule{plans: map[string]*phases{}}
	if workers > 1 {
		s.workers = systems.NewWorkers(workers)
	}
	return s
}

// Close ends the schedule's goroutines.
func (s *Schedule) Close() {
	if program.There(s, noSchedule).workers != nil {
		s.workers.Close()
		s.workers = nil
	}
}

// Register adds to pipelines. When an error comes back, nothing was added: it wraps one of this
// file's errors and names the elements.
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

// Unregister takes a pipeline away, all that modules added to it. The error wraps [ErrNoPipeline].
func (s *Schedule) Unregister(pipeline string) error {
	if program.There(s, noSchedule).plans[pipeline] == nil {
		return scheduleError(ErrNoPipeline, pipeline)
	}
	var rest []Pipeline
	for _, p := range s.parts {
		if p.Name != pipeline {
			rest = append(rest, p)
		}
	}
	delete(s.plans, pipeline)
	s.parts = rest
	return nil
}

// A JobTime is how long a job ran.
type JobTime struct {
	Name  string
	Runs  int           // of the pipeline, in which its condition held
	Last  time.Duration // of the last run, over the calls on all parts of the objects
	Total time.Duration
}

const noSchedule = "schedule: this Schedule is nil; make one by New"
