package main

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world/save"
)

// printRows prints rows of a kind, a line each.
func (c *fileInspect) printRows(out io.Writer, f *save.File) error {
	rows, fields, err := c.rowsOf(f)
	if err != nil {
		return err
	}
	for r := range rows {
		_, _ = fmt.Fprintf(out, "row %d", r.Row)
		if r.Object != "" {
			_, _ = fmt.Fprintf(out, " of game object %s", r.Object)
		}
		for i := range fields {
			name := fields[i].Name
			_, _ = fmt.Fprintf(out, "  %s %s", layout.Quoted(name), r.Values[text(name)])
		}
		if _, err := fmt.Fprintln(out); err != nil {
			return err
		}
	}
	return nil
}

// printJSON prints all of the report, rows one after the other: they may be more than there is
// memory for.
func (c *fileInspect) printJSON(out io.Writer, f *save.File) error {
	report, err := json.MarshalIndent(reportOf(c.File, f).texts(), "", "  ")
	if err != nil {
		return err
	}
	if c.Kind == "" {
		_, err = fmt.Fprintf(out, "%s\n", ascii(report))
		return err
	}
	rows, _, err := c.rowsOf(f)
	if err != nil {
		return err
	}
	const end = "\n}"
	_, _ = fmt.Fprintf(out, "%s,\n  \"rows\": [", ascii(report[:len(report)-len(end)]))
	between := "\n    "
	for r := range rows {
		row, err := json.MarshalIndent(r, "    ", "  ")
		if err != nil {
			return err
		}
		if _, err = fmt.Fprintf(out, "%s%s", between, ascii(row)); err != nil {
			return err
		}
		between = ",\n    "
	}
	_, err = fmt.Fprint(out, "\n  ]", end, "\n")
	return err
}

// texts makes every name in the report valid UTF-8.
func (r *fileReport) texts() *fileReport {
	r.File = text(r.File)
	for i := range r.Kinds {
		k := &r.Kinds[i]
		k.Name = text(k.Name)
		for j := range k.Fields {
			k.Fields[j].Name = text(k.Fields[j].Name)
			for n := range k.Fields[j].Parts {
				k.Fields[j].Parts[n].Name = text(k.Fields[j].Parts[n].Name)
			}
		}
	}
	for i := range r.Recipes {
		r.Recipes[i] = text(r.Recipes[i])
	}
	return r
}

// text returns a name as it is, or in quotes where it is no UTF-8.
func text(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return strconv.Quote(name)
}

// ascii returns JSON without a byte that means more to a terminal than a letter.
func ascii(text []byte) []byte {
	b := make([]byte, 0, len(text))
	for _, r := range string(text) {
		if r < 0x7f {
			b = append(b, byte(r))
			continue
		}
		for _, u := range utf16.AppendRune(nil, r) {
			b = fmt.Appendf(b, "\\u%04x", u)
		}
	}
	return b
}

// rowsOf returns the rows that are asked for, and the fields that they have. The kind may be
// named as the report names it.
func (c *fileInspect) rowsOf(f *save.File) (iter.Seq[rowReport], []save.FileField, error) {
	for _, k := range f.Kinds() {
		if k.Name == c.Kind || layout.Quoted(k.Name) == c.Kind {
			return c.rowsOfKind(f, &k)
		}
	}
	return nil, nil, fmt.Errorf("no kind %q in the file", c.Kind)
}

func (c *fileInspect) rowsOfKind(
	f *save.File, k *save.FileKind,
) (iter.Seq[rowReport], []save.FileField, error) {
	columns := make([]func(row int) string, len(k.Fields))
	for i := range columns {
		var err error
		if columns[i], err = textsOf(f, k, &k.Fields[i]); err != nil {
			return nil, nil, err
		}
	}
	from, to := 0, f.Rows(k.Name)
	if c.Rows.set {
		from, to = c.Rows.from, min(c.Rows.to, to)
	}
	return func(yield func(rowReport) bool) {
		for row := from; row < to; row++ {
			r := rowReport{Row: row, Values: map[string]string{}}
			if id, ok := f.ObjectOf(k.Name, row); ok {
				r.Object = id.String()
			}
			for i := range columns {
				r.Values[text(k.Fields[i].Name)] = columns[i](row)
			}
			if !yield(r) {
				return
			}
		}
	}, k.Fields, nil
}

// textsOf returns what the values of a field are in words, by row.
func textsOf(f *save.File, k *save.FileKind, field *save.FileField) (func(int) string, error) {
	l, ok, err := f.List(k.Name, field.Name)
	if err != nil {
		return nil, err
	}
	if ok {
		return l.Text, nil
	}
	values, _, err := f.Bytes(k.Name, field.Name)
	return func(row int) string { return field.Text(values[row*field.Stride:][:field.Stride]) }, err
}
