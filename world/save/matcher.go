package save

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// dropsList reports whether a kind stores the elements or free runs of a dropped list.
func (m *matcher) dropsList(k *FileKind) bool {
	of, f := m.plan.header.ofList(k)
	return of != nil && m.drops(of.Name, of.Name+"."+f.Name)
}

// lose decides about a field of the file, or its parts, that the program lacks: it drops them if a
// migration or the options say so, and otherwise notes them for refuseLost.
func (m *matcher) lose(of *kindPlan, f *layout.FieldSpec, c *column) {
	k := of.from
	name, title := k.Name+"."+f.Name, k.title(f.Name)
	switch {
	case c.to != nil:
		m.loseParts(k, f, c, func(part string) string {
			at := slices.IndexFunc(f.Parts, func(p layout.Part) bool { return p.Name == part })
			return f.Parts[at].String()
		})
	case m.plan.into.hasReader(of.name, f.Name):
		m.plan.report.Dropped = append(m.plan.report.Dropped, k.reader(f.Name))
	case m.dropsOf(k, name):
		m.plan.report.Dropped = append(m.plan.report.Dropped, title)
	default:
		m.lost = append(m.lost, lost{name, name, f.Shape(), nil})
	}
}

// loseParts is lose for the parts of a field, or of the elements of a list, that only the file has.
func (m *matcher) loseParts(
	k *FileKind, f *layout.FieldSpec, c *column, shape func(part string) string,
) {
	field, title := k.Name+"."+f.Name, k.title(f.Name)
	for _, dropped := range c.dropped {
		part := layout.Part{Name: dropped}
		if name := part.Within(field); m.dropsOf(k, name) {
			m.plan.report.Dropped = append(m.plan.report.Dropped, part.Within(title))
		} else {
			m.lost = append(m.lost, lost{name, field, shape(dropped), nearest(dropped, c.fresh)})
		}
	}
}

// dropsOf reports whether a name of k that only the file has is dropped. It notes what the options
// drop.
func (m *matcher) dropsOf(k *FileKind, name string) bool {
	if m.drops(name) || m.plan.header.roles.last[k.Name] {
		return true
	}
	if m.options.DropFields {
		m.unknown = append(m.unknown, name)
	}
	return m.options.DropFields
}

// suggest notes which new fields of the program the lost fields of a kind may have become.
func (m *matcher) suggest(first int, k *FileKind, fresh []string) {
	for n := range m.lost[first:] {
		f := &m.lost[first+n]
		if f.name != f.field {
			continue // a part, not a field
		}
		_, name, _ := strings.Cut(f.name, k.Name+".")
		f.nearest = nearest(name, fresh)
		for i := range f.nearest {
			f.nearest[i] = k.title(f.nearest[i])
		}
	}
}

// refuseLost returns an error if values would be lost without a migration or an option.
func (m *matcher) refuseLost() error {
	if len(m.lost) == 0 {
		return nil
	}
	f := &m.lost[0]
	near, more := "", ""
	if len(f.nearest) > 0 {
		near = "; new there, the nearest first: " + strings.Join(f.nearest, ", ")
	}
	for i := range m.lost[1:] {
		if i == 8 {
			more += fmt.Sprintf(", and %d more", len(m.lost)-1-i)
			break
		}
		more += ", " + failure.Legible(m.lost[1+i].name)
	}
	if more != "" {
		more = "; the same goes for " + more[2:]
	}
	return wrap(ErrMigration, "%s, %s, is in the file and not in the program%s; add "+
		"Migrate(%q, …) or Drop(%q) to Options.Migrations%s", failure.Legible(f.name), f.shape,
		near, f.field, f.name, more)
}

// nearest returns up to three of all names, the most similar ones first.
func nearest(name string, all []string) []string {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b string) int {
		return cmp.Compare(tool.Distance(name, a), tool.Distance(name, b))
	})
	return all[:min(3, len(all))]
}

// A matcher decides what becomes of the kinds and fields of a file.
type matcher struct {
	plan    *plan
	options *Options
	known   map[string]layout.Count // the program's kinds
	place   int                     // the place of the next foreign kind
	found   []bool                  // per migration: the file contains its source
	lost    []lost
	unknown []string // what Options.DropFields drops
}

// A lost is a field or a part of the file that the program lacks and no migration mentions.
type lost struct {
	name    string   // as Drop takes it
	field   string   // as Migrate takes it
	shape   string   // its type
	nearest []string // similar names of the program
}

