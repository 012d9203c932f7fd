package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/flatecs/flatecs/bench/suite"
)

// A comparison is the command line.
type comparison struct {
	Quick bool     `help:"Fewer sizes and rounds: three minutes."`
	Only  []string `help:"Definitions to measure, or how their names begin." placeholder:"NAME"`
	Peers []string `help:"Libraries to compare with (${peers})." placeholder:"PEER"`
	Sizes []int    `help:"Numbers of objects." placeholder:"N"`
	JSON  string   `name:"json" help:"Keep all rounds in this file." type:"path" placeholder:"FILE"`
	Out   string   `help:"Write charts, as SVG, to this folder." type:"path" placeholder:"DIR"`
	List  bool     `help:"List definitions and contenders, and end."`
}

// A report is all that was measured.
type report struct {
	Machine machine
	Pace    string
	Cells   []cell
}

// A play is a definition with the contenders that were asked for.
type play struct {
	suite.Definition
	who []string
}

// Run measures and prints.
func (c *comparison) Run(ctx context.Context, s streams) error {
	plays, err := c.plays()
	if err != nil {
		return err
	}
	if c.List {
		return list(s.out, plays)
	}
	for _, missing := range []error{missingTool("gcc"), missingTool("valgrind")} {
		if missing != nil {
			_, _ = fmt.Fprintln(s.err, "compare:", missing)
		}
	}
	if c.Out != "" {
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			return err
		}
	}
	r := report{Machine: thisMachine()}
	var o office
	defer o.close()
	t := &table{hire: o.hire, seats: map[string]seat{}, pace: c.pace()}
	r.Pace = fmt.Sprintf("%d rounds, %d where they take long, of %v each", t.pace.rounds,
		t.pace.least, t.pace.turn)
	defer t.close()
	bar := newBar(s.err, t.pace.turns(plays))
	t.skip = func(turns int) { _ = bar.Add(turns) }
	for _, p := range plays {
		for _, n := range t.pace.sizesOf(p.Definition) {
			bar.Describe(fmt.Sprintf("%s %d", p.Name, n))
			cells, err := t.work(ctx, p, n)
			if err != nil {
				return err
			}
			r.Cells = append(r.Cells, cells...)
		}
	}
	_ = bar.Finish()
	return c.publish(&r, plays, s.out)
}

func (c *comparison) publish(r *report, plays []play, out io.Writer) error {
	if c.JSON != "" {
		text, err := json.MarshalIndent(r, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(c.JSON, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
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
var quickSizes = []int{16, 1_000, 10_000, 16_000, 100_000, 256_000, 500_000}

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

// newBar shows how far it is, on a terminal and nowhere else.
func newBar(out io.Writer, turns int) *progressbar.ProgressBar {
	file, ok := out.(*os.File)
	if ok {
		info, err := file.Stat()
		ok = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	if !ok {
		return progressbar.DefaultSilent(int64(turns))
	}
	return progressbar.NewOptions(turns, progressbar.OptionSetWriter(out),
		progressbar.OptionSetWidth(30), progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond))
}
