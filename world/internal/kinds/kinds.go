// Package kinds says what the kinds, recipes and watchers of a world are, as bytes: in save files
// and in the heads of worlds in memory.
//
//	kind     text name, u8 flags, u32 rows, u16 fields
//	  field  text name, u32 parts
//	    part text name, u8 type, u32 lanes
//	         the default of one component
//	recipe   text name
//	watcher  text name and rules
//
// Numbers are little-endian; a text is a u16 and as many bytes. docs/FORMAT.md describes it.
//
// Write: [World.Check], [World.Append], [AppendText]. Read: [World.Read], from a [Cursor], which
// may hold any bytes: what is allocated is bounded by these. [Kind.Declare] declares a kind that
// was read. What holds a [World] has its header, its checksum and its errors of its own.
package kinds

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// What there may be at most.
const (
	Most     = 1<<16 - 1 // kinds, recipes, watchers
	MostText = 1<<16 - 1 // bytes
	NoField  = 1<<16 - 1 // kinds have fewer fields
)

// Flags of a kind.
const (
	flagMark = 1 << iota
	flagValues
	flagPacked
	flagFree
)

var little = binary.LittleEndian

// elementTypes are the codes of element types, from 1.
var elementTypes = tool.ElementTypes()

// A Kind says what a kind of a world is.
type Kind struct {
	Name   string
	Rows   int
	Mark   bool
	Values bool // Go values
	Packed bool
	Free   bool // room for every object, and no count of its own
	Fields []*layout.FieldSpec
}

// A World says what a world has room for.
type World struct {
	Kinds    []Kind
	Recipes  []string
	Watchers []string // their names and rules
}

// Of returns what a world of a shape has room for.
func Of(shape *tool.Shape) World {
	w := World{Watchers: shape.Watchers}
	for _, c := range shape.Kinds {
		spec := c.Kind.Spec()
		w.Kinds = append(w.Kinds, Kind{
			Name: spec.Name, Rows: c.Rows, Mark: spec.Mark, Values: spec.Values != nil,
			Packed: c.Packed && !spec.Mark, Free: c.Free, Fields: spec.Fields,
		})
	}
	for _, r := range shape.Recipes {
		w.Recipes = append(w.Recipes, r.String())
	}
	return w
}

// Check returns an error where w is more than can be said.
func (w *World) Check() error {
	if n := max(len(w.Kinds), len(w.Recipes), len(w.Watchers)); n > Most {
		return fmt.Errorf("%d kinds, recipes or watchers; a file has %d at most", n, Most)
	}
	for i := range w.Kinds {
		k := &w.Kinds[i]
		if len(k.Name) > MostText || len(k.Fields) >= NoField {
			return fmt.Errorf("kind %.40q… has too long a name or too many fields", k.Name)
		}
		for _, f := range k.Fields {
			if len(f.Name) > MostText {
				return fmt.Errorf("field %.40q… has too long a name", f.Name)
			}
		}
	}
	for _, text := range slices.Concat(w.Recipes, w.Watchers) {
		if len(text) > MostText {
			return fmt.Errorf("%.40q… is too long to be saved", text)
		}
	}
	return nil
}

// Append appends w, which was checked.
func (w *World) Append(b []byte) []byte {
	for i := range w.Kinds {
		b = w.Kinds[i].append(b)
	}
	for _, text := range slices.Concat(w.Recipes, w.Watchers) {
		b = AppendText(b, text)
	}
	return b
}

func (k *Kind) append(b []byte) []byte {
	var flags byte
	for i, set := range []bool{k.Mark, k.Values, k.Packed, k.Free} {
		if set {
			flags |= 1 << i
		}
	}
	b = append(AppendText(b, k.Name), flags)
	b = little.AppendUint32(b, uint32(k.Rows))
	b = little.AppendUint16(b, uint16(len(k.Fields)))
	for _, f := range k.Fields {
		b = little.AppendUint32(AppendText(b, f.Name), uint32(len(f.Parts)))
		for _, p := range f.Parts {
			b = append(AppendText(b, p.Name), CodeOf(p.Type))
			b = little.AppendUint32(b, uint32(p.Lanes))
		}
		b = append(b, f.Default...)
	}
	return b
}

// CodeOf returns the code of the type of an element; 0: there is no such type.
func CodeOf(element string) byte { return byte(1 + slices.Index(elementTypes, element)) }

// AppendText appends a text and before it its length.
func AppendText(b []byte, s string) []byte {
	return append(little.AppendUint16(b, uint16(len(s))), s...)
}

// encoded is a kind of Go values that are kept as they were read.
var encoded = layout.NewValues[[]byte]("encoded", nil)

// Declare declares a kind that was read, in a place among those of its world.
func (k *Kind) Declare(place int) (layout.Kind, error) {
	spec := layout.KindSpec{Name: k.Name, Mark: k.Mark}
	if k.Values {
		spec.Values = encoded.Kind().Spec().Values
	}
	fields := make([]layout.AnyField, len(k.Fields))
	for i, f := range k.Fields {
		made, err := f.Foreign()
		if fields[i] = made; err != nil {
			return layout.Kind{}, fmt.Errorf("%s: %w", layout.Quoted(k.Name), err)
		}
	}
	return spec.Foreign(place, fields...), nil
}
