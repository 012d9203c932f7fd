package save

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world/internal/kinds"
)

// Fields and parts that the program lacks may be set aside: a foreign kind has them, on the objects
// that have the kind they were of, in the rows of that kind. Each of its fields is one part.
//
//	file        boat {speed {X, Y}, crew}
//	program     boat {speed {X}}
//	world       boat {speed {X}}, "kept: boat: speed" {Y}, "kept: boat: crew" {crew}

const asidePrefix = "kept: "

// asideName returns the name of the kind that has what was set aside of a field.
func asideName(kind, field string) string {
	return asidePrefix + layout.Quoted(kind) + ": " + layout.Quoted(field)
}

// isAside reports whether k has what was set aside.
func (k *FileKind) isAside() bool {
	return !k.Mark && !k.Values && strings.HasPrefix(k.Name, asidePrefix) &&
		!slices.ContainsFunc(k.Fields, func(f FileField) bool {
			return len(f.Parts) != 1 || f.Parts[0].Name != ""
		})
}

// isAsideOf reports whether a name is that of [asideName], or such a name with a number.
func isAsideOf(name, kind, field string) bool {
	rest, ok := strings.CutPrefix(name, asideName(kind, field))
	number, numbered := strings.CutPrefix(rest, ", ")
	return ok && (rest == "" || numbered && isDigits(number))
}

// asideField returns the name that a part of a field has as a field of its own.
func asideField(field, part string) string {
	if part == "" {
		return field
	}
	return part
}

// An aside is a foreign kind that has the rows of a kind of the file.
type aside struct {
	of   int // kind of the file
	kind layout.Kind
}

// A detour is a part of a file's field that goes to a field of an aside.
type detour struct {
	to   *layout.FieldSpec
	from int // offset in the file's value
}

// setAside gives parts of a file's field, nil for all, a kind, and notes that they go there.
func (l *loader) setAside(i, j int, c *column, parts []string) error {
	k := &l.header.kinds[i]
	f := &k.Fields[j]
	a := FileKind{Name: asideName(k.Name, f.Name), Rows: k.Rows, Packed: k.Packed}
	var from []int
	for n := range f.Parts {
		p := &f.Parts[n]
		if parts != nil && !slices.Contains(parts, p.Name) {
			continue
		}
		alone := layout.Part{Type: p.Type, Lanes: p.Lanes}
		a.Fields = append(a.Fields, FileField{
			Name: asideField(f.Name, p.Name), Parts: []layout.Part{alone},
			Stride: p.Lanes * p.Size(), Default: p.Bytes(f.Default),
		})
		from = append(from, p.Offset)
	}
	if len(a.Fields) >= noField || len(a.Name) > kinds.MostText/2 {
		return wrap(ErrSchema, "%.40q… has %d parts that the program lacks: too many to be "+
			"kept, or too long a name; Drop it", f.Name, len(a.Fields))
	}
	to, err := l.asideKind(&a, int(l.rows[i]))
	if err != nil {
		return err
	}
	l.asides = append(l.asides, aside{i, to})
	l.reset(to)
	for n := range a.Fields {
		at := slices.IndexFunc(to.Fields(), func(g *layout.FieldSpec) bool {
			return g.Name == a.Fields[n].Name
		})
		c.detours = append(c.detours, detour{to.Fields()[at], from[n]})
	}
	return nil
}

// asideKind returns a kind of the world for what is set aside: one that the counts have from an
// earlier loading, or a new one, with a number if the name is taken.
func (l *loader) asideKind(a *FileKind, rows int) (layout.Kind, error) {
	name := a.Name
	for n := 2; ; n++ {
		used := l.header.hasKind(a.Name) || slices.ContainsFunc(l.asides, func(b aside) bool {
			return b.kind.String() == a.Name
		})
		c, known := l.known[a.Name]
		switch {
		case used:
		case !known:
			c, err := l.keep(a, rows)
			return c.Kind, err
		case a.fits(c) && c.Rows >= rows:
			return c.Kind, nil
		}
		a.Name = fmt.Sprintf("%s, %d", name, n)
	}
}

// fits reports whether a foreign kind of the counts has all fields of k.
func (k *FileKind) fits(c layout.Count) bool {
	spec := c.Kind.Spec()
	return spec.Place > 0 && c.Packed == k.Packed && k.Values == (spec.Values != nil) &&
		!slices.ContainsFunc(k.Fields, func(f FileField) bool {
			return !slices.ContainsFunc(spec.Fields, func(g *layout.FieldSpec) bool {
				return g.Name == f.Name && slices.Equal(g.Parts, f.Parts)
			})
		})
}

// copyRows gives the kinds of what was set aside the rows of those it was of.
func (l *loader) copyRows() error {
	for _, a := range l.asides {
		for _, name := range rowParts {
			p := l.part(a.of, noField, name.name)
			n, _ := p.size()
			if err := l.readPart(p, l.partIn(a.kind, p.name)[:n]); err != nil {
				return err
			}
		}
	}
	return nil
}

// putAside writes the values of a file's field, from a row on, to where they are kept.
func (l *loader) putAside(c *column, row int, src []byte) {
	for _, d := range c.detours {
		dst := l.columnIn(d.to)[row*d.to.Stride:]
		for at := 0; at < len(src); at += c.from.Stride {
			copy(dst[:d.to.Stride], src[at+d.from:])
			dst = dst[d.to.Stride:]
		}
	}
}
