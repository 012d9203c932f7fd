package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/flatecs/flatecs/bench/suite"
)

// A comparison is the command line.
type comparison struct {
	Quick bool     `help:"Fewer sizes and rounds: three minutes."`
	Only  []string `help:"Definitions to measure, or those whose names begin so." placeholder:"NAME"`
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
	if c.Out != "" {
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			return err
		}
	}
	r := report{Machine: thisMachine()}
	t := &table{hire: hire, seats: map[string]seat{}, pace: c.pace()}
	r.Pace = fmt.Sprintf("%d rounds of %v each", t.pace.rounds, t.pace.turn)
	defer t.close()
	bar := newBar(s.err, t.pace.turns(plays))
	t.step = func() { _ = bar.Add(1) }
	for _, p := range plays {
		for _, n := range t.pace.sizesOf(p.Definition) {
			bar.Describe(fmt.Sprintf("%s %d", p.Name, n))
			cells, err := t.play(ctx, p.Definition, n, p.who)
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
	_, err := io.WriteString(out, r.markdown(plays))
	return err
}

func (c *comparison) pace() pace {
	p := pace{rounds: 15, turn: 20 * time.Millisecond}
	if c.Quick {
		p = pace{rounds: 5, turn: 4 * time.Millisecond, sizes: []int{16, 1_000, 16_000, 256_000}}
	}
	if len(c.Sizes) > 0 {
		p.sizes = c.Sizes
	}
	return p
}

// sizesOf returns the sizes at which a definition is measured; one that has a single size keeps it.
func (p pace) sizesOf(d suite.Definition) []int {
	if p.sizes == nil || len(d.Sizes) == 1 {
		return d.Sizes
	}
	return p.sizes
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
		if len(c.Only) > 0 && !slices.ContainsFunc(c.Only, func(name string) bool {
			return strings.HasPrefix(d.Name, name)
		}) {
			continue
		}
		p := play{Definition: d}
		for _, contender := range suite.Contenders() {
			if d.Has(contender.Name) && (contender.Peer == suite.Ours || len(c.Peers) == 0 ||
				slices.Contains(c.Peers, contender.Peer)) {
				p.who = append(p.who, contender.Name)
			}
		}
		plays = append(plays, p)
	}
	return plays, nil
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
		progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
}
