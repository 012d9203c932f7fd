package main

import (
	"fmt"
	"html"
	"math"
	"os"
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

// drawChart writes a bar for each row: to the left of the line where this library takes less, to
// the right where it takes more.
func drawChart(file, title string, bars []harness.Row) error {
	height := topHeight + barHeight*len(bars) + 10
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`font-family="sans-serif" font-size="12" fill="%s">`+"\n", chartWidth, height, ink)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", chartWidth, height)
	text := func(x, y float64, anchor, what string) {
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" text-anchor="%s">%s</text>`+"\n", x, y, anchor,
			html.EscapeString(what))
	}
	text(10, 18, "start", title)
	for octave := -4; octave <= 6; octave += 2 {
		x := middle + float64(octave*perOctave)
		fmt.Fprintf(&b, `<line x1="%.0f" x2="%.0f" y1="%d" y2="%d" stroke="%s"/>`+"\n", x, x,
			topHeight-4, height-8, faint)
		text(x, topHeight-8, "middle", harness.Number(math.Pow(2, float64(octave)))+" ×")
	}
	for i, r := range bars {
		y := float64(topHeight + barHeight*i)
		end := middle + perOctave*min(max(math.Log2(r.Ratio), -4.5), 6)
		color, at, anchor := faster, end-4, "end"
		if r.Ratio > 1 {
			color, at, anchor = slower, end+4, "start"
		}
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.0f" width="%.1f" height="%d" fill="%s"/>`+"\n",
			min(middle, end), y+2, math.Abs(end-middle), barHeight-5, color)
		text(10, y+14, "start", r.Case)
		text(at, y+14, anchor, harness.Number(r.Ratio)+" × "+r.Against)
	}
	b.WriteString("</svg>\n")
	return os.WriteFile(file, []byte(b.String()), 0o644)
}
