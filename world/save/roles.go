package save

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

// Kinds of a file that belong together are recognized by their names. There may be thousands, so
// the names are looked at once.

// roles are the kinds of a file by their names.
type roles struct {
	kinds map[string]int    // their indexes, plus 1
	lists map[string][2]int // the kind and the field whose elements or free runs they store
	last  map[string]bool   // they store the last values that a watcher of the file keeps
}

// findRoles sets the roles of the kinds.
func (h *header) findRoles() {
	h.roles = roles{map[string]int{}, map[string][2]int{}, map[string]bool{}}
	for i := range h.kinds {
		h.roles.kinds[h.kinds[i].Name] = i + 1
	}
	for i := range h.kinds {
		k := &h.kinds[i]
		for j, f := range k.Fields {
			if !h.isList(k, f) {
				continue
			}
			rows, free := tool.ListKinds(k.listName(f))
			for _, name := range []string{rows, free} {
				if _, ok := h.roles.lists[name]; !ok {
					h.roles.lists[name] = [2]int{i, j}
				}
			}
		}
	}
	h.findLast()
}

// findLast finds the kinds of last values. They are useless without their watcher:
// [systems.Watcher.Keep] names them after its rules.
func (h *header) findLast() {
	names, before := slices.Sorted(maps.Keys(h.roles.kinds)), map[string]int{}
	for _, rules := range h.watchers {
		of := rules
		if n := before[rules]; n > 0 {
			of = fmt.Sprintf("%d: %s", n, rules)
		}
		before[rules]++
		for _, list := range []string{"gone: ", "left: "} {
			at, _ := slices.BinarySearch(names, list+of)
			for _, name := range names[at:] {
				rest, ok := strings.CutPrefix(name, list+of)
				if !ok {
					break
				}
				ofField := h.kinds[h.indexOf(name)].Values && strings.HasPrefix(rest, ": ")
				if rest == "" || ofField {
					h.roles.last[name] = true
				}
			}
		}
	}
}

// indexOf returns the index of a kind, or -1.
func (h *header) indexOf(kind string) int { return h.roles.kinds[kind] - 1 }

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
	if !slices.Equal(f.Parts, run.Parts) {
		return false // before names are put together, for each field of a file
	}
	rows, free := tool.ListKinds(k.listName(f))
	return h.hasKind(rows) && h.hasKind(free)
}

// ofList returns the kind and the field whose elements or free runs k stores, or nil.
func (h *header) ofList(k *FileKind) (*FileKind, *layout.FieldSpec) {
	at, ok := h.roles.lists[k.Name]
	if !ok {
		return nil, nil
	}
	return &h.kinds[at[0]], h.kinds[at[0]].Fields[at[1]]
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

// partIndex returns the index of a part, which must be in the file.
func (h *header) partIndex(o owner, of, field int, name string) int {
	first := 0
	if o == ofKind {
		if first = h.first[of]; field != noField {
			return first + len(h.kinds[of].parts()) + field
		}
	}
	return first + slices.IndexFunc(h.parts[first:], func(p part) bool {
		return p.owner == o && p.of == of && p.field == noField && p.name == name
	})
}
