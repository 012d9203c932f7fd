package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/bench/frame"
	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/bench/memory"
	"github.com/flatecs/flatecs/bench/models"
	"github.com/flatecs/flatecs/bench/peers"
)

// subjects are all that is measured, in the order in which it is.
func subjects() []*harness.Subject {
	return []*harness.Subject{peers.Subject(), frame.Subject(), models.Subject(), memory.Subject()}
}

// A named is a subject by its name.
type named struct{ *harness.Subject }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (n *named) UnmarshalText(name []byte) error {
	var names []string
	for _, s := range subjects() {
		if s.Name == string(name) {
			n.Subject = s
			return nil
		}
		names = append(names, s.Name)
	}
	return fmt.Errorf("no subject %q; there are %s", name, strings.Join(names, ", "))
}

// A grammar is the command line.
type grammar struct {
	Measure  measure  `cmd:"" default:"withargs" help:"Measure, and write CSV files."`
	Packages packages `cmd:"" help:"Run the Go benchmarks of the library's packages."`
	Page     page     `cmd:"" help:"Write tables and charts of the pages, from the CSV files."`
	Once     once     `cmd:"" help:"Do the work of one contender, for a profiler."`
	Work     worker   `cmd:"" hidden:"" help:"Work for one contender, as the standard input says."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A streams is where a command reads and writes.
type streams struct {
	in        io.Reader
	out, errs io.Writer
}

func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) error {
	parser, err := kong.New(new(grammar), kong.Name("bench"),
		kong.Description("Measures flatecs beside other ways to hold a world."),
		kong.Writers(out, errs), kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{in, out, errs}))
	if err != nil {
		return err
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return fmt.Errorf("%w; --help says how to call it", err)
	}
	return parsed.Run()
}

// A measure is the command that measures.
type measure struct {
	Subjects []named  `arg:"" optional:"" help:"What to measure: peers, frame, models, memory."`
	Only     []string `help:"Cases to measure, or how their names begin." placeholder:"CASE"`
	Sizes    []int    `help:"Numbers of objects, where a case has several." placeholder:"N"`
	Quick    bool     `help:"Fewer and shorter turns."`
	Out      string   `help:"The folder of the CSV files." default:"bench/results" type:"path"`
	List     bool     `help:"List subjects, cases and contenders, and end."`
}

// Run measures subject by subject.
func (m *measure) Run(ctx context.Context, s streams) error {
	chosen, found := subjects(), false
	if len(m.Subjects) > 0 {
		chosen = nil
	}
	for _, one := range m.Subjects {
		chosen = append(chosen, one.Subject)
	}
	for _, one := range chosen {
		one.Cases = slices.DeleteFunc(one.Cases, func(c harness.Case) bool { return !m.wants(&c) })
		found = found || len(one.Cases) > 0
	}
	switch {
	case !found:
		return fmt.Errorf("no case begins with %q; --list names them", m.Only)
	case slices.ContainsFunc(m.Sizes, func(n int) bool { return n < 1 }):
		return fmt.Errorf("sizes %v; give 1 object or more", m.Sizes)
	case m.List:
		return list(s.out, chosen)
	}
	for _, one := range chosen {
		if err := m.subject(ctx, one, s.errs); err != nil {
			return fmt.Errorf("%s: %w", one.Name, err)
		}
	}
	return nil
}

func (m *measure) wants(c *harness.Case) bool {
	return len(m.Only) == 0 || slices.ContainsFunc(m.Only, func(begin string) bool {
		return strings.HasPrefix(c.Name, begin)
	})
}

// subject measures the cases of a subject, and writes its file after each.
func (m *measure) subject(ctx context.Context, s *harness.Subject, progress io.Writer) error {
	pace := harness.Ordinary
	if m.Quick {
		pace = harness.Quick
	}
	pace.Sizes = m.Sizes
	if err := os.MkdirAll(m.Out, 0o755); err != nil {
		return err
	}
	file := filepath.Join(m.Out, s.Name+".csv")
	rows, err := harness.ReadRows(file)
	if err != nil {
		return err
	}
	seats, err := harness.NewSeats(s)
	if err != nil {
		return err
	}
	defer seats.Close()
	for i := range s.Cases {
		c := &s.Cases[i]
		for _, n := range pace.SizesOf(c) {
			_, _ = fmt.Fprintf(progress, "%s: %d of %d, %s at %d\n", s.Name, i+1, len(s.Cases),
				c.Name, n)
			of, err := harness.Measure(ctx, seats, c, n, pace)
			if err != nil {
				return err
			}
			rows = harness.Replace(rows, of)
			if err := harness.WriteRows(file, rows); err != nil {
				return err
			}
		}
		seats.Close() // each case has processes of its own
	}
	return nil
}

func list(out io.Writer, all []*harness.Subject) error {
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%s: %s\n", s.Name, s.About)
		for _, c := range s.Cases {
			fmt.Fprintf(&b, "  %-20s %s\n", c.Name, c.Title)
			for _, how := range c.How {
				fmt.Fprintf(&b, "  %20s - %s\n", "", how)
			}
			fmt.Fprintf(&b, "  %20s at %v: %s\n", "", c.Sizes, strings.Join(c.Who, "; "))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// A worker is the process of one contender.
type worker struct {
	Subject   named  `arg:""`
	Contender string `arg:""`
}

// Run works until the standard input ends.
func (w *worker) Run(s streams) error {
	return harness.Play(w.Subject.Subject, w.Contender, s.in, s.out)
}

// A once is work that a profiler looks at.
type once struct {
	Subject    named  `arg:"" help:"Name of the subject."`
	Case       string `arg:"" help:"Name of the case."`
	Contender  string `arg:"" help:"Name of the contender."`
	N          int    `arg:"" help:"Number of objects."`
	Runs       int    `arg:"" help:"How often to run it."`
	CPUProfile string `name:"cpuprofile" help:"Profile the runs, for go tool pprof." type:"path"`
}

// Run does the work.
func (o *once) Run(s streams) error {
	c, err := o.Subject.Case(o.Case)
	if err != nil {
		return err
	}
	work, err := c.Work(o.Contender, o.N)
	if err != nil {
		return err
	}
	defer work.Close()
	err = profiled(o.CPUProfile, func() {
		for range o.Runs {
			work.Once()
		}
	})
	if err != nil {
		return err
	}
	r := work.Check()
	_, err = fmt.Fprintln(s.out, r.Count, r.Sum, r.Hash)
	return err
}

// profiled profiles the processor's work into a file, if one is named.
func profiled(file string, work func()) error {
	if file == "" {
		work()
		return nil
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	work()
	pprof.StopCPUProfile()
	return f.Close()
}
