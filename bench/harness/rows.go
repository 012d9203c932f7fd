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
)

// A Row is a line of a results file: a figure of a contender, and its ratio to another contender's.
// A figure with several comparisons has a row for each.
type Row struct {
	Case      string
	N         int
	Contender string
	Measure   string  // "time", the name of a system, …
	Unit      string  // of Least and Median
	Least     float64 // over all rounds; 0: not recorded
	Median    float64 // over all rounds; 0: not recorded
	Against   string  // "": no comparison
	Ratio     float64 // median of the ratios to Against within the rounds
	Day       string
	Machine   string
}

var head = []string{
	"case", "n", "contender", "measure", "unit", "least", "median", "against", "ratio", "day",
	"machine",
}

// WriteRows replaces a results file.
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

// ReadRows reads a results file; a missing file has no rows.
func ReadRows(file string) (rows []Row, err error) {
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	lines, bad := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err = cmp.Or(err, bad); err != nil {
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
		n := 0.
		for at, to := range map[int]*float64{1: &n, 5: &row.Least, 6: &row.Median, 8: &row.Ratio} {
			if l[at] == "" {
				continue
			}
			if *to, err = strconv.ParseFloat(l[at], 64); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, i+2, err)
			}
		}
		row.N = int(n)
		rows = append(rows, row)
	}
	return rows, nil
}

// Replace replaces the rows of a case at one size, or appends them.
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
