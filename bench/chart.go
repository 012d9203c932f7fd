package main

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/flatecs/flatecs/bench/harness"
)

// Measures of a chart, in pixels.
const (
	chartWidth = 780
	barHeight  = 20
	topHeight  = 46
	middle     = 420 // where a ratio of 1 is
	perOctave  = 42  // along the axis, for each factor of 2
)

// Colors that are told apart by all eyes, of Okabe and Ito, https://jfly.uni-koeln.de/color/.
const (
	faster = "#0072b2"
	slower = "#e69f00"
	ink    = "#333b47"
	faint  = "#dde2e8"
)

// compared returns the rows that a chart has a bar for: the time of this library, as it is used
// ordinarily, beside each of the others, at the most objects that were measured.
func compared(rows []harness.Row) (bars []harness.Row) {
	most := map[string]int{}
	for _, r := range rows {
		most[r.Case] = max(most[r.Case], r.N)
	}
	for _, r := range rows {
		if r.Contender == "flatecs" && isShown(&r) && r.N == most[r.Case] {
			bars = append(bars, r)
		}
	}
	return bars
}

// isShown reports whether a row compares with another library.
func isShown(r *harness.Row) bool { return r.Ratio > 0 && r.Against != "kernel alone" }

// A picture is an SVG that is being drawn.
type picture struct{ strings.Builder }

func (p *picture) text(x, y float64, anchor, what string) {
	fmt.Fprintf(p, `<text x="%.0f" y="%.0f" text-anchor="%s">%s</text>`+"\n", x, y, anchor,
		html.EscapeString(what))
}

// svg returns the picture, so many pixels large, with letters of a size.
func (p *picture) svg(width, height float64, letters int) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" `+
		`font-family="sans-serif" font-size="%d" fill="%s">`+"\n"+
		`<rect width="%[1]g" height="%[2]g" fill="white"/>`+"\n%[5]s</svg>\n",
		width, height, letters, ink, p)
}

// chart draws a bar for each row: to the left of the line where this library takes less, to the
// right where it takes more.
func chart(title string, bars []harness.Row) string {
	height := topHeight + barHeight*len(bars) + 10
	var p picture
	p.text(10, 18, "start", title)
	for octave := -4; octave <= 6; octave += 2 {
		x := middle + float64(octave*perOctave)
		fmt.Fprintf(&p, `<line x1="%.0f" x2="%.0f" y1="%d" y2="%d" stroke="%s"/>`+"\n", x, x,
			topHeight-4, height-8, faint)
		p.text(x, topHeight-8, "middle", harness.Number(math.Pow(2, float64(octave)))+" ×")
	}
	for i, r := range bars {
		y := float64(topHeight + barHeight*i)
		end := middle + perOctave*min(max(math.Log2(r.Ratio), -4.5), 6)
		color, at, anchor := faster, end-4, "end"
		if r.Ratio > 1 {
			color, at, anchor = slower, end+4, "start"
		}
		fmt.Fprintf(&p, `<rect x="%.1f" y="%.0f" width="%.1f" height="%d" fill="%s"/>`+"\n",
			min(middle, end), y+2, math.Abs(end-middle), barHeight-5, color)
		p.text(10, y+14, "start", r.Case)
		p.text(at, y+14, anchor, harness.Number(r.Ratio)+" × "+r.Against)
	}
	return p.svg(chartWidth, float64(height), 12)
}
