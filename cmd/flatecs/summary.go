package main

import (
	"fmt"
	"io"
	"time"
)

// summary is the cost of a run.
type summary struct {
	played    string // "act" or "scene"
	name      string
	frames    uint64
	live      int
	bytes     int
	costs     []cost
	allocated uint64 // in all frames
}

// A cost is the cost of a system.
type cost struct {
	name    string
	runs    uint64
	objects uint64 // per run
	spent   time.Duration
	whole   bool // per run, not per object
}

func (s *summary) print(out io.Writer) {
	line := func(name, format string, values ...any) {
		_, _ = fmt.Fprintf(out, "%-16s "+format+"\n", append([]any{name}, values...)...)
	}
	line(s.played, "%s", s.name)
	line("frames", "%d", s.frames)
	line("game objects", "%d", s.live)
	line("world", "%d bytes", s.bytes)
	for _, c := range s.costs {
		line(c.name, "%s", c)
	}
	_, _ = fmt.Fprintln(out, perFrame(s.allocated, s.frames))
}

// String returns the cost of one object in one run.
func (c cost) String() string {
	if c.whole && c.runs > 0 {
		return fmt.Sprintf("%.3g ms per frame (%d frames)",
			c.spent.Seconds()*1000/float64(c.runs), c.runs)
	}
	n := float64(c.runs) * float64(c.objects)
	if n == 0 {
		return "nothing to do"
	}
	spent := float64(c.spent.Nanoseconds())
	return fmt.Sprintf("%.3g ns per object (%d objects)", spent/n, c.objects)
}
