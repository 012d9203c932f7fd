package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/flatecs/flatecs/bench/frame/game"
	"github.com/flatecs/flatecs/bench/turns"
)

// The libraries that all others are compared with.
var against = []string{"Ark", "plain columns"}

// write writes the report as Markdown.
func (r *report) write(out io.Writer) error {
	var b strings.Builder
	rounds := len(r.Columns[0].Rounds)
	fmt.Fprintf(&b, "Measured on %s %s objects; %d rounds of %d frames each, in turn. Medians of "+
		"rounds;\nratios are medians of those within each round.\n\n", r.Machine,
		turns.Count(r.Objects), rounds, r.Frames)
	for _, c := range r.Columns {
		l, _ := named(c.Library)
		fmt.Fprintf(&b, "- %s: %s\n", l.Name, l.Note)
	}
	b.WriteString("\nFrames:\n\n")
	turns.Table(&b, r.frames())
	b.WriteString("\nBy system, microseconds per frame:\n\n")
	turns.Table(&b, r.bySystem(func(c column, system int) string {
		return turns.Figure(turns.Median(c.spent(system)) / 1e3)
	}))
	for _, base := range against {
		if other, ok := r.column(base); ok && len(r.Columns) > 1 {
			fmt.Fprintf(&b, "\nBy system, as a multiple of %s:\n\n", base)
			turns.Table(&b, r.bySystem(func(c column, system int) string {
				return times(c.spent(system), other.spent(system))
			}))
			r.behind(&b, other)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (r *report) column(library string) (column, bool) {
	for _, c := range r.Columns {
		if c.Library == library {
			return c, true
		}
	}
	return column{}, false
}

// frames is a row for each library.
func (r *report) frames() [][]string {
	head := []string{
		"", "µs per frame", "p99", "by the wall", "p99", "worst", "allocations",
		"bytes allocated", "resident MB",
	}
	for _, base := range against {
		if _, ok := r.column(base); ok {
			head = append(head, "× "+base, "× "+base+" by the wall")
		}
	}
	rows := [][]string{head}
	for _, c := range r.Columns {
		wall := c.all(func(t turn) []float64 { return t.Frames })
		worked := c.all(func(t turn) []float64 { return t.Worked })
		of := func(value func(turn) float64) string {
			return turns.Figure(turns.Median(c.each(value)))
		}
		row := []string{
			c.Library, of(func(t turn) float64 { return mean(t.Worked) / 1e3 }),
			turns.Figure(turns.Quantile(worked, .99) / 1e3),
			turns.Figure(turns.Median(wall) / 1e3), turns.Figure(turns.Quantile(wall, .99) / 1e3),
			turns.Figure(turns.Quantile(wall, 1) / 1e3),
			of(func(t turn) float64 { return t.Mallocs }),
			of(func(t turn) float64 { return t.Bytes }),
			turns.Figure(float64(c.Resident) / (1 << 20)),
		}
		for _, base := range against {
			if other, ok := r.column(base); ok {
				row = append(row, times(c.each(frame), other.each(frame)),
					times(c.each(wallFrame), other.each(wallFrame)))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func frame(t turn) float64     { return mean(t.Worked) }
func wallFrame(t turn) float64 { return turns.Median(t.Frames) }

func (r *report) bySystem(value func(c column, system int) string) [][]string {
	head := []string{""}
	for _, c := range r.Columns {
		head = append(head, c.Library)
	}
	rows := [][]string{head}
	for system, name := range game.Systems {
		row := []string{name}
		for _, c := range r.Columns {
			row = append(row, value(c, system))
		}
		rows = append(rows, row)
	}
	return rows
}

// behind says in which systems this library takes longer than another.
func (r *report) behind(b *strings.Builder, other column) {
	for _, c := range r.Columns {
		if l, _ := named(c.Library); l.Peer != "flatecs" {
			continue
		}
		var worse []string
		for system, name := range game.Systems {
			x := turns.Ratio(c.spent(system), other.spent(system))
			if x > 1.05 {
				worse = append(worse, fmt.Sprintf("%s (%.2f)", name, x))
			}
		}
		if len(worse) == 0 {
			worse = []string{"nothing"}
		}
		fmt.Fprintf(b, "\n%s is behind %s in %s.\n", c.Library, other.Library,
			strings.Join(worse, ", "))
	}
}

func times(a, b []float64) string { return fmt.Sprintf("%.2f", turns.Ratio(a, b)) }

// each is a figure of each round.
func (c column) each(value func(turn) float64) (values []float64) {
	for _, t := range c.Rounds {
		values = append(values, value(t))
	}
	return values
}

func (c column) spent(system int) []float64 {
	return c.each(func(t turn) float64 { return t.Spent[system] })
}

// all are the times of all frames.
func (c column) all(of func(turn) []float64) (frames []float64) {
	for _, t := range c.Rounds {
		frames = append(frames, of(t)...)
	}
	return frames
}

func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}
