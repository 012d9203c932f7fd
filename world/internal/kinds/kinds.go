// Package kinds encodes and decodes the kinds, recipes and watchers of a world, for save files and
// for the heads of worlds in memory.
//
//	kind     text name, u8 flags, u32 rows, u16 fields
//	  field  text name, u32 parts
//	    part text name, u8 type, u32 lanes
//	         the default of one component
//	recipe   text name
//	watcher  text name and rules
//
// Numbers are little-endian; a text is its length, a u16, and its bytes. See docs/FORMAT.md.
//
// Write: [World.Check], [World.Append], [AppendText]. Read: [World.Read], from a [Cursor], which
// may hold any bytes: their number bounds what Read allocates. [Kind.Declare] declares a kind that
// was read. The formats that contain a [World] add their own header, checksum and errors.
package kinds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// Limits of the encoding.
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
	flagByBlock
)

var little = binary.LittleEndian

// elementTypes are the codes of element types, from 1.
var elementTypes = tool.ElementTypes()

// A Kind describes a kind of a world.
type Kind struct {
	Name   string
	Rows   int
	Mark   bool
	Values bool // Go values
	Packed bool
	Free   bool // room for every object, and no count of its own

	ByBlock bool // rows follow the objects, 64 for each 64
	Fields  []*layout.FieldSpec
}

// A World describes the kinds, recipes and watchers of a world.
type World struct {
	Kinds    []Kind
	Recipes  []string
	Watchers []string // their names and rules
}

// Of returns the description of a world of a shape.
func Of(shape *tool.Shape) World {
	w := World{Watchers: shape.Watchers}
	for _, c := range shape.Kinds {
		spec := c.Kind.Spec()
		w.Kinds = append(w.Kinds, Kind{
			Name: spec.Name, Rows: c.Rows, Mark: spec.Mark, Values: spec.Values != nil,
			Packed: c.Packed && !spec.Mark, Free: c.Free, Fields: spec.Fields,
			ByBlock: c.ByBlock,
		})
	}
	for _, r := range shape.Recipes {
		w.Recipes = append(w.Recipes, r.String())
	}
	return w
}

// Check returns an error if w exceeds a limit of the encoding.
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