// checkMigrations refuses migrations whose targets the world lacks.
func (m *matcher) checkMigrations() error {
	m.found = make([]bool, len(m.options.Migrations))
	for n := range m.options.Migrations {
		to := &m.options.Migrations[n]
		switch goal := to.goal(); {
		case to.drop:
		case to.to == nil && goal == nil:
			return wrap(ErrMigration, "number %d of Options.Migrations is the zero Migration; "+
				"make it by Migrate, MigrateKind or Drop", n)
		case goal == nil:
			return wrap(ErrMigration, "%s: the field has no kind; name it in NewKind", to)
		case m.known[goal.Name].Kind.Spec() != goal:
			return wrap(ErrMigration, "%s: the counts have no such kind %s; add it to Counts, or "+
				"leave out the migration", to, layout.Quoted(goal.Name))
		}
	}
	return nil
}

// nameOf returns the program's name for a kind of the file.
func (m *matcher) nameOf(k *FileKind) string {
	name := k.Name
	for n := range m.options.Migrations {
		from := &m.options.Migrations[n]
		if from.kind == nil || m.plan.header.hasKind(from.kind.Name) {
			continue
		}
		if to := systems.ReadersOf + from.kind.Name; systems.ReadersOf+from.from == name &&
			m.known[to].Kind.Spec() != nil {
			return to // the kind of the readers is renamed with its events
		}
		if from.from != name {
			continue
		}
		if !m.found[n] {
			m.found[n] = true
			m.plan.report.Migrated = append(m.plan.report.Migrated, from.String())
		}
		return from.kind.Name
	}
	return name
}

// drops reports whether a migration drops one of these names of the file.
func (m *matcher) drops(names ...string) bool {
	n := slices.IndexFunc(m.options.Migrations, func(to Migration) bool {
		return to.drop && slices.Contains(names, to.from)
	})
	if n >= 0 {
		m.found[n] = true
	}
	return n >= 0
}

// checkUnused reports migrations without effect. It refuses them if they would leave values behind,
// or are misspelt.
func (m *matcher) checkUnused() error {
	unknown := m.unknown // names that the program lacks
	for i := range m.lost {
		unknown = append(unknown, m.lost[i].name)
	}
	for i := range m.plan.kinds {
		if k := &m.plan.kinds[i]; k.kind.Spec() != nil && m.known[k.name].Kind.Spec() == nil {
			unknown = append(unknown, k.from.Name)
		}
	}
	for n, found := range m.found {
		if found {
			continue
		}
		of := &m.options.Migrations[n]
		m.plan.report.Unused = append(m.plan.report.Unused, of.String())
		has, err := m.has(of)
		at := slices.IndexFunc(unknown, func(name string) bool { return near(of.from, name) })
		if err == nil && !has && at >= 0 {
			err = wrap(ErrMigration, "%s: the file has no %s; it has %s, which the program lacks: "+
				"correct the name, or leave out the migration", of, failure.Legible(of.from),
				failure.Legible(unknown[at]))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// has reports whether the file contains the source or the target of an unused migration. It refuses
// the migration if its source has values and does not become the target's kind.
func (m *matcher) has(unused *Migration) (has bool, err error) {
	goal, behind := unused.goal(), ""
	for i := range m.plan.kinds {
		of := &m.plan.kinds[i]
		k := of.from
		from := unused.kind != nil && k.Name == unused.from || slices.ContainsFunc(k.Fields,
			func(f *layout.FieldSpec) bool {
				return unused.to != nil && k.Name+"."+f.Name == unused.from
			})
		switch {
		case goal == nil: // a Drop
		case of.name == goal.Name:
			has = has || from || unused.kind != nil || slices.ContainsFunc(of.columns,
				func(c column) bool { return c.to == unused.to })
		case from && of.rows > 0 && of.kind.Spec() != nil:
			behind = k.Name
		}
	}
	if behind == "" || has && m.known[behind].Kind.Spec() != nil {
		return has, nil
	}
	return has, wrap(ErrMigration, "%s: the file's %s does not become %s, and its values would "+
		"stay behind; add MigrateKind if the file has no %[3]s, or Drop(%[4]q)", unused,
		failure.Legible(behind), layout.Quoted(goal.Name), behind)
}

// near reports whether name may be a misspelling of other: at most a third of the letters differ.
func near(name, other string) bool {
	kind, field, _ := strings.Cut(name, ".")
	of, otherField, _ := strings.Cut(other, ".")
	if kind == of {
		name, other = field, otherField
	}
	return 3*tool.Distance(name, other) <= len(other)+2
}
