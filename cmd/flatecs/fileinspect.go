package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world/save"
)

// fileInspect is the command that tells what is in a save file.
type fileInspect struct {
	File   string   `arg:"" help:"${flatfile}"`
	Kind   string   `help:"Print rows of a kind." placeholder:"KIND"`
	Rows   rowRange `help:"Rows from A on, up to B; without it all." placeholder:"A:B"`
	JSON   bool     `help:"Print JSON."`
	Layout bool     `help:"${inspectlayout}"`
	Part   string   `help:"${inspectpart}" placeholder:"PART"`
	Most   *int     `help:"${inspectmost}" placeholder:"N"`
}

// Help shows what the command can do.
func (c *fileInspect) Help() string {
	return examples(
		"run cubes --save a.flat --frames 60", "save first",
		"inspect a.flat", "its kinds, their fields, and how many there are",
		"inspect a.flat --kind Transform --rows 0:5", "five rows of a kind",
		"inspect a.flat --layout --part Transform", "where its bytes are in the world",
	)
}

// A rowRange is rows from one on, up to another.
type rowRange struct {
	from, to int
	set      bool
}

var errRows = errors.New("expected A:B, two row numbers")

// UnmarshalText reads A:B, where either may be missing.
func (r *rowRange) UnmarshalText(text []byte) (err error) {
	a, b, ok := strings.Cut(string(text), ":")
	*r = rowRange{0, 1<<31 - 1, true}
	if ok && a != "" {
		r.from, err = strconv.Atoi(a)
	}
	if ok && b != "" && err == nil {
		r.to, err = strconv.Atoi(b)
	}
	if !ok || err != nil || r.from < 0 || r.to < r.from {
		return errRows
	}
	return nil
}

// Validate refuses flags that make no sense together.
func (c *fileInspect) Validate() error {
	switch {
	case c.Rows.set && c.Kind == "":
		return errors.New("--rows: say of which kind by --kind")
	case c.Layout && (c.Kind != "" || c.JSON):
		return errors.New("--layout: it shows all kinds, as text; say which by --part")
	case !c.Layout && (c.Part != "" || c.Most != nil):
		return errors.New("--part, --most: they are for --layout")
	case c.Most != nil && *c.Most < 0:
		return errors.New("--most: give a number of lines, or 0 for all")
	}
	return nil
}

// A fileReport is what inspect prints.
type fileReport struct {
	File      string       `json:"file"`
	Bytes     int64        `json:"bytes"`
	Tick      uint64       `json:"tick"`
	Frame     uint64       `json:"frame"`
	Behaviour uint32       `json:"behaviour"`
	Live      int          `json:"live"`
	Used      int          `json:"used"`
	Room      int          `json:"room"`
	Kinds     []kindReport `json:"kinds"`
	Recipes   []string     `json:"recipes"`
	Watchers  []string     `json:"watchers"`
	Rows      []rowReport  `json:"rows,omitempty"`
}

type kindReport struct {
	Name    string        `json:"name"`
	Sort    string        `json:"sort"` // fields, values, mark
	Packed  bool          `json:"packed,omitempty"`
	Objects int           `json:"objects"`
	Used    int           `json:"used"`
	Room    int           `json:"room"`
	Fields  []fieldReport `json:"fields"`
}

type fieldReport struct {
	Name    string       `json:"name"`
	Parts   []partReport `json:"parts"`
	Default string       `json:"default"`
	Bytes   int          `json:"bytes"`

	shape string
}

type partReport struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Lanes  int    `json:"lanes"`
	Offset int    `json:"offset"`
}

type rowReport struct {
	Row    int               `json:"row"`
	Object string            `json:"object,omitempty"` // index#generation
	Values map[string]string `json:"values"`
}

// Run prints the report.
func (c *fileInspect) Run(s streams) error {
	return withFile(c.File, func(f *save.File) (err error) {
		out := newLineWriter(s.out)
		switch {
		case c.Layout:
			err = c.printLayout(out, s.err, f)
		case c.JSON:
			err = c.printJSON(out, f)
		case c.Kind != "":
			err = c.printRows(out, f)
		default:
			reportOf(c.File, f).print(out)
		}
		return errors.Join(err, out.Flush())
	})
}

func reportOf(path string, f *save.File) *fileReport {
	r := &fileReport{
		File: path, Bytes: f.Size(), Tick: f.Tick(), Frame: f.Frame(),
		Behaviour: f.Behaviour(), Live: f.Live(),
		Recipes: f.Recipes(), Watchers: f.Watchers(),
	}
	r.Used, r.Room = f.Objects()
	for _, k := range f.Kinds() {
		kind := kindReport{
			Name: k.Name, Sort: "fields", Packed: k.Packed, Objects: f.Mounted(k.Name),
			Used: f.Rows(k.Name), Room: k.Rows,
		}
		switch {
		case k.Mark:
			kind.Sort = "mark"
		case k.Values:
			kind.Sort = "values"
		}
		for _, field := range k.Fields {
			shown := fieldReport{
				Name: field.Name, Default: field.Text(field.Default),
				Bytes: kind.Used * field.Stride, shape: field.Shape(),
			}
			for _, p := range field.Parts {
				shown.Parts = append(shown.Parts, partReport(p))
			}
			kind.Fields = append(kind.Fields, shown)
		}
		r.Kinds = append(r.Kinds, kind)
	}
	return r
}

func (r *fileReport) print(out io.Writer) {
	_, _ = fmt.Fprintf(out, "file          %s\nbytes         %d\ntick          %d\n"+
		"frame         %d\nbehaviour     %d\n"+
		"game objects  %d alive, %d ever used, room for %d\n",
		printable(r.File), r.Bytes, r.Tick, r.Frame, r.Behaviour, r.Live, r.Used, r.Room)
	for _, k := range r.Kinds {
		_, _ = fmt.Fprintf(out, "%-13s %s: on %d objects", layout.Quoted(k.Name), k.Sort, k.Objects)
		if k.Sort != "mark" {
			_, _ = fmt.Fprintf(out, ", %d rows ever used, room for %d", k.Used, k.Room)
		}
		if k.Packed {
			_, _ = fmt.Fprint(out, ", packed")
		}
		_, _ = fmt.Fprintln(out)
		for _, f := range k.Fields {
			_, _ = fmt.Fprintf(out, "    %-12s %s, default %s, %d bytes\n",
				layout.Quoted(f.Name), f.shape, f.Default, f.Bytes)
		}
	}
	for _, name := range r.Recipes {
		_, _ = fmt.Fprintf(out, "recipe        %s\n", layout.Quoted(name))
	}
	for _, rules := range r.Watchers {
		_, _ = fmt.Fprintf(out, "watcher       %s\n", rules)
	}
}
