package harness

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Row is a line of a file of results: a figure of a contender, and how it compares with another.
// A figure that is compared with several has a row for each.
type Row struct {
	Case      string
	N         int
	Contender string
	Measure   string  // "time", the name of a system, …
	Unit      string  // of Least and Median
	Least     float64 // of all rounds; 0: not kept
	Median    float64 // of all rounds; 0: not kept
	Against   string  // "": it is compared with none
	Ratio     float64 // the median of the ratios to Against within each round
	Day       string
	Machine   string
}

var head = []string{
	"case", "n", "contender", "measure", "unit", "least", "median", "against", "ratio", "day",
	"machine",
}

// rounds are the figures of all rounds, by contender and measure.
type rounds struct {
	who      []string
	measures []Measured // Samples aside, in the order in which they were first measured
	values   map[[2]string][]float64
	samples  map[[2]string][]float64
}

func newRounds(who []string) *rounds {
	return &rounds{
		who: who, values: map[[2]string][]float64{}, samples: map[[2]string][]float64{},
	}
}

func (r *rounds) add(who string, figures []Measured) {
	for _, f := range figures {
		key := [2]string{who, f.Measure}
		r.values[key] = append(r.values[key], f.Value)
		r.samples[key] = append(r.samples[key], f.Samples...)
		same := func(m Measured) bool { return m.Measure == f.Measure }
		if !slices.ContainsFunc(r.measures, same) {
			r.measures = append(r.measures, Measured{Measure: f.Measure, Unit: f.Unit})
		}
	}
}

// rows makes what is kept of a case at one size.
func (r *rounds) rows(c *Case, n int) (rows []Row) {
	machine, day := Machine(), time.Now().Format(time.DateOnly)
	for _, m := range r.measures {
		for _, who := range r.who {
			values := r.values[[2]string{who, m.Measure}]
			if len(values) == 0 {
				continue
			}
			unit := m.Unit
			if c.Per != "" {
				unit += "/" + c.Per
			}
			row := Row{
				Case: c.Name, N: n, Contender: who, Measure: m.Measure, Unit: unit,
				Least: slices.Min(values), Median: Median(values), Day: day, Machine: machine,
			}
			compared := r.compare(c, row, values)
			rows = append(rows, compared...)
			if samples := r.samples[[2]string{who, m.Measure}]; len(samples) > 0 {
				row.Least, row.Against, row.Ratio = 0, "", 0
				row.Measure, row.Median = m.Measure+", p99", Quantile(samples, .99)
				rows = append(rows, row)
				row.Measure, row.Median = m.Measure+", worst", slices.Max(samples)
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// compare returns a row for each contender with whom one of this library is compared.
func (r *rounds) compare(c *Case, row Row, values []float64) (rows []Row) {
	if ours(row.Contender) {
		for _, base := range c.Against {
			if base == BestPeer {
				base = r.best(c, row.Contender, row.Measure)
			}
			other := r.values[[2]string{base, row.Measure}]
			if base == row.Contender || len(other) == 0 {
				continue
			}
			row.Against, row.Ratio = base, Ratio(values, other)
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		rows = []Row{row}
	}
	return rows
}

// best returns the fastest of the other libraries. What changes objects one by one is not compared
// with what changes many in one call.
func (r *rounds) best(c *Case, way, measure string) string {
	batched := func(name string) bool { return strings.HasSuffix(name, " batch") }
	var peers []string
	for _, who := range c.Who {
		if !ours(who) && !slices.Contains(c.Plain, who) && (batched(way) || !batched(who)) {
			peers = append(peers, who)
		}
	}
	if len(peers) == 0 {
		return ""
	}
	return slices.MinFunc(peers, func(x, y string) int {
		return cmp.Compare(Median(r.values[[2]string{x, measure}]),
			Median(r.values[[2]string{y, measure}]))
	})
}

// fields are those of a row, in the order of head.
func (r *Row) fields() []any {
	return []any{
		&r.Case, &r.N, &r.Contender, &r.Measure, &r.Unit, &r.Least, &r.Median, &r.Against, &r.Ratio,
		&r.Day, &r.Machine,
	}
}

// WriteRows writes a file of results in the place of the one before.
func WriteRows(file string, rows []Row) error {
	lines := [][]string{head}
	for _, r := range rows {
		var line []string
		for _, field := range r.fields() {
			switch of := field.(type) {
			case *string:
				line = append(line, *of)
			case *int:
				line = append(line, strconv.Itoa(*of))
			case *float64:
				line = append(line, Number(*of))
			}
		}
		lines = append(lines, line)
	}
	var text strings.Builder
	if err := csv.NewWriter(&text).WriteAll(lines); err != nil {
		return err
	}
	beside := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".new")
	if err := os.WriteFile(beside, []byte(text.String()), 0o644); err != nil {
		return err
	}
	return os.Rename(beside, file)
}

// ReadRows reads a file of results; one that is not there has no rows.
func ReadRows(file string) (rows []Row, err error) {
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(lines) == 0 || !slices.Equal(lines[0], head) {
		return nil, fmt.Errorf("%s: its first line is not %s", file, strings.Join(head, ","))
	}
	for i, line := range lines[1:] {
		var row Row
		for k, field := range row.fields() {
			switch of := field.(type) {
			case *string:
				*of = line[k]
			case *int:
				*of, err = strconv.Atoi(line[k])
			case *float64:
				if line[k] != "" {
					*of, err = strconv.ParseFloat(line[k], 64)
				}
			}
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, i+2, err)
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Replace puts the rows of a case at one size in the place of those before, or at the end.
func Replace(rows, by []Row) []Row {
	if len(by) == 0 {
		return rows
	}
	same := func(r Row) bool { return r.Case == by[0].Case && r.N == by[0].N }
	at := slices.IndexFunc(rows, same)
	if at < 0 {
		at = len(rows)
	}
	return slices.Concat(rows[:at], by, slices.DeleteFunc(slices.Clone(rows[at:]), same))
}
