// Command bench compares this library with others, and writes the results as CSV files;
// docs/PERFORMANCE.md shows a part of them.
//
//	go run ./bench                                       every subject; takes ten minutes
//	go run ./bench peers frame --quick                   two of them, in short turns
//	go run ./bench peers --only query2comp --sizes 16,1000 --out /tmp/results
//	go run ./bench --list                                subjects, cases and contenders
//	go run ./bench page                                  tables and chart of the page
//	go test ./bench -run Once -once 'frame/frame/Ark/100000/500' -cpuprofile cpu.pprof
//
// Run it from the root of the tree, on an idle machine. It writes a file after each case, so an
// interrupt loses only the current case, and --only measures single cases again.
//
//	harness     contenders in processes of their own, in turns; CSV files
//	peers       libraries, on the same small tasks; bytes per object, copies
//	frame       a frame of a game
//	results     SUBJECT.csv; overview.svg, bars of some of them
//
// To add a case, put a [harness.Case] into the list of a subject: its contenders, its sizes, and
// the work of each contender as a function to Run. This library takes part with exact counts, and
// as the README shows it. All contenders must reach the same Result, which Check returns. To add a
// subject, write a package with a function Subject, name it in main.go, and add it to
// docs/PERFORMANCE.md. To add a contender, name it in Who and create its work.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/bench/frame"
	"github.com/flatecs/flatecs/bench/harness"
	"github.com/flatecs/flatecs/bench/peers"
)

// subjects returns all subjects, in measuring order.
func subjects() []*harness.Subject {
	return []*harness.Subject{peers.Subject(), frame.Subject()}
}

// A named is a subject by its name.
type named struct{ *harness.Subject }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (n *named) UnmarshalText(name []byte) error {
	var names []string
	for _, s := range subjects() {
		if names = append(names, s.Name); s.Name == string(name) {
			n.Subject = s
			return nil
		}
	}
	return fmt.Errorf("no subject %q; there are %s", name, strings.Join(names, ", "))
}

// A grammar is the command line.
type grammar struct {
	Measure measure `cmd:"" default:"withargs" help:"Measure, and write CSV files."`
	Page    page    `cmd:"" help:"Write tables and the chart of the pages, from the CSV files."`
	Work    worker  `cmd:"" hidden:"" help:"Work for one contender, as the standard input says."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "bench:", err)
		if _, wrong := errors.AsType[*kong.ParseError](err); wrong {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// A streams is the input and output of a command.
type streams struct {
	in        io.Reader
	out, errs io.Writer
}

func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) error {
	parser := kong.Must(new(grammar), kong.Name("bench"),
		kong.Description("Measures flatecs beside other ways to hold a world."),
		kong.Writers(out, errs), kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{in, out, errs}))
	parsed, err := parser.Parse(args)
	if err != nil {
		return fmt.Errorf("%w; --help says how to call it", err)
	}
	return parsed.Run()
}

// A measure is the command that measures.
type measure struct {
	Subjects []named  `arg:"" optional:"" help:"What to measure: peers, frame."`
	Only     []string `help:"Cases to measure, or how their names begin." placeholder:"CASE"`
	Sizes    []int    `help:"Numbers of objects, where a case has several." placeholder:"N"`
	Quick    bool     `help:"Fewer and shorter turns."`
	Out      string   `help:"The folder of the CSV files." default:"bench/results" type:"path"`
	List     bool     `help:"List subjects, cases and contenders, and end."`
}

// Validate finds the cases to measure.
func (m *measure) Validate() error {
	if len(m.Subjects) == 0 {
		m.Subjects = []named{{peers.Subject()}, {frame.Subject()}}
	}
	found := false
	for _, one := range m.Subjects {
		one.Cases = slices.DeleteFunc(one.Cases, func(c harness.Case) bool {
			return len(m.Only) > 0 && !slices.ContainsFunc(m.Only, func(begin string) bool {
				return strings.HasPrefix(c.Name, begin)
			})
		})
		found = found || len(one.Cases) > 0
	}
	switch {
	case !found:
		return fmt.Errorf("no case begins with %q; --list names them", m.Only)
	case slices.ContainsFunc(m.Sizes, func(n int) bool { return n < 1 }):
		return fmt.Errorf("sizes %v; give 1 object or more", m.Sizes)
	}
	return nil
}

// Run measures subject by subject.
func (m *measure) Run(ctx context.Context, s streams) error {
	if m.List {
		return m.list(s.out)
	}
	if err := os.MkdirAll(m.Out, 0o755); err != nil {
		return err
	}
	for _, one := range m.Subjects {
		if err := m.subject(ctx, one.Subject, s.errs); err != nil {
			return fmt.Errorf("%s: %w", one.Name, err)
		}
	}
	return nil
}

// subject measures the cases of a subject, and writes its file after each. A case with a single
// size always uses that size.
func (m *measure) subject(ctx context.Context, s *harness.Subject, progress io.Writer) error {
	pace := harness.Ordinary
	if m.Quick {
		pace = harness.Quick
	}
	file := filepath.Join(m.Out, s.Name+".csv")
	rows, err := harness.ReadRows(file)
	if err != nil {
		return err
	}
	for i, c := range s.Cases {
		sizes := m.Sizes
		if len(c.Sizes) == 1 || len(sizes) == 0 {
			sizes = c.Sizes
		}
		for _, n := range sizes {
			_, _ = fmt.Fprintf(progress, "%s: %d of %d, %s at %d\n", s.Name, i+1, len(s.Cases),
				c.Name, n)
			of, err := harness.Measure(ctx, s.Name, &c, n, pace)
			if err != nil {
				return err
			}
			rows = harness.Replace(rows, of)
			if err := harness.WriteRows(file, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *measure) list(out io.Writer) error {
	var b strings.Builder
	for _, s := range m.Subjects {
		fmt.Fprintf(&b, "%s: %s\n", s.Name, s.About)
		for _, c := range s.Cases {
			fmt.Fprintf(&b, "  %-20s %s\n", c.Name, c.Title)
			fmt.Fprintf(&b, "  %20s at %v: %s\n", "", c.Sizes, strings.Join(c.Who, "; "))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// A worker is the process of one contender, for one case at one size.
type worker struct {
	Subject   named  `arg:""`
	Case      string `arg:""`
	Contender string `arg:""`
	N         int    `arg:""`
}

// Run works until the standard input ends.
func (w *worker) Run(s streams) error {
	c, err := w.Subject.Case(w.Case)
	if err != nil {
		return err
	}
	work, err := c.Work(w.Contender, w.N)
	if err != nil {
		return err
	}
	return harness.Play(work, s.in, s.out)
}
