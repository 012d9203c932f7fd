package save

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

// Kinds of a file that belong together are recognized by their names.

// indexOf returns the index of a kind, or -1.
func (h *header) indexOf(kind string) int {
	return slices.IndexFunc(h.kinds, func(k FileKind) bool { return k.Name == kind })
}

func (h *header) hasKind(name string) bool { return h.indexOf(name) >= 0 }

// bytes returns the size of a kind in a world in bytes, rounded up.
func (k *FileKind) bytes(rows, objects uint64) uint64 {
	const declared = 12 << 10 // bytes for a kind without rows
	n := declared + objects
	if k.Mark {
		return n
	}
	perRow := uint64(16)
	if k.Values {
		perRow += 32 // a slice, and a short backing array
	}
	for _, f := range k.Fields {
		perRow += uint64(f.Stride)
	}
	return n + rows*perRow + min(rows, objects/64+1)*256 // rows out of lockstep
}

// isLast reports whether k stores the last values that a watcher of the file keeps. They are
// useless without that watcher: [systems.Watcher.Keep] names the kinds after its rules.
func (h *header) isLast(k *FileKind) bool {
	before := map[string]int{}
	for _, rules := range h.watchers {
		name := rules
		if n := before[rules]; n > 0 {
			name = fmt.Sprintf("%d: %s", n, rules)
		}
		before[rules]++
		for _, list := range []string{"gone: ", "left: "} {
			rest, ok := strings.CutPrefix(k.Name, list+name)
			if ok && (rest == "" || k.Values && strings.HasPrefix(rest, ": ")) {
				return true
			}
		}
	}
	return false
}

// hasRandom reports whether the file contains the random state of a world with Counts.Seed. A kind
// of the program may have the same name as that resource.
func (h *header) hasRandom() bool {
	i := h.indexOf("random source")
	return i >= 0 && slices.EqualFunc(h.kinds[i].Fields, []string{"seed", "state"},
		func(f *layout.FieldSpec, name string) bool { return f.Name == name })
}

// hasEvents reports whether the file contains events with this name, and their readers.
func (h *header) hasEvents(name string) bool {
	i := h.indexOf(systems.ReadersOf + name)
	return i >= 0 && h.hasKind(name) && len(h.kinds[i].Fields) > 1 &&
		h.kinds[i].Fields[0].Name == "sent"
}

// reader returns the name of the reader whose position field stores.
func (k *FileKind) reader(field string) string {
	return "reader " + layout.Quoted(strings.TrimPrefix(field, systems.ReadBy)) + " of " +
		layout.Quoted(strings.TrimPrefix(k.Name, systems.ReadersOf))
}

// A list of the file has two further kinds. They are loaded with the list, or not at all.

// run is the type of a list's field.
var run = layout.NewTextField("run").Spec()

// listName returns the prefix of the names of a list's kinds.
func (k *FileKind) listName(f *layout.FieldSpec) string {
	if k.Name == f.Name {
		return k.Name
	}
	return k.Name + "." + f.Name
}

// isList reports whether a field of the file is a list.
func (h *header) isList(k *FileKind, f *layout.FieldSpec) bool {
	rows, free := tool.ListKinds(k.listName(f))
	return slices.Equal(f.Parts, run.Parts) && h.hasKind(rows) && h.hasKind(free)
}

// ofList returns the kind and the field whose elements or free runs k stores, or nil.
func (h *header) ofList(k *FileKind) (*FileKind, *layout.FieldSpec) {
	for i := range h.kinds {
		of := &h.kinds[i]
		for _, f := range of.Fields {
			rows, free := tool.ListKinds(of.listName(f))
			if (k.Name == rows || k.Name == free) && h.isList(of, f) {
				return of, f
			}
		}
	}
	return nil, nil
}

// declare declares the kinds of the list that field j of kind i is, and returns the field. It
// returns an error if the other kinds do not fit a list. rows are the numbers of rows per kind.
func (h *header) declare(i, j int, rows []uint64) (*layout.FieldSpec, error) {
	k := &h.kinds[i]
	elements, free := tool.ListKinds(k.listName(k.Fields[j]))
	var counts []layout.Count
	for place, at := range [...]int{i, h.indexOf(elements), h.indexOf(free)} {
		d := h.kinds[at].described()
		declared, err := d.Declare(place)
		if err != nil {
			return nil, damaged("%v", err)
		}
		counts = append(counts, layout.Count{Kind: declared, Rows: int(rows[at])})
	}
	tool.LinkLists(counts)
	return counts[0].Kind.Fields()[j], nil
}

func (h *header) partIndex(o owner, of, field int, name string) int {
	return slices.IndexFunc(h.parts, func(p part) bool {
		return p.owner == o && p.of == of && p.field == field && p.name == name
	})
}