// Append appends the encoding of w, which has passed Check, to b.
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
	for i, set := range []bool{k.Mark, k.Values, k.Packed, k.Free, k.ByBlock} {
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

// CodeOf returns the code of an element type, or 0 if there is no such type.
func CodeOf(element string) byte { return byte(1 + slices.Index(elementTypes, element)) }

// AppendText appends a text, preceded by its length.
func AppendText(b []byte, s string) []byte {
	return append(little.AppendUint16(b, uint16(len(s))), s...)
}

// encoded is a kind of Go values that keep the bytes that were read.
var encoded = layout.NewValues[[]byte]("encoded", nil)

// Declare declares a kind that was read, at a place among the kinds of its world.
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

// A Form is the format that contains the kinds.
type Form uint8

// Forms.
const (
	Files  Form = iota // save files
	Memory             // heads of worlds in memory, whose kinds may be free
)

var errShort = errors.New("it ends early")

// A Cursor reads any bytes. After the first error it reads zeros.
type Cursor struct {
	Rest []byte
	Err  error // the first error, or nil
}

// Refuse sets Err, unless it is already set.
func (c *Cursor) Refuse(format string, args ...any) {
	if c.Err == nil {
		c.Err = fmt.Errorf(format, args...)
	}
}

// Take returns the next n bytes, or nil if there are fewer.
func (c *Cursor) Take(n int) []byte {
	if c.Err == nil && (n < 0 || n > len(c.Rest)) {
		c.Err = errShort
	}
	if c.Err != nil {
		return nil
	}
	b := c.Rest[:n:n]
	c.Rest = c.Rest[n:]
	return b
}

// Number returns the number in the next bytes, at most 8.
func (c *Cursor) Number(bytes int) (n uint64) {
	for i, x := range c.Take(bytes) {
		n |= uint64(x) << (8 * i)
	}
	return n
}

// Text returns the next text.
func (c *Cursor) Text() string { return string(c.Take(int(c.Number(2)))) }

func (c *Cursor) texts(n uint32) (all []string) {
	if n > Most {
		c.Refuse("too many recipes or watchers")
	}
	for i := uint32(0); i < n && c.Err == nil; i++ {
		all = append(all, c.Text())
	}
	return all
}

// Read reads the output of [World.Append], with the given numbers of kinds, recipes and watchers.
// If c.Err is not nil afterwards, w is unusable. The bytes of c bound what Read allocates.
func (w *World) Read(c *Cursor, form Form, kinds, recipes, watchers uint32) {
	if kinds > Most {
		c.Refuse("too many kinds")
	}
	names := map[string]bool{}
	for i := uint32(0); i < kinds && c.Err == nil; i++ {
		w.Kinds = append(w.Kinds, c.kind(form, names))
	}
	w.Recipes = c.texts(recipes)
	w.Watchers = c.texts(watchers)
	names = map[string]bool{}
	for _, name := range w.Recipes {
		if names[name] {
			c.Refuse("two recipes are called %s", layout.Quoted(name))
		}
		names[name] = true
	}
}

// kind reads a kind, whose name must not be in names.
func (c *Cursor) kind(form Form, names map[string]bool) Kind {
	k := Kind{Name: c.Text()}
	flags := c.Number(1)
	k.Mark, k.Values = flags&flagMark != 0, flags&flagValues != 0
	k.Packed, k.Free = flags&flagPacked != 0, flags&flagFree != 0
	k.ByBlock = flags&flagByBlock != 0
	rows, fields := c.Number(4), c.Number(2)
	k.Rows = int(rows)
	known := uint64(flagMark | flagValues | flagPacked | flagByBlock)
	if form == Memory {
		known = flagMark | flagPacked | flagFree | flagByBlock
	}
	switch {
	case c.Err != nil:
	case k.Name == "" || names[k.Name]:
		c.Refuse("a kind has no name, or that of another")
	case flags&^known != 0 || k.Mark && (k.Values || k.Packed),
		k.ByBlock && (k.Mark || k.Values || k.Packed),
		(k.Mark || k.Values) && fields != 0, fields >= NoField, rows > tool.MaxRows:
		c.Refuse("kind %s cannot be", layout.Quoted(k.Name))
	}
	names[k.Name] = true
	c.fields(&k, int(fields))
	return k
}

func (c *Cursor) fields(k *Kind, n int) {
	names := map[string]bool{}
	for i := 0; i < n && c.Err == nil; i++ {
		f, err := c.field(names)
		if err != nil {
			c.Refuse("kind %s has a field that cannot be: %w", layout.Quoted(k.Name), err)
			return
		}
		k.Fields = append(k.Fields, f)
	}
}

// field reads a field, whose name must not be in names.
func (c *Cursor) field(names map[string]bool) (*layout.FieldSpec, error) {
	name, parts, stride := c.Text(), c.parts(), 0
	for _, p := range parts {
		stride += p.Lanes * p.Size()
	}
	if c.Err != nil || names[name] || stride > layout.MaxStride {
		return nil, errors.New("a field has the name of another, or is too large")
	}
	names[name] = true
	return layout.FieldSpec{Name: name, Parts: parts, Default: c.Take(stride)}.Foreign()
}

// parts reads the parts of a field. The bytes bound their size; FieldSpec.Foreign checks their
// contents.
func (c *Cursor) parts() (parts []layout.Part) {
	at := 0
	for i, n := uint64(0), c.Number(4); i < n && c.Err == nil; i++ {
		p := layout.Part{Offset: at, Name: c.Text()}
		code, lanes := c.Number(1), c.Number(4)
		if code == 0 || code > uint64(len(elementTypes)) || lanes > layout.MaxStride {
			return nil // invalid in any field
		}
		p.Type, p.Lanes = elementTypes[code-1], int(lanes)
		if at += p.Lanes * p.Size(); at > layout.MaxStride {
			return nil
		}
		if parts = append(parts, p); lanes == 0 {
			break
		}
	}
	return parts
}
