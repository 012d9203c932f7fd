package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/bench/frame"
	"github.com/flatecs/flatecs/bench/harness"
)

// A page is the command that updates docs/PERFORMANCE.md from the CSV files: overview.svg, and the
// text between the marks below the command for a measurement:
//
//	```sh
//	go run ./bench frame
//	```
//
//	<!-- figures -->
//
//	…
//
//	<!-- end of figures -->
type page struct {
	Results string `help:"The folder of the CSV files." default:"bench/results" type:"path"`
	Page    string `help:"The page." default:"docs/PERFORMANCE.md" type:"path"`
}

var marked = regexp.MustCompile("(?s)```sh\ngo run \\./bench (\\w+)[^`]*```\n\n" +
	"<!-- figures -->\n(.*?)<!-- end of figures -->")

// Run writes the chart and the page.
func (p *page) Run() error {
	svg, err := p.overview()
	if err != nil {
		return err
	}
	file := filepath.Join(p.Results, "overview.svg")
	if err := os.WriteFile(file, []byte(svg), 0o644); err != nil {
		return err
	}
	text, err := os.ReadFile(p.Page)
	if err != nil {
		return err
	}
	changed, err := p.filled(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", p.Page, err)
	}
	return os.WriteFile(p.Page, []byte(changed), 0o644)
}

// rows reads the results of a subject.
func (p *page) rows(subject string) ([]harness.Row, error) {
	rows, err := harness.ReadRows(filepath.Join(p.Results, subject+".csv"))
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("no results of %q; measure them first", subject)
	}
	return rows, err
}

// filled returns a page with the current tables.
func (p *page) filled(text string) (filled string, err error) {
	return marked.ReplaceAllStringFunc(text, func(part string) string {
		match := marked.FindStringSubmatch(part)
		rows, failed := p.rows(match[1])
		if failed != nil {
			err = failed
			return part
		}
		tables := compared(rows)
		if match[1] == "frame" {
			tables += "\n" + bySystem(rows)
		}
		head := strings.TrimSuffix(part, match[2]+"<!-- end of figures -->")
		return head + "\n" + measuredOn(rows) + "\n\n" + tables + "\n<!-- end of figures -->"
	}), err
}

// measuredOn returns the machine and the time of a measurement.
func measuredOn(rows []harness.Row) string {
	byDay := func(a, b harness.Row) int { return strings.Compare(a.Day, b.Day) }
	first, last := slices.MinFunc(rows, byDay).Day, slices.MaxFunc(rows, byDay).Day
	if first != last {
		first += " to " + last
	}
	return "Measured on " + first + ", " + rows[0].Machine + "."
}

// shown are the measures in the table of all cases.
var shown = []string{"time", "memory"}

// compared returns a table of this library and the others: for each case at the smallest size, at
// up to 16 times as many objects, and at the largest, and for each way to use the library, its
// figures and ratios, with exact counts and as in the README.
func compared(rows []harness.Row) string {
	table := [][]string{{"case", "objects", "flatecs", "as README"}}
	lines := map[string][]string{}
	least, most := sizes(rows)
	for _, r := range rows {
		way, ours := strings.CutPrefix(r.Contender, "flatecs")
		way, free := strings.CutPrefix(way, " as README")
		isEnd := r.N <= 16*least[r.Case] || r.N == most[r.Case]
		if !ours || !isEnd || !slices.Contains(shown, r.Measure) {
			continue
		}
		name := fmt.Sprint("`", r.Case, "`", way)
		key := fmt.Sprint(name, r.N, r.Measure)
		if lines[key] == nil {
			lines[key] = []string{name, fmt.Sprint(r.N), "", ""}
			table = append(table, lines[key])
		}
		cell := &lines[key][2]
		if free {
			cell = &lines[key][3]
		}
		if *cell == "" {
			*cell = figure(max(r.Median, r.Least), r.Unit)
		}
		if r.Ratio > 0 {
			*cell += fmt.Sprintf(", %s × %s", harness.Number(r.Ratio), r.Against)
		}
	}
	return markdown(table)
}

// sizes returns the smallest and the largest size of each case.
func sizes(rows []harness.Row) (least, most map[string]int) {
	least, most = map[string]int{}, map[string]int{}
	for _, r := range rows {
		most[r.Case] = max(most[r.Case], r.N)
		if n := least[r.Case]; n == 0 || r.N < n {
			least[r.Case] = r.N
		}
	}
	return least, most
}

// figure formats a figure, with larger units for long times.
func figure(value float64, unit string) string {
	rest, time := strings.CutPrefix(unit, "ns")
	for _, longer := range []string{"µs", "ms"} {
		if time && value >= 1e4 {
			value, unit = value/1e3, longer+rest
		}
	}
	return harness.Number(value) + " " + unit
}

// markdown formats a table; the first row is its head, and figures are right-aligned.
func markdown(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString("|---|" + strings.Repeat("---:|", len(row)-1) + "\n")
		}
	}
	return b.String()
}

// bySystem returns a table of the systems of a frame.
func bySystem(rows []harness.Row) string {
	ways := []string{"flatecs", "flatecs as README", "Ark", "plain columns"}
	table := [][]string{slices.Concat([]string{"µs per frame"}, ways, []string{"× Ark", "× plain"})}
	for _, name := range frame.Systems {
		row := []string{name}
		for _, who := range ways {
			time, _ := find(rows, "frame", who, name, "")
			row = append(row, harness.Number(time/1e3))
		}
		for _, other := range ways[2:] {
			_, ratio := find(rows, "frame", ways[0], name, other)
			row = append(row, harness.Number(ratio))
		}
		table = append(table, row)
	}
	return markdown(table)
}

// find returns the median of a contender's figure, and its ratio to another contender's, or 0 if
// missing.
func find(rows []harness.Row, name, who, measure, against string) (median, ratio float64) {
	for _, r := range rows {
		if r.Case == name && r.Contender == who && r.Measure == measure {
			if median = max(r.Median, r.Least); r.Against == against {
				return median, r.Ratio
			}
		}
	}
	return median, 0
}
