package harness

import (
	"encoding/csv"
	"fmt"
	"math"
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

// A Tally is the figures of all rounds, by contender and measure.
type Tally struct {
	who      []string
	measures []Measured // without values, in the order in which they were first measured
	figures  map[key][]Measured
}

type key struct{ who, measure, unit string }

// NewTally returns that of contenders.
func NewTally(who ...string) *Tally { return &Tally{who: who, figures: map[key][]Measured{}} }

// Add adds figures of one contender's turn.
func (t *Tally) Add(who string, figures ...Measured) {
	for _, f := range figures {
		at := key{who, f.Measure, f.Unit}
		t.figures[at] = append(t.figures[at], f)
		same := func(m Measured) bool { return m.Measure == f.Measure && m.Unit == f.Unit }
		if !slices.ContainsFunc(t.measures, same) {
			t.measures = append(t.measures, f)
		}
	}
}

// of returns the values of a contender, and all samples.
func (t *Tally) of(who string, m *Measured) (values, samples []float64) {
	for _, f := range t.figures[key{who, m.Measure, m.Unit}] {
		values, samples = append(values, f.Value), append(samples, f.Samples...)
	}
	return values, samples
}

// Rows makes what is kept of a case at one size.
func (t *Tally) Rows(c *Case, n int) (rows []Row) {
	machine, day := Machine(), time.Now().Format(time.DateOnly)
	for _, m := range t.measures {
		for _, who := range t.who {
			values, samples := t.of(who, &m)
			if len(values) == 0 {
				continue
			}
			row := Row{
				Case: c.Name, N: n, Contender: who, Measure: m.Measure, Unit: m.Unit,
				Least: slices.Min(values), Median: Median(values), Day: day, Machine: machine,
			}
			if c.Per != "" {
				row.Unit += "/" + c.Per
			}
			rows = append(rows, t.compare(c, row, &m)...)
			if len(samples) > 0 {
				row.Least = 0
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
func (t *Tally) compare(c *Case, row Row, m *Measured) (rows []Row) {
	if Ours(row.Contender) {
		values, _ := t.of(row.Contender, m)
		for _, base := range c.Against {
			if base == BestPeer {
				base = t.best(c, row.Contender, m)
			}
			other, _ := t.of(base, m)
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
func (t *Tally) best(c *Case, way string, m *Measured) (peer string) {
	batched := func(name string) bool { return strings.HasSuffix(name, " batch") }
	least := math.Inf(1)
	for _, who := range c.Who {
		if !Ours(who) && !slices.Contains(c.Plain, who) && (batched(way) || !batched(who)) {
			if values, _ := t.of(who, m); Median(values) < least {
				peer, least = who, Median(values)
			}
		}
	}
	return peer
}

// WriteRows writes a file of results in the place of the one before.
func WriteRows(file string, rows []Row) error {
	lines := [][]string{head}
	for _, r := range rows {
		lines = append(lines, []string{
			r.Case, strconv.Itoa(r.N), r.Contender, r.Measure, r.Unit, Number(r.Least),
			Number(r.Median), r.Against, Number(r.Ratio), r.Day, r.Machine,
		})
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
	f, err := os.Open(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(lines) == 0 || !slices.Equal(lines[0], head) {
		return nil, fmt.Errorf("%s: its first line is not %s", file, strings.Join(head, ","))
	}
	for i, l := range lines[1:] {
		row := Row{
			Case: l[0], Contender: l[2], Measure: l[3], Unit: l[4], Against: l[7], Day: l[9],
			Machine: l[10],
		}
		if row.N, err = strconv.Atoi(l[1]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+2, err)
		}
		for at, to := range map[int]*float64{5: &row.Least, 6: &row.Median, 8: &row.Ratio} {
			if l[at] == "" {
				continue
			}
			if *to, err = strconv.ParseFloat(l[at], 64); err != nil {
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
