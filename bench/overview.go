package main

import (
	"fmt"
	"html"
	"path/filepath"
	"slices"

	"github.com/flatecs/flatecs/bench/harness"
)

// Measures of the overview, in pixels.
const (
	viewWidth  = 640
	viewBar    = 17 // height of a bar, with the gap to the next
	viewLeft   = 190
	viewRight  = viewWidth - 90 // where the longest bar ends
	viewHead   = 58
	panelHead  = 24
	panelFoot  = 12
	farther    = 4 // times the others: such a bar is cut off, so that the others can be seen
	cutOffMore = 1.25
)

// A panel is one task of the overview: bars on a linear axis from 0.
type panel struct {
	file, name, title, unit string
	per                     float64 // nanoseconds of the unit
	who                     []series
}

// A series is a contender, in the words and the colour of the overview.
type series struct{ contender, label, color string }

// Colors of the overview's five series, of Okabe and Ito as well.
const (
	ofArk     = "#e69f00"
	ofDonburi = "#cc79a7"
	byHand    = "#8a929c"
	asREADME  = "#56b4e9"
)

// panels returns those of the overview: what most programs do most of the time.
func panels() []panel {
	others := []series{
		{"flatecs", "flatecs", faster},
		{"flatecs as README", "flatecs as README", asREADME},
		{"Ark", "Ark", ofArk},
		{"Donburi", "Donburi", ofDonburi},
	}
	with := func(i int, changed ...series) []series {
		return append(slices.Clone(others[:i]), changed...)
	}
	hand := series{"slices", "slice of structs by hand", byHand}
	game := []series{
		{"flatecs kernels", "flatecs", faster},
		others[1],
		others[2],
		{"plain columns", "columns by hand", byHand},
	}
	walk := with(2, series{"Ark tables", "Ark (tables)", ofArk}, others[3],
		series{"kernel alone", "columns by hand", byHand})
	return []panel{
		{"frame", "frame", "A frame of a game, 13 systems", "µs", 1e3, game},
		{"peers", "query2comp", "Add velocities to positions, per object", "ns", 1, walk},
		{"peers", "random", "Read a value by id, in random order", "ns", 1, with(4, hand)},
		{"peers", "create2comp", "Create an object with two components", "ns", 1, with(4, hand)},
		{"peers", "delete2comp", "Delete an object", "ns", 1, others},
		{"peers", "add_remove", "Add a component and remove it", "ns", 1, others},
	}
}

// A view draws the overview.
type view struct {
	picture
	y float64
}

// overview returns the picture of all panels, as SVG, from the files of a folder.
func overview(results string) (svg string, err error) {
	v := &view{y: viewHead}
	v.text(10, 22, "start", "Time: lower is better. Linear axes, each from 0.")
	v.text(10, 42, "start", "A bar with a gap goes on as far as its number says.")
	rows := map[string][]harness.Row{}
	for _, p := range panels() {
		if rows[p.file] == nil {
			file := filepath.Join(results, p.file+".csv")
			if rows[p.file], err = harness.ReadRows(file); err != nil {
				return "", err
			}
		}
		if err := v.panel(&p, rows[p.file]); err != nil {
			return "", err
		}
	}
	return v.svg(viewWidth, v.y, 13), nil
}

// panel draws a task: at the most objects that were measured.
func (v *view) panel(p *panel, rows []harness.Row) error {
	times, most := make([]float64, len(p.who)), 0
	for _, r := range rows {
		if r.Case == p.name {
			most = max(most, r.N)
		}
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r harness.Row) bool { return r.N != most })
	for i, s := range p.who {
		if times[i], _ = find(rows, p.name, s.contender, "time", ""); times[i] == 0 {
			return fmt.Errorf("%s.csv has no time of %q for %s at %d; measure it first",
				p.file, s.contender, p.name, most)
		}
	}
	objects := fmt.Sprintf("%d,%03d objects", most/1000, most%1000)
	fmt.Fprintf(v, `<text x="10" y="%.0f" font-weight="bold">%s, %s</text>`+"\n", v.y+16,
		html.EscapeString(p.title), objects)
	v.y += panelHead
	end := axisEnd(times)
	for i, s := range p.who {
		v.bar(&s, times[i]/end, harness.Number(times[i]/p.per)+" "+p.unit)
	}
	v.y += panelFoot
	return nil
}

// axisEnd returns the time at which an axis ends: the longest, or less if that is far from others.
func axisEnd(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	last := sorted[len(sorted)-1]
	if second := sorted[len(sorted)-2]; last > farther*second {
		return second * cutOffMore
	}
	return last
}

// bar draws a bar of a part of the axis, and cuts it off beyond its end.
func (v *view) bar(s *series, part float64, figure string) {
	v.text(viewLeft-8, v.y+12, "end", s.label)
	const gap, stub = 6, 14
	length := min(part, 1) * (viewRight - viewLeft)
	fmt.Fprintf(v, `<rect x="%d" y="%.0f" width="%.1f" height="%d" fill="%s"/>`+"\n",
		viewLeft, v.y, length, viewBar-3, s.color)
	if part > 1 {
		fmt.Fprintf(v, `<path d="M%d %.0fl%d %dh%dl%d %dz" fill="white"/>`+"\n",
			viewRight-stub-gap, v.y+viewBar-3, gap, 3-viewBar, gap, -gap, viewBar-3)
	}
	v.text(viewLeft+length+6, v.y+12, "start", figure)
	v.y += viewBar
}
