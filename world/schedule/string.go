package schedule

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/flatecs/flatecs/world/internal/program"
)

func duration(nanoseconds int64) time.Duration { return time.Duration(nanoseconds) }

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
	sort.Stable(sort.StringSlice(names)) // its code is there already
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

// dot draws a node after the jobs that end before it, and returns those that it ends in.
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
