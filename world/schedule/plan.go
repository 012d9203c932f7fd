package schedule

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/systems"
)

// A node is a resolved element of a pipeline: a job, or a group.
type node struct {
	name  string
	link  Link
	nodes []*node // of a group
	job   *job    // nil: a group
}

// A job is a Job that is ready to run.
type job struct {
	Job
	labelled labels // of profiles, created once
	by       *Schedule
	on       bool      // When returned true in this run
	times    *jobTimes // of all runs
}

// jobTimes counts the runs of a job and their time.
type jobTimes struct {
	runs  atomic.Int64
	last  atomic.Int64 // nanoseconds
	total atomic.Int64
}

// phases is a pipeline that is ready to run.
type phases struct {
	name  string
	root  *node
	jobs  []*job
	list  []phase
	mutex sync.Mutex
	idle  []*phases // the pipeline and its twins that are not running

	started bool // the jobs are ready to run
}

// claim returns the pipeline, or a twin if it is running: tasks may step other worlds with the
// schedule that runs the tasks.
func (s *phases) claim(parts []Pipeline) *phases {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if n := len(s.idle); n > 0 {
		twin := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return twin
	}
	twin, err := newPhases(s.name, parts)
	if err != nil {
		panic(err) // the same parts were built before
	}
	for i, j := range twin.jobs {
		j.times = s.jobs[i].times
	}
	return twin
}

// release returns a pipeline that claim returned.
func (s *phases) release(twin *phases) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.idle = append(s.idle, twin)
}

// A builder combines the parts of all modules.
type builder struct {
	pipeline string
	groups   map[string]*Group
	jobs     map[string]*job
	order    []string // names of groups and jobs in order of registration
	placed   map[string]bool
}

func scheduleError(err error, pipeline string, names ...string) error {
	where := fmt.Sprintf("pipeline %q", pipeline)
	if len(names) > 0 {
		where += fmt.Sprintf(", %q", names)
	}
	if errors.Is(err, ErrNoPipeline) || errors.Is(err, ErrJobTwice) {
		return fmt.Errorf("schedule: %s: %w Register each name once, before its use", where, err)
	}
	return fmt.Errorf("schedule: %s: %w", where, err)
}

// newPhases builds the pipeline with a name.
func newPhases(name string, parts []Pipeline) (*phases, error) {
	b := &builder{name, map[string]*Group{}, map[string]*job{}, nil, map[string]bool{}}
	var inserts []Insert
	var first string
	for _, p := range parts {
		if p.Name != name {
			continue
		}
		if err := b.collect(p); err != nil {
			return nil, err
		}
		if first == "" && len(p.Groups) > 0 {
			first = p.Groups[0].Name
		}
		inserts = append(inserts, p.Inserts...)
	}
	if first == "" {
		return nil, scheduleError(ErrNoGroup, name)
	}
	if err := b.insert(inserts); err != nil {
		return nil, err
	}
	root, err := b.node(first, nil)
	if err != nil {
		return nil, err
	}
	for _, element := range b.order {
		if !b.placed[element] {
			return nil, scheduleError(ErrUnplaced, name, element)
		}
	}
	s := &phases{name: name, root: root}
	s.idle = []*phases{s}
	s.flatten(root)
	for _, element := range b.order {
		if j := b.jobs[element]; j != nil {
			s.jobs = append(s.jobs, j)
		}
	}
	return s, nil
}

// collect adds the groups and jobs of one module.
func (b *builder) collect(p Pipeline) error {
	for _, g := range p.Groups {
		if b.groups[g.Name] != nil || b.jobs[g.Name] != nil {
			return scheduleError(ErrGroupTwice, b.pipeline, g.Name)
		}
		g.Elements = slices.Clone(g.Elements)
		b.groups[g.Name] = &g
		b.order = append(b.order, g.Name)
	}
	for _, given := range p.Jobs {
		switch {
		case given.Name == "" || (given.Run == nil) == (given.Do == nil):
			return scheduleError(ErrJob, b.pipeline, given.Name)
		case b.groups[given.Name] != nil || b.jobs[given.Name] != nil:
			return scheduleError(ErrJobTwice, b.pipeline, given.Name)
		}
		b.jobs[given.Name] = &job{Job: given, times: new(jobTimes)}
		b.order = append(b.order, given.Name)
	}
	return nil
}

// insert puts elements before and after others. Inserts that depend on each other may come in any
// order.
func (b *builder) insert(inserts []Insert) error {
	for _, i := range inserts {
		if i.Element == "" || (i.Before == "") == (i.After == "") {
			return scheduleError(ErrInsert, b.pipeline, i.Element)
		}
	}
	for len(inserts) > 0 {
		waiting := inserts[:0:0]
		for _, i := range inserts {
			if !b.insertOne(i) {
				waiting = append(waiting, i)
			}
		}
		if len(waiting) == len(inserts) {
			return scheduleError(ErrNoElement, b.pipeline, inserts[0].Before+inserts[0].After)
		}
		inserts = waiting
	}
	return nil
}

func (b *builder) insertOne(i Insert) bool {
	for _, name := range b.order {
		g := b.groups[name]
		if g == nil {
			continue
		}
		for at, element := range g.Elements {
			if element == i.Before || element == i.After {
				if element == i.After {
					at++
				}
				g.Elements = append(g.Elements, "") // slices.Insert would add 4 kB to a page
				copy(g.Elements[at+1:], g.Elements[at:])
				g.Elements[at] = i.Element
				return true
			}
		}
	}
	return false
}

// node resolves the group or job with a name. around are the groups that contain it.
func (b *builder) node(name string, around []string) (*node, error) {
	switch {
	case slices.Contains(around, name):
		return nil, scheduleError(ErrCycle, b.pipeline, append(around, name)...)
	case b.placed[name]:
		return nil, scheduleError(ErrPlacedTwice, b.pipeline, name)
	}
	g, j := b.groups[name], b.jobs[name]
	if g == nil && j == nil {
		return nil, scheduleError(ErrNoElement, b.pipeline, name)
	}
	b.placed[name] = true
	n := &node{name: name, job: j}
	if g == nil {
		return n, nil
	}
	n.link = g.Link
	for _, element := range g.Elements {
		e, err := b.node(element, append(slices.Clone(around), name))
		if err != nil {
			return nil, err
		}
		n.nodes = append(n.nodes, e)
	}
	if n.link == Merge {
		return n, b.sideBySide(n.nodes)
	}
	return n, nil
}

// sideBySide checks that no two of the nodes interfere.
func (b *builder) sideBySide(nodes []*node) error {
	for i, n := range nodes {
		for _, m := range nodes[:i] {
			for _, p := range m.all() {
				for _, q := range n.all() {
					if err := b.mayMeet(p, q); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

func (b *builder) mayMeet(p, q *job) error {
	if p.Do != nil || q.Do != nil {
		return fmt.Errorf("%w: one of them may do anything",
			scheduleError(ErrSideBySide, b.pipeline, p.Name, q.Name))
	}
	if f, conflict := systems.Conflict(p.Queries, q.Queries); conflict {
		return fmt.Errorf("%w: one writes field %q of kind %q, and the other asks for it",
			scheduleError(ErrSideBySide, b.pipeline, p.Name, q.Name), f.Name, f.Kind.Name)
	}
	return nil
}

// all returns the jobs of a node, in order.
func (n *node) all() (jobs []*job) {
	if n.job != nil {
		return []*job{n.job}
	}
	for _, m := range n.nodes {
		jobs = append(jobs, m.all()...)
	}
	return jobs
}
