package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/bench/suite"
)

// markdown is the whole report: for each definition a table of medians and one of ratios.
func (r *report) markdown(plays []play) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s %s.\n", r.Machine, r.Pace)
	for _, p := range plays {
		fmt.Fprintf(&b, "\n### %s\n\n%s. Nanoseconds per %s:\n\n", p.Name, p.Title, p.Per)
		r.medians(&b, p)
		if rows := r.ratios(p); len(rows) > 0 {
			b.WriteString("\nAs a multiple of the best peer:\n\n")
			writeTable(&b, rows)
		}
	}
	return b.String()
}

func (r *report) medians(b *strings.Builder, p play) {
	rows := [][]string{append([]string{"n"}, p.who...)}
	for _, n := range r.sizes(p) {
		row := []string{count(n)}
		for _, name := range p.who {
			row = append(row, figure(median(r.rounds(p.Name, n, name))))
		}
		rows = append(rows, row)
	}
	writeTable(b, rows)
}

// ratios compares each of our ways with the peer whose median is best.
func (r *report) ratios(p play) [][]string {
	ours, others := sides(p.who)
	if len(ours) == 0 || len(others) == 0 {
		return nil
	}
	rows := [][]string{append([]string{"n"}, append(ours, "best peer")...)}
	for _, n := range r.sizes(p) {
		best := slices.MinFunc(others, func(a, b string) int {
			return compareFloats(median(r.rounds(p.Name, n, a)), median(r.rounds(p.Name, n, b)))
		})
		row := []string{count(n)}
		for _, name := range ours {
			row = append(row,
				fmt.Sprintf("%.2f", ratio(r.rounds(p.Name, n, name), r.rounds(p.Name, n, best))))
		}
		rows = append(rows, append(row, best))
	}
	return rows
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
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

// writeTable writes rows, of which the first is the head, with figures to the right.
func writeTable(b *strings.Builder, rows [][]string) {
	for i, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---:|", len(row)) + "\n")
		}
	}
}

// figure writes nanoseconds with three digits that count.
func figure(ns float64) string {
	switch {
	case ns < 10:
		return fmt.Sprintf("%.2f", ns)
	case ns < 100:
		return fmt.Sprintf("%.1f", ns)
	}
	return count(int(ns + .5))
}

// count writes a number with commas between thousands.
func count(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
