package lab

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Sink receives a table: Begin with the names of its columns, Row for each row in order, and End.
// The values of a row are valid until Row returns. An error ends the sweep or recorder that writes
// to the sink.
type Sink interface {
	Begin(columns []string) error
	Row(values []Value) error
	End() error
}

// A Table is a [Sink] in memory. The zero Table is empty; Begin empties it.
type Table struct {
	Columns []string
	Rows    [][]Value
}

// Begin is [Sink].Begin.
func (t *Table) Begin(columns []string) error {
	*t = Table{Columns: append([]string(nil), columns...)}
	return nil
}

// Row is [Sink].Row.
func (t *Table) Row(values []Value) error {
	t.Rows = append(t.Rows, append([]Value(nil), values...))
	return nil
}

// End is [Sink].End.
func (t *Table) End() error { return nil }

// Column returns the numbers of a column, omitting rows without a number. It panics if there is no
// such column.
func (t *Table) Column(name string) (numbers []float64) {
	i := t.index(name)
	for _, row := range t.Rows {
		if x, ok := row[i].Float64(); ok {
			numbers = append(numbers, x)
		}
	}
	return numbers
}

// Where returns the rows with a value in a column: a number, a bool or a text. Numbers are equal
// whatever their types; 0.2 is also a float32 of 0.2. An empty text selects the rows without a
// value. It panics if there is no such column, or value is of another type, NaN or infinite.
func (t *Table) Where(column string, value any) *Table {
	i, v := t.index(column), reflect.ValueOf(value)
	if !isValue(v.Kind()) {
		panic(fmt.Sprintf("lab: Table.Where of %s for a %T; give a number, a bool or a text",
			column, value))
	}
	wanted, err := parameter{name: column, kind: v.Kind()}.value(v)
	if err != nil {
		panic(err.Error())
	}
	found := &Table{Columns: t.Columns}
	for _, row := range t.Rows {
		if row[i].plain() == wanted.plain() {
			found.Rows = append(found.Rows, row)
		}
	}
	return found
}

// Mean yields the steps of a sweep's table, or the ticks of a recorder's table, in order, each with
// the mean of a column over its rows. It omits rows without a number, and panics if there is no
// such column.
func (t *Table) Mean(column string) iter.Seq2[int, float64] {
	i, by := t.index(column), slices.Index(t.Columns, "step")
	if by < 0 {
		by = t.index("tick")
	}
	numbers := map[float64][]float64{}
	for _, row := range t.Rows {
		step, _ := row[by].Float64()
		if x, ok := row[i].Float64(); ok {
			numbers[step] = append(numbers[step], x)
		}
	}
	return func(yield func(step int, mean float64) bool) {
		for _, step := range slices.Sorted(maps.Keys(numbers)) {
			if !yield(int(step), meanOf(numbers[step])) {
				return
			}
		}
	}
}

// index returns the index of a column.
func (t *Table) index(column string) int {
	i := slices.Index(t.Columns, column)
	if i < 0 {
		panic(fmt.Sprintf("lab: there is no column %s; give one of %s", column,
			cmp.Or(strings.Join(t.Columns, ", "), "a table that was written")))
	}
	return i
}

// WriteTo writes the rows to another sink.
func (t *Table) WriteTo(dst Sink) error {
	if err := dst.Begin(t.Columns); err != nil {
		return err
	}
	for _, row := range t.Rows {
		if err := dst.Row(row); err != nil {
			return err
		}
	}
	return dst.End()
}

// unwritten wraps the error of a sink, or returns nil.
func unwritten(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("lab: write the table: %w", err)
}

// lines is the common part of the text sinks.
type lines struct {
	w    *bufio.Writer
	line []byte
}

func newLines(w io.Writer) lines {
	if w == nil {
		panic("lab: a table cannot be written to a nil Writer; give a file or a buffer")
	}
	return lines{w: bufio.NewWriter(w)}
}

// write writes the line, and reuses its memory for the next one.
func (l *lines) write() error {
	_, err := l.w.Write(append(l.line, '\n'))
	l.line = l.line[:0]
	return err
}

// CSV is a [Sink] of comma-separated values as in RFC 4180, but with lines ending in \n. The first
// line names the columns, numbers have their shortest text, and missing values are empty.
type CSV struct{ lines }

// NewCSV returns a sink that writes to w, through a buffer that End flushes.
func NewCSV(w io.Writer) *CSV { return &CSV{newLines(w)} }

// Begin is [Sink].Begin.
func (c *CSV) Begin(columns []string) error {
	for i, name := range columns {
		c.cell(i, textValue(name))
	}
	return c.write()
}

// Row is [Sink].Row.
func (c *CSV) Row(values []Value) error {
	for i, v := range values {
		c.cell(i, v)
	}
	return c.write()
}

// End is [Sink].End.
func (c *CSV) End() error { return c.w.Flush() }

func (c *CSV) cell(i int, v Value) {
	if i > 0 {
		c.line = append(c.line, ',')
	}
	if v.form != isText || !strings.ContainsAny(v.text, ",\"\r\n") {
		c.line = v.append(c.line)
		return
	}
	c.line = append(c.line, '"')
	c.line = append(c.line, strings.ReplaceAll(v.text, `"`, `""`)...)
	c.line = append(c.line, '"')
}

// NDJSON is a [Sink] that writes one JSON object per line, with the columns in order, and null for
// missing values.
type NDJSON struct {
	lines
	keys [][]byte // the prefixes "name":
}

// NewNDJSON returns a sink that writes to w, through a buffer that End flushes.
func NewNDJSON(w io.Writer) *NDJSON { return &NDJSON{lines: newLines(w)} }

// Begin is [Sink].Begin.
func (n *NDJSON) Begin(columns []string) error {
	n.keys = n.keys[:0]
	for _, name := range columns {
		n.keys = append(n.keys, append(quoted(nil, name), ':'))
	}
	return nil
}

// Row is [Sink].Row.
func (n *NDJSON) Row(values []Value) error {
	n.line = append(n.line, '{')
	for i, v := range values {
		if i > 0 {
			n.line = append(n.line, ',')
		}
		n.line = append(n.line, n.keys[i]...)
		switch {
		case v.form == nothing:
			n.line = append(n.line, "null"...)
		case v.form == isText:
			n.line = quoted(n.line, v.text)
		case v.hash:
			n.line = append(v.append(append(n.line, '"')), '"')
		default:
			n.line = v.append(n.line)
		}
	}
	n.line = append(n.line, '}')
	return n.write()
}

// End is [Sink].End.
func (n *NDJSON) End() error { return n.w.Flush() }

// quoted appends a text as JSON. It does not allocate unless the text needs escapes.
func quoted(dst []byte, text string) []byte {
	for _, c := range text {
		if c < ' ' || c == '"' || c == '\\' || c == utf8.RuneError {
			b, _ := json.Marshal(text) // cannot fail for strings
			return append(dst, b...)
		}
	}
	return append(append(append(dst, '"'), text...), '"')
}
