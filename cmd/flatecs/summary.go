package main

import (
	"fmt"
	"io"
	"time"
)

// summary is what a run has cost.
type summary struct {
	act       int
	frames    uint64
	live      int
	bytes     int
	systems   [systemCount]cost
	allocated uint64 // in all frames together
}

type cost struct {
	runs    uint64
	objects uint64 // per run
	spent   time.Duration
}

func (h *heroes) summary(played uint64, act act, m *meter) summary {
	live := uint64(act.live())
	s := summary{act: h.Act, frames: played, live: act.live(), bytes: act.size()}
	s.allocated = m.allocated
	s.systems[createState] = cost{runs: 1, objects: live}
	s.systems[update] = cost{runs: played, objects: live}
	s.systems[renderOneByOne] = cost{runs: played, objects: uint64(h.Supers)}
	s.systems[renderInstances] = cost{runs: played, objects: uint64(h.Heroes)}
	for i := range s.systems {
		s.systems[i].spent = m.spent[i]
	}
	return s
}

func (s summary) print(out io.Writer) {
	line := func(name, format string, values ...any) {
		_, _ = fmt.Fprintf(out, "%-16s "+format+"\n", append([]any{name}, values...)...)
	}
	line("act", "%d", s.act)
	line("frames", "%d", s.frames)
	line("game objects", "%d", s.live)
	line("world", "%d bytes", s.bytes)
	for i, c := range s.systems {
		line(systemNames[i], "%s", c)
	}
	_, _ = fmt.Fprintln(out, s.allocations())
}

// String tells the cost of one object in one run.
func (c cost) String() string {
	n := float64(c.runs) * float64(c.objects)
	if n == 0 {
		return "nothing to do"
	}
	spent := float64(c.spent.Nanoseconds())
	return fmt.Sprintf("%.3g ns per object (%d objects)", spent/n, c.objects)
}

// allocations rounds down as testing.AllocsPerRun does, since the Go runtime allocates now and then
// for itself, but it does not hide what it leaves out.
func (s summary) allocations() string {
	if s.frames == 0 || s.allocated%s.frames == 0 {
		return fmt.Sprintf("%d allocations per frame", s.allocated/max(s.frames, 1))
	}
	return fmt.Sprintf("%d allocations per frame (%d in %d frames)",
		s.allocated/s.frames, s.allocated, s.frames)
}
