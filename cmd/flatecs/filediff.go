package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// fileDiff is the command that compares two save files.
type fileDiff struct {
	A string `arg:"" help:"${flatfile}"`
	B string `arg:"" help:"${flatfile}"`
}

// errDiffer ends a command with exit code 1 after it has printed the differences.
var errDiffer = errors.New("the worlds differ")

// Run prints the first difference, and how many objects differ in each field.
func (c *fileDiff) Run(s streams) error {
	return withFile(c.A, func(x *save.File) error {
		return withFile(c.B, func(y *save.File) error { return tellDifferences(s, x, y) })
	})
}

func tellDifferences(s streams, files ...*save.File) error {
	p := newProgress(s.err, "loading")
	a, b, err := loadAlike(files, save.Options{Progress: p.ofBytes()})
	p.end()
	if err != nil {
		return err
	}
	defer world.Close(a)
	defer world.Close(b)
	schema := schemasDiffer(s.out, files)
	d, differ, err := tool.FirstDifference(a, b)
	switch {
	case err != nil:
		return err
	case !differ && !schema:
		return nil
	case !differ:
		return errDiffer
	}
	_, _ = fmt.Fprintf(s.out, "first difference: %s\n", d)
	changes, err := tool.Changes(a, b, 1)
	for _, n := range changes {
		what := fmt.Sprint(n.Objects, " objects differ")
		if n.First[0] == world.Nobody {
			what = "differs"
		}
		_, _ = fmt.Fprintf(s.out, "%s: %s\n", n, what)
	}
	if err != nil {
		return err
	}
	return errDiffer
}

// loadAlike loads two files into worlds with the same counts.
func loadAlike(files []*save.File, o save.Options) (a, b world.State, err error) {
	o.DropFields = true // each file may have fields that the other lacks
	counts := files[0].Counts()
	other := files[1].Counts()
	counts.GameObjects = max(counts.GameObjects, other.GameObjects)
	if err := fewEnough(files, counts.GameObjects); err != nil {
		return a, b, err
	}
	for i := range files { // each adds its kinds that the counts lack
		counts.InOrder = files[i].Counts().InOrder
		s, report, err := files[i].LoadInto(counts, o)
		if err != nil {
			return a, b, err
		}
		world.Close(s)
		counts = report.Counts
		for k := range counts.Kinds {
			n := &counts.Kinds[k]
			n.Rows = max(n.Rows, files[0].Rows(n.Kind.String()), files[1].Rows(n.Kind.String()))
		}
	}
	counts.InOrder = files[0].Counts().InOrder
	if a, _, err = files[0].LoadInto(counts, o); err != nil {
		return a, b, err
	}
	counts.InOrder = files[1].Counts().InOrder
	b, _, err = files[1].LoadInto(counts, o)
	if err != nil {
		world.Close(a)
	}
	return a, b, err
}

var errTooLarge = errors.New("the worlds of these files are too large to compare")

// fewEnough refuses two files if one has so many kinds, and the other so many objects, that a world
// with both would be far larger than the files.
func fewEnough(files []*save.File, objects int) error {
	const perObject = 5 // bytes of a kind, rounded up
	kinds := len(files[0].Kinds()) + len(files[1].Kinds())
	most := 1<<30 + 64*(files[0].Size()+files[1].Size())
	if int64(kinds)*int64(objects)*perObject > most {
		return fmt.Errorf("%w: %d kinds for %d objects", errTooLarge, kinds, objects)
	}
	return nil
}

// schemasDiffer prints the kinds, fields and parts that only one file has, or that differ.
func schemasDiffer(out io.Writer, files []*save.File) (differ bool) {
	has := [2]map[string]string{schemaOf(files[0]), schemaOf(files[1])}
	for i := range files {
		for _, name := range slices.Sorted(maps.Keys(has[i])) {
			switch other, ok := has[1-i][name]; {
			case !ok:
				_, _ = fmt.Fprintf(out, "%s: only in %s\n", name, []string{"A", "B"}[i])
			case i == 0 && other != has[i][name]:
				_, _ = fmt.Fprintf(out, "%s: %s in A, %s in B\n", name, has[i][name], other)
			default:
				continue
			}
			differ = true
		}
	}
	return differ
}

// schemaOf describes the kinds and fields of a file by name.
func schemaOf(f *save.File) map[string]string {
	all := map[string]string{}
	for _, k := range f.Kinds() {
		name := "kind " + layout.Quoted(k.Name)
		all[name] = fmt.Sprintf("mark %v, values %v", k.Mark, k.Values)
		for _, field := range k.Fields {
			all[name+", field "+layout.Quoted(field.Name)] = field.Shape()
		}
	}
	return all
}
