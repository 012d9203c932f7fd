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

// A page is the command that writes what the pages show of the CSV files: charts, and what stands
// between the marks below the command that measures it:
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
	Results string   `help:"The folder of the CSV files." default:"bench/results" type:"path"`
	Pages   []string `help:"The pages." default:"docs/PERFORMANCE.md,docs/SIMULATIONS.md"`
}

var marked = regexp.MustCompile("(?s)```sh\ngo run \\./bench (\\w+)[^`]*```\n\n" +
	"<!-- figures -->\n(.*?)<!-- end of figures -->")

// tables make what is shown of each subject.
var tables = map[string]func(rows []harness.Row) string{
	"peers": peersTable, "frame": frameTable, "models": modelsTable, "memory": memoryTable,
}

// charts are the titles of charts, by subject.
var charts = map[string]string{
	"peers": "Time of flatecs as a multiple of the best of the others. Logarithmic axis; " +
		"lower, to the left, is better.",
	"models": "Time of flatecs as a multiple of that of the others. Logarithmic axis; " +
		"lower, to the left, is better.",
}

// Run writes charts and pages.
func (p *page) Run() error {
	pictures := map[string]string{}
	for name, title := range charts {
		rows, err := harness.ReadRows(filepath.Join(p.Results, name+".csv"))
		if err != nil {
			return err
		}
		pictures[name] = chart(title, compared(rows))
	}
	var err error
	if pictures["overview"], err = overview(p.Results); err != nil {
		return err
	}
	for name, svg := range pictures {
		file := filepath.Join(p.Results, name+".svg")
		if err := os.WriteFile(file, []byte(svg), 0o644); err != nil {
			return err
		}
	}
	for _, name := range p.Pages {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		changed, err := p.filled(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(name, []byte(changed), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// filled returns a page with the tables of the files as they are.
func (p *page) filled(text string) (filled string, err error) {
	return marked.ReplaceAllStringFunc(text, func(part string) string {
		match := marked.FindStringSubmatch(part)
		table := tables[match[1]]
		rows, failed := harness.ReadRows(filepath.Join(p.Results, match[1]+".csv"))
		switch {
		case failed != nil:
			err = failed
			return part
		case table == nil || len(rows) == 0:
			err = fmt.Errorf("no results of %q; measure them first", match[1])
			return part
		}
		head := strings.TrimSuffix(part, match[2]+"<!-- end of figures -->")
		return head + "\n" + measuredOn(rows) + "\n\n" + table(rows) + "\n<!-- end of figures -->"
	}), err
}

// measuredOn says where and when.
func measuredOn(rows []harness.Row) string {
	first, last := rows[0].Day, rows[0].Day
	for _, r := range rows {
		first, last = min(first, r.Day), max(last, r.Day)
	}
	if first != last {
		first += " to " + last
	}
	return "Measured on " + first + ", " + rows[0].Machine + "."
}

// markdown writes a table; the first row is its head, and figures stand to the right.
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

// find returns the median of a contender's figure, and the ratio to another's; 0 where there is
// none.
func find(rows []harness.Row, name, who, measure, against string) (median, ratio float64) {
	for _, r := range rows {
		if r.Case != name || r.Contender != who || r.Measure != measure {
			continue
		}
		median = max(r.Median, r.Least)
		if r.Against == against {
			return median, r.Ratio
		}
	}
	return median, 0
}

// cases are the names of those of some rows, in order.
func cases(rows []harness.Row) (names []string) {
	for _, r := range rows {
		if !slices.Contains(names, r.Case) {
			names = append(names, r.Case)
		}
	}
	return names
}

// peersTable says how this library compares with the best of the others, with few objects and many,
// with exact counts and as in the README.
func peersTable(rows []harness.Row) string {
	table := [][]string{{
		"case", "few objects", "many objects", "as README, few", "as README, many",
	}}
	for _, name := range cases(rows) {
		line := []string{"`" + name + "`"}
		for _, who := range []string{"flatecs", "flatecs as README"} {
			line = append(line, fewAndMany(rows, name, who)...)
		}
		if len(strings.Join(line[1:], "")) > 0 {
			table = append(table, line)
		}
	}
	return markdown(table)
}

// fewAndMany are the ratios of a contender for a case, with few objects and with the most.
func fewAndMany(rows []harness.Row, name, who string) []string {
	var ratios []string
	for _, r := range rows {
		if r.Case == name && r.Contender == who && isShown(&r) && (r.N > 1 || name == "new_world") {
			ratios = append(ratios, fmt.Sprintf("%s × %s at %d", harness.Number(r.Ratio),
				r.Against, r.N))
		}
	}
	switch last := len(ratios) - 1; {
	case last > 0:
		return []string{ratios[0], ratios[last]}
	case last == 0:
		return []string{"", ratios[0]}
	}
	return []string{"", ""}
}

// frameTable has a row for each way to write the game, and one for each system.
func frameTable(rows []harness.Row) string {
	ways := []string{"flatecs loops", "flatecs kernels", "Ark", "plain columns"}
	frames := [][]string{{
		"", "µs per frame", "by the wall", "allocations", "× Ark", "× plain columns",
		"1 % replaced: × Ark",
	}}
	for _, who := range slices.Insert(slices.Clone(ways), 2, "flatecs as README") {
		time, ark := find(rows, "frame", who, "time", "Ark")
		_, replaced := find(rows, "frame_replaced", who, "time", "Ark")
		wall, _ := find(rows, "frame", who, "time by the wall", "")
		made, _ := find(rows, "frame", who, "allocations", "")
		_, plain := find(rows, "frame", who, "time", "plain columns")
		frames = append(frames, []string{
			who, harness.Number(time / 1e3), harness.Number(wall / 1e3), fmt.Sprint(int(made)),
			harness.Number(ark), harness.Number(plain), harness.Number(replaced),
		})
	}
	head := slices.Concat([]string{"µs per frame"}, ways, []string{"kernels × Ark", "× plain"})
	systems := [][]string{head}
	for _, name := range frame.Systems {
		row := []string{name}
		for _, who := range ways {
			time, _ := find(rows, "frame", who, name, "")
			row = append(row, harness.Number(time/1e3))
		}
		for _, other := range ways[2:] {
			_, ratio := find(rows, "frame", "flatecs kernels", name, other)
			row = append(row, harness.Number(ratio))
		}
		systems = append(systems, row)
	}
	return markdown(frames) + "\n" + markdown(systems)
}

// modelsTable has a row for each model.
func modelsTable(rows []harness.Row) string {
	table := [][]string{{
		"model", "flatecs, ms", "Ark, ms", "plain Go, ms", "flatecs/Ark", "flatecs/plain",
	}}
	for _, name := range cases(rows) {
		ours, ark := find(rows, name, "flatecs", "time", "Ark")
		theirs, _ := find(rows, name, "Ark", "time", "")
		byHand, _ := find(rows, name, "plain Go", "time", "")
		_, plain := find(rows, name, "flatecs", "time", "plain Go")
		if plain == 0 {
			continue // no model
		}
		table = append(table, []string{
			name, harness.Number(ours / 1e6), harness.Number(theirs / 1e6),
			harness.Number(byHand / 1e6), harness.Number(ark), harness.Number(plain),
		})
	}
	return markdown(table)
}

// memoryTable has a row for each figure of this library.
func memoryTable(rows []harness.Row) string {
	table := [][]string{{"case", "objects", "flatecs", "", "compared"}}
	for _, r := range rows {
		if harness.Ours(r.Contender) && r.Ratio > 0 {
			who := strings.TrimSpace(strings.TrimPrefix(r.Contender, "flatecs"))
			row := []string{
				strings.TrimSpace("`" + r.Case + "` " + who), fmt.Sprint(r.N),
				harness.Number(r.Median), r.Unit, harness.Number(r.Ratio) + " × " + r.Against,
			}
			if last := table[len(table)-1]; slices.Equal(last[:4], row[:4]) { // another comparison
				last[4] += ", " + row[4]
				continue
			}
			table = append(table, row)
		}
	}
	return markdown(table)
}
