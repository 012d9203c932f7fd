package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flatecs/flatecs/bench/suite"
	"github.com/flatecs/flatecs/bench/turns"
)

// A comparison is the command line.
type comparison struct {
	Quick  bool     `help:"Fewer sizes and rounds: a quarter of an hour."`
	Only   []string `help:"Definitions to measure, or how their names begin." placeholder:"NAME"`
	Peers  []string `help:"Libraries to compare with (${peers})." placeholder:"PEER"`
	Sizes  []int    `help:"Numbers of objects." placeholder:"N"`
	JSON   string   `name:"json" help:"Keep rounds here (${kept})." type:"path" placeholder:"FILE"`
	Resume bool     `help:"Go on with what an interrupted run has kept in the file of --json."`
	Out    string   `help:"Write charts, as SVG, to this folder." type:"path" placeholder:"DIR"`
	List   bool     `help:"List definitions and contenders, and end."`
}

// A play is a definition with the contenders that were asked for.
type play struct {
	suite.Definition
	who []string
}

// kept is where rounds are kept when nothing else is said.
func kept() string { return filepath.Join(os.TempDir(), "flatecs-compare.json") }

// Run measures and prints.
func (c *comparison) Run(ctx context.Context, s turns.Streams) error {
	plays, err := c.plays()
	if err != nil {
		return err
	}
	if c.List {
		return list(s.Out, plays)
	}
	for _, missing := range []error{missingTool("gcc"), missingTool("valgrind")} {
		if missing != nil {
			_, _ = fmt.Fprintln(s.Err, "compare:", missing)
		}
	}
	if c.Out != "" {
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			return err
		}
	}
	if c.JSON == "" {
		c.JSON = kept()
	}
	pace := c.pace()
	r := report{Machine: turns.ThisMachine(), Pace: pace.String()}
	if c.Resume {
		if err := r.resume(c.JSON); err != nil {
			return err
		}
	}
	switch err := c.measure(ctx, &r, plays, pace, s.Err); {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%d figures are kept in %s; go on with --resume: %w", len(r.Cells),
			c.JSON, err)
	case err != nil:
		return err
	}
	return c.publish(&r, plays, s.Out)
}

// measure adds to a report what it does not have, and keeps it after each table.
func (c *comparison) measure(
	ctx context.Context, r *report, plays []play, pace pace, errs io.Writer,
) error {
	var o office
	defer o.close()
	progress := turns.NewProgress(errs, pace.turns(plays))
	defer progress.End()
	t := &table{seats: turns.Seats{Hire: o.hire}, pace: pace, skip: progress.Add}
	defer t.seats.Close()
	for _, p := range plays {
		for _, n := range pace.sizesOf(p.Definition) {
			progress.Begin(fmt.Sprintf("%s %d", p.Name, n))
			if r.has(p, n) {
				progress.Add(pace.rounds * len(p.who))
				continue
			}
			cells, err := t.work(ctx, p, n)
			if err != nil {
				return err
			}
			r.add(cells)
			for _, c := range cells {
				progress.Tell(fmt.Sprintf("%s %d: %s %s", p.Name, n, c.Contender,
					turns.Figure(turns.Median(c.Rounds))))
			}
			if err := turns.Keep(c.JSON, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *comparison) publish(r *report, plays []play, out io.Writer) error {
	folder := ""
	if c.Out != "" {
		folder = filepath.Base(c.Out)
		if err := r.charts(c.Out, plays); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, r.markdown(plays, folder))
	return err
}

func (c *comparison) pace() pace {
	p := pace{rounds: 11, turn: 10 * time.Millisecond, least: 5, patience: 10 * time.Second}
	if c.Quick {
		p = pace{
			rounds: 5, turn: 4 * time.Millisecond, least: 3, patience: time.Second, quick: true,
		}
	}
	p.sizes = c.Sizes
	return p
}

// quickSizes are those that a quick comparison keeps.
var quickSizes = []int{1, 16, 1_024, 10_000, 16_000, 100_000, 256_000, 500_000}

// sizesOf returns the sizes at which a definition is measured; one that has a single size keeps it.
func (p pace) sizesOf(d suite.Definition) (sizes []int) {
	switch {
	case len(d.Sizes) == 1:
		return d.Sizes
	case len(p.sizes) > 0:
		return p.sizes
	case !p.quick:
		return d.Sizes
	}
	for _, n := range d.Sizes {
		if slices.Contains(quickSizes, n) {
			sizes = append(sizes, n)
		}
	}
	return sizes
}

// turns counts them all.
func (p pace) turns(plays []play) (n int) {
	for _, play := range plays {
		n += p.rounds * len(p.sizesOf(play.Definition)) * len(play.who)
	}
	return n
}

// plays finds what the command line names; without names it is everything.
func (c *comparison) plays() ([]play, error) {
	if err := c.checkNames(); err != nil {
		return nil, err
	}
	var plays []play
	for _, d := range suite.Definitions() {
		if !c.asksFor(d.Name) {
			continue
		}
		if d.Caches > 0 && missingTool("valgrind") != nil {
			continue
		}
		p := play{Definition: d}
		for _, contender := range suite.Contenders() {
			if d.Has(contender.Name) && c.wants(contender) {
				p.who = append(p.who, contender.Name)
			}
		}
		plays = append(plays, p)
	}
	return plays, nil
}

// asksFor says whether --only names a definition: all of its name or, where that is none, the
// beginning.
func (c *comparison) asksFor(name string) bool {
	return len(c.Only) == 0 || slices.ContainsFunc(c.Only, func(asked string) bool {
		_, exact := definitionNamed(asked)
		return name == asked || !exact && strings.HasPrefix(name, asked)
	})
}

// wants says whether a contender was asked for, and can come.
func (c *comparison) wants(contender suite.Contender) bool {
	switch {
	case contender.Peer == suite.C && missingTool("gcc") != nil:
		return false
	case contender.Peer == suite.Ours || len(c.Peers) == 0:
		return true
	}
	return slices.Contains(c.Peers, contender.Peer)
}

func (c *comparison) checkNames() error {
	for _, name := range c.Only {
		if !slices.ContainsFunc(suite.Definitions(), func(d suite.Definition) bool {
			return strings.HasPrefix(d.Name, name)
		}) {
			return fmt.Errorf("--only: no definition begins with %q; --list names them", name)
		}
	}
	for _, name := range c.Peers {
		if !slices.Contains(peers(), name) {
			return fmt.Errorf("--peers: no peer is named %q; there are %s", name,
				strings.Join(peers(), ", "))
		}
	}
	for _, n := range c.Sizes {
		if n < 1 {
			return fmt.Errorf("--sizes: %d objects; give 1 or more", n)
		}
	}
	return nil
}

// peers are the libraries to compare with.
func peers() (names []string) {
	for _, c := range suite.Contenders() {
		if c.Peer != suite.Ours && !slices.Contains(names, c.Peer) {
			names = append(names, c.Peer)
		}
	}
	return names
}

func list(out io.Writer, plays []play) error {
	for _, p := range plays {
		_, err := fmt.Fprintf(out, "%-18s %s\n%18s %s\n", p.Name, p.Title, "",
			strings.Join(p.who, ", "))
		if err != nil {
			return err
		}
	}
	return nil
}
