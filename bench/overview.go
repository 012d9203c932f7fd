package main

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/bench/harness"
)

// Sizes in the overview, in pixels.
const (
	viewWidth = 640
	viewBar   = 17 // height of a bar, including the gap
	viewLeft  = 190
	longest   = viewWidth - 90 - viewLeft // bar
)

// A panel is a task of the overview: bars on a linear axis from 0.
type panel struct {
	file, name, title, unit string
	per                     float64 // nanoseconds per unit
	ark, byHand, label      string  // other contenders, and the label of ours
}

// panels are the panels of the overview: the most frequent operations of most programs.
var panels = []panel{
	{"frame", "frame", "A frame of a game", "µs", 1e3, "Ark", "plain columns", "columns"},
	{
		"peers", "query2comp", "Add velocities to positions, per object", "ns", 1,
		"Ark tables", "kernel alone", "columns",
	},
	{"peers", "random", "Read a value by id, in random order", "ns", 1, "Ark", "slices", "structs"},
	{"peers", "create2comp", "Create an object of two kinds", "ns", 1, "Ark", "slices", "structs"},
	{"peers", "delete2comp", "Delete an object", "ns", 1, "Ark", "", ""},
	{"peers", "add_remove", "Add a component and remove it", "ns", 1, "Ark", "", ""},
}

// A bar is a contender with its label and its colour, from the palette of Okabe and Ito for all
// kinds of colour vision: https://jfly.uni-koeln.de/color/.
type bar struct {
	contender, label, color string
	time                    float64
}

// A view is the SVG text of the overview.
type view struct {
	strings.Builder
	y int
}

// overview returns the picture of all panels.
func (p *page) overview() (svg string, err error) {
	v := &view{y: 38}
	v.text(10, 22, "start", "Time: lower is better. Linear axes, each from 0.")
	for _, of := range panels {
		rows, err := p.rows(of.file)
		if err != nil {
			return "", err
		}
		if err := v.panel(&of, rows); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`font-family="sans-serif" font-size="13" fill="#333b47">`+"\n"+
		`<rect width="%[1]d" height="%[2]d" fill="white"/>`+"\n%[3]s</svg>\n",
		viewWidth, v.y, v), nil
}

func (v *view) text(x, y int, anchor, what string) {
	fmt.Fprintf(v, `<text x="%d" y="%d" text-anchor="%s">%s</text>`+"\n", x, y, anchor,
		html.EscapeString(what))
}

// panel draws a task, at the largest measured number of objects.
func (v *view) panel(p *panel, rows []harness.Row) error {
	_, most := sizes(rows)
	n := most[p.name]
	rows = slices.DeleteFunc(slices.Clone(rows), func(r harness.Row) bool { return r.N != n })
	bars := []bar{
		{"flatecs", "flatecs", "#0072b2", 0},
		{"flatecs as README", "flatecs as README", "#56b4e9", 0},
		{p.ark, strings.Replace(p.ark, "tables", "(tables)", 1), "#e69f00", 0},
	}
	if p.byHand != "" {
		bars = append(bars, bar{p.byHand, p.label + " by hand", "#8a929c", 0})
	}
	end := 0.
	for i := range bars {
		b := &bars[i]
		if b.time, _ = find(rows, p.name, b.contender, "time", ""); b.time == 0 {
			return fmt.Errorf("%s.csv has no time of %q for %s at %d; measure it first",
				p.file, b.contender, p.name, n)
		}
		end = max(end, b.time)
	}
	fmt.Fprintf(v, `<text x="10" y="%d" font-weight="bold">%s, %d,%03d objects</text>`+"\n",
		v.y+16, html.EscapeString(p.title), n/1000, n%1000)
	v.y += 24
	for _, b := range bars {
		length := b.time / end * longest
		v.text(viewLeft-8, v.y+12, "end", b.label)
		fmt.Fprintf(v, `<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n",
			viewLeft, v.y, length, viewBar-3, b.color)
		v.text(viewLeft+int(length)+6, v.y+12, "start", harness.Number(b.time/p.per)+" "+p.unit)
		v.y += viewBar
	}
	v.y += 12
	return nil
}
