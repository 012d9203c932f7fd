package save

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// A lost is a field or a part of the file that the program lacks, and that nothing was said about.
type lost struct {
	name    string   // as Drop takes it
	field   string   // as Migrate takes it
	shape   string   // its type
	nearest []string // what the program has
}

// lose tells what becomes of the parts of a file's field that the program lacks: they are dropped
// if a migration or the options say so, and refused otherwise.
func (l *loader) lose(i, j int, c *column) {
	k := &l.header.kinds[i]
	f := &k.Fields[j]
	name, title := k.Name+"."+f.Name, k.title(f.Name)
	if c.to == nil {
		switch {
		case isReader(&l.counts, l.nameOf(i), f.Name):
			l.report.Dropped = append(l.report.Dropped, k.reader(f.Name))
		case l.drops(name), l.header.isLast(k), l.dropsUnknown(name):
			l.report.Dropped = append(l.report.Dropped, title)
		default:
			l.lost = append(l.lost, lost{name, name, f.Shape(), nil})
		}
		return
	}
	for _, p := range c.dropped {
		part := layout.Part{Name: p}
		switch {
		case l.drops(part.Within(name)), l.header.isLast(k), l.dropsUnknown(part.Within(name)):
			l.report.Dropped = append(l.report.Dropped, part.Within(title))
		default:
			at := slices.IndexFunc(f.Parts, func(q layout.Part) bool { return q.Name == p })
			l.lost = append(l.lost, lost{
				part.Within(name), name, f.Parts[at].String(),
				nearest(p, c.fresh),
			})
		}
	}
}

// dropsUnknown reports whether the options drop what the program lacks, which it notes.
func (l *loader) dropsUnknown(name string) bool {
	if l.options.DropFields {
		l.unknown = append(l.unknown, name)
	}
	return l.options.DropFields
}

// suggest notes which of the program's new fields the lost ones of a kind may have become.
func (l *loader) suggest(first int, k *FileKind, fresh []*layout.FieldSpec) {
	for n := range l.lost[first:] {
		f := &l.lost[first+n]
		if f.name != f.field {
			continue // of a part
		}
		_, name, _ := strings.Cut(f.name, k.Name+".")
		names := make([]string, len(fresh))
		for i := range fresh {
			names[i] = fresh[i].Name
		}
		f.nearest = nearest(name, names)
		for i := range f.nearest {
			f.nearest[i] = k.title(f.nearest[i])
		}
	}
}

// refuse refuses a file of which something would be lost.
func (l *loader) refuse() error {
	if len(l.lost) == 0 {
		return nil
	}
	f := &l.lost[0]
	near, more := "", ""
	if len(f.nearest) > 0 {
		near = "; new there, the nearest first: " + strings.Join(f.nearest, ", ")
	}
	for i := range l.lost[1:] {
		if i == 8 {
			more += fmt.Sprintf(", and %d more", len(l.lost)-1-i)
			break
		}
		more += ", " + failure.Legible(l.lost[1+i].name)
	}
	if more != "" {
		more = "; the same goes for " + more[2:]
	}
	return wrap(ErrMigration, "%s, %s, is in the file and not in the program%s; add "+
		"Migrate(%q, …) or Drop(%q) to Options.Migrations%s", failure.Legible(f.name), f.shape,
		near, f.field, f.name, more)
}

// nearest returns up to three of some names, those first that are most like name.
func nearest(name string, all []string) []string {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b string) int {
		return cmp.Compare(tool.Distance(name, a), tool.Distance(name, b))
	})
	return all[:min(3, len(all))]
}
