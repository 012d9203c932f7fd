package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/bench/turns"
)

var benchmark = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// A row is what a benchmark has measured: values by unit, of all times that it ran.
type row struct {
	name   string
	values map[string][]float64
}

// figures makes of what a command has printed what the page shows.
func figures(output string) string {
	var rows []row
	var units []string
	processor := ""
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "cpu: "); ok {
			processor = name
		}
		match := benchmark.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		i := slices.IndexFunc(rows, func(r row) bool { return r.name == match[1] })
		if i < 0 {
			i = len(rows)
			rows = append(rows, row{match[1], map[string][]float64{}})
		}
		fields := strings.Fields(match[2])
		for j := 0; j+1 < len(fields); j += 2 {
			value, err := strconv.ParseFloat(fields[j], 64)
			if err != nil {
				continue
			}
			unit := fields[j+1]
			if !slices.Contains(units, unit) {
				units = append(units, unit)
			}
			rows[i].values[unit] = append(rows[i].values[unit], value)
		}
	}
	if len(rows) == 0 {
		return output
	}
	var b strings.Builder
	m := turns.ThisMachine()
	if processor != "" {
		m.CPU = processor
	}
	b.WriteString("On " + m.String() + "\n\n")
	turns.Table(&b, tableOf(rows, units))
	return b.String()
}

func tableOf(rows []row, units []string) [][]string {
	table := [][]string{append([]string{"benchmark"}, units...)}
	for _, r := range rows {
		line := []string{"`" + r.name + "`"}
		for _, unit := range units {
			text := ""
			if values := r.values[unit]; len(values) > 0 {
				text = turns.Figure(turns.Median(values))
			}
			line = append(line, text)
		}
		table = append(table, line)
	}
	return table
}
