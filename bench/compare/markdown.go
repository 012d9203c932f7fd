package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/bench/suite"
	"github.com/flatecs/flatecs/bench/turns"
)

// markdown is the whole report: for each definition a table of medians and one of ratios, a chart
// if there is a folder of them, and what else a definition asks for.
func (r *report) markdown(plays []play, folder string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s %s. Ratios are medians of those within each round; what "+
		"goes one by one\nis compared with what goes one by one.\n", r.Machine, r.Pace)
	for _, p := range plays {
		if p.Caches > 0 {
			fmt.Fprintf(&b, "\n### %s\n\n%s; %s:\n\n", p.Name, p.Title, simulated)
			turns.Table(&b, r.caches(p))
			continue
		}
		unit := r.unit(p)
		fmt.Fprintf(&b, "\n### %s\n\n%s.\n\n", p.Name, p.Title)
		for _, line := range p.As {
			fmt.Fprintf(&b, "- %s\n", line)
		}
		if len(p.As) > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s per %s:\n\n", unit.name, p.Per)
		turns.Table(&b, r.medians(p, unit))
		if folder != "" && r.hasChart(p) {
			fmt.Fprintf(&b, "\n![%s](%s/%s.svg)\n", p.Title, folder, p.Name)
		}
		r.further(&b, p)
	}
	return b.String()
}

func (r *report) further(b *strings.Builder, p play) {
	ours, others := sides(p.who)
	show := func(title string, rows [][]string) {
		fmt.Fprintf(b, "\n%s:\n\n", title)
		turns.Table(b, rows)
	}
	if p.Beside != "" {
		show("Of all frames, in microseconds", r.percentiles(p))
	}
	if p.Bytes > 0 {
		show(fmt.Sprintf("Bytes read and written, %d of each, in GB/s", p.Bytes), r.bandwidth(p))
	}
	if len(ours) > 0 && len(others) > 0 {
		show("As a multiple of the best peer", r.ratios(p, ours,
			func(way string, n int) string { return r.best(p, alike(way, others), n) }))
		r.behind(b, p, ours, others)
	}
	if p.Against != "" && slices.Contains(p.who, p.Against) {
		show("As a multiple of "+p.Against,
			r.ratios(p, ours, func(string, int) string { return p.Against }))
		if len(others) == 0 {
			r.behind(b, p, ours, []string{p.Against})
		}
	}
}

// A scale is what figures are given in.
type scale struct {
	name string
	of   float64 // in what was measured
}

// unit chooses one in which the figures of a play are short.
func (r *report) unit(p play) scale {
	if p.Unit == suite.Bytes {
		return scale{"Bytes", 1}
	}
	least := math.Inf(1)
	for _, c := range r.Cells {
		if c.Definition == p.Name && slices.Contains(p.who, c.Contender) {
			least = min(least, turns.Median(c.Rounds))
		}
	}
	switch {
	case least >= 1e6:
		return scale{"Milliseconds", 1e6}
	case least >= 1e3:
		return scale{"Microseconds", 1e3}
	}
	return scale{"Nanoseconds", 1}
}

func (r *report) medians(p play, unit scale) [][]string {
	rows := [][]string{append([]string{"n"}, p.who...)}
	for _, n := range r.sizes(p) {
		row := []string{turns.Count(n)}
		for _, name := range p.who {
			row = append(row, turns.Figure(r.median(p, n, name)/unit.of))
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *report) median(p play, n int, contender string) float64 {
	return turns.Median(r.rounds(p.Name, n, contender))
}

// best returns the name of the fastest.
func (r *report) best(p play, names []string, n int) string {
	return slices.MinFunc(names, func(x, y string) int {
		return cmp.Compare(r.median(p, n, x), r.median(p, n, y))
	})
}

// alike leaves out those who change many objects in one call where way does not.
func alike(way string, others []string) []string {
	batched := func(name string) bool { return strings.HasSuffix(name, " batch") }
	if batched(way) {
		return others
	}
	return slices.DeleteFunc(slices.Clone(others), batched)
}

// ratios compares each of our ways with one that is chosen for each n.
func (r *report) ratios(
	p play, ours []string, choose func(way string, n int) string,
) [][]string {
	rows := [][]string{append([]string{"n"}, ours...)}
	for _, n := range r.sizes(p) {
		row := []string{turns.Count(n)}
		for _, way := range ours {
			other := choose(way, n)
			times := turns.Ratio(r.rounds(p.Name, n, way), r.rounds(p.Name, n, other))
			cell := fmt.Sprintf("%.2f", times)
			if other != p.Against {
				cell += " × " + other
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *report) bandwidth(p play) [][]string {
	rows := [][]string{append([]string{"n"}, p.who...)}
	for _, n := range r.sizes(p) {
		row := []string{turns.Count(n)}
		for _, name := range p.who {
			row = append(row, turns.Figure(float64(p.Bytes)/r.median(p, n, name)))
		}
		rows = append(rows, row)
	}
	return rows
}

func (r *report) percentiles(p play) [][]string {
	rows := [][]string{{"", "half", "90 %", "99 %", "all"}}
	for _, c := range r.Cells {
		if c.Definition != p.Name {
			continue
		}
		row := []string{c.Contender}
		for _, q := range []float64{.5, .9, .99, 1} {
			row = append(row, turns.Figure(turns.Quantile(c.Frames, q)/1e3))
		}
		rows = append(rows, row)
	}
	return rows
}

// sides divides names into our ways and the peers'. Plain slices are no peer: they do not know who
// is alive.
func sides(who []string) (ours, others []string) {
	for _, name := range who {
		switch c, _ := contenderNamed(name); c.Peer {
		case suite.Ours:
			ours = append(ours, name)
		case suite.Slices:
		default:
			others = append(others, name)
		}
	}
	return ours, others
}

func (r *report) sizes(p play) (sizes []int) {
	for _, c := range r.Cells {
		if c.Definition == p.Name && !slices.Contains(sizes, c.N) {
			sizes = append(sizes, c.N)
		}
	}
	return sizes
}

func (r *report) rounds(definition string, n int, contender string) []float64 {
	for _, c := range r.Cells {
		if c.Definition == definition && c.N == n && c.Contender == contender {
			return c.Rounds
		}
	}
	return nil
}

// behind says where our ways take longer than the best peer, by more than a twentieth, for less is
// noise.
func (r *report) behind(b *strings.Builder, p play, ours, others []string) {
	var lines []string
	for _, way := range ours {
		var at []string
		for _, n := range r.sizes(p) {
			peer := r.best(p, alike(way, others), n)
			x := turns.Ratio(r.rounds(p.Name, n, way), r.rounds(p.Name, n, peer))
			if x > 1.05 {
				at = append(at, fmt.Sprintf("%.2g × %s at %s", x, peer, turns.Count(n)))
			}
		}
		if len(at) > 0 {
			lines = append(lines, way+" is behind: "+strings.Join(at, ", "))
		}
	}
	if len(lines) == 0 {
		lines = []string{"Nowhere behind"}
	}
	fmt.Fprintf(b, "\n%s.\n", strings.Join(lines, ".\n"))
}
