package main

import (
	"bytes"
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

// fileDiff is the command that tells where two save files differ.
type fileDiff struct {
	A string `arg:"" help:"${flatfile}" type:"path"`
	B string `arg:"" help:"${flatfile}" type:"path"`
}

// errDiffer ends a command by exit code 1 after it has said what differs.
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
	for _, n := range countDifferences(a, b) {
		_, _ = fmt.Fprintf(s.out, "%s: %d objects differ\n", n.name, n.objects)
	}
	return errDiffer
}

// loadAlike loads two files into worlds of the same counts.
func loadAlike(files []*save.File, o save.Options) (a, b world.State, err error) {
	o.KeepFields = true // each may have some that the other lacks
	counts := files[0].Counts()
	other := files[1].Counts()
	counts.GameObjects = max(counts.GameObjects, other.GameObjects)
	if err := fewEnough(files, counts.GameObjects); err != nil {
		return a, b, err
	}
	for i := range files { // each adds the kinds that it has and the counts have not
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

var errTooLarge = errors.New("these files are of worlds too large to be compared")

// fewEnough refuses files of which one has so many kinds and the other so many objects that a world
// that has both is much larger than they are.
func fewEnough(files []*save.File, objects int) error {
	const perObject = 5 // bytes of a kind, rounded up
	kinds := len(files[0].Kinds()) + len(files[1].Kinds())
	most := 1<<30 + 64*(files[0].Size()+files[1].Size())
	if int64(kinds)*int64(objects)*perObject > most {
		return fmt.Errorf("%w: %d kinds for %d objects", errTooLarge, kinds, objects)
	}
	return nil
}

// schemasDiffer tells which kinds, fields and parts of them only one file has, or has otherwise.
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

// schemaOf lists the kinds and fields of a file by their names, and what each is.
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

// A fieldCount is how many objects have other values in a field.
type fieldCount struct {
	name    string
	objects int
}

// countDifferences counts, per field, the objects that have it in both worlds with other values,
// and per kind those that have it in one.
func countDifferences(a, b world.State) (counts []fieldCount) {
	add := func(name string, n int) {
		if n > 0 {
			counts = append(counts, fieldCount{name, n})
		}
	}
	alive := 0
	for id := range world.GameObjects(a) {
		if !world.Alive(b, id) {
			alive++
		}
	}
	for id := range world.GameObjects(b) {
		if !world.Alive(a, id) {
			alive++
		}
	}
	add("alive", alive)
	there := partsByName(b)
	for _, p := range tool.Parts(a) {
		switch {
		case p.Kind == nil || p.Field == nil && p.Name != "counters":
		case p.Field == nil:
			add("has "+layout.Quoted(p.Kind.Name), countHas(a, b, p.Kind))
		default:
			if q, ok := there[p.Kind.Name+"."+p.Field.Name]; ok {
				for i, n := range countValues(a, b, &p, &q) {
					add(p.Field.Title(p.Field.Parts[i]), n)
				}
			}
		}
	}
	return counts
}

func partsByName(s world.State) map[string]tool.Part {
	parts := map[string]tool.Part{}
	for _, p := range tool.Parts(s) {
		if p.Field != nil {
			parts[p.Kind.Name+"."+p.Field.Name] = p
		}
	}
	return parts
}

// countHas counts the objects that have a kind in one world.
func countHas(a, b world.State, k *layout.KindSpec) (n int) {
	for id := range world.GameObjects(a) {
		if world.Alive(b, id) && has(a, id, k) != has(b, id, k) {
			n++
		}
	}
	return n
}

func has(s world.State, id world.GameObject, k *layout.KindSpec) bool {
	_, err := world.RowOf(s, id, k.Handle())
	return err == nil
}

// countValues counts, for each part of a field, the objects whose values differ in it.
func countValues(a, b world.State, p, q *tool.Part) []int {
	counts := make([]int, len(p.Field.Parts))
	for id := range world.GameObjects(a) {
		row, errX := world.RowOf(a, id, p.Kind.Handle())
		other, errY := world.RowOf(b, id, q.Kind.Handle())
		if errX != nil || errY != nil {
			continue
		}
		x, y := p.Bytes[int(row)*p.Unit:][:p.Unit], q.Bytes[int(other)*q.Unit:][:q.Unit]
		if bytes.Equal(x, y) {
			continue
		}
		for i := range counts {
			if part := &p.Field.Parts[i]; !bytes.Equal(part.Bytes(x), part.Bytes(y)) {
				counts[i]++
			}
		}
	}
	return counts
}
