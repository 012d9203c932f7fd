package kinds

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// A Form is one of the ways in which kinds are written.
type Form uint8

// Forms.
const (
	Files  Form = iota // of save files
	Memory             // of heads, whose kinds may be free
)

var errShort = errors.New("it ends early")

// A Cursor reads bytes, which may be any. After the first thing that cannot be it reads zeros.
type Cursor struct {
	Rest []byte
	Err  error // the first; nil: none
}

// Refuse says what cannot be, if it is the first.
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

// Number returns the number in the next bytes, 8 at most.
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

// Read reads what [World.Append] has written: so many kinds, recipes and watchers. If c.Err is not
// nil afterwards, w is unusable. What it allocates is bounded by the bytes of c.
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

// kind reads a kind, whose name is none of names.
func (c *Cursor) kind(form Form, names map[string]bool) Kind {
	k := Kind{Name: c.Text()}
	flags := c.Number(1)
	k.Mark, k.Values = flags&flagMark != 0, flags&flagValues != 0
	k.Packed, k.Free = flags&flagPacked != 0, flags&flagFree != 0
	rows, fields := c.Number(4), c.Number(2)
	k.Rows = int(rows)
	known := uint64(flagMark | flagValues | flagPacked)
	if form == Memory {
		known = flagMark | flagPacked | flagFree
	}
	switch {
	case c.Err != nil:
	case k.Name == "" || names[k.Name]:
		c.Refuse("a kind has no name, or that of another")
	case flags&^known != 0 || k.Mark && (k.Values || k.Packed),
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

// field reads a field, whose name is none of names.
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

// parts reads the parts of a field. What they take is bounded by the bytes; what they say is for
// FieldSpec.Foreign to judge.
func (c *Cursor) parts() (parts []layout.Part) {
	at := 0
	for i, n := uint64(0), c.Number(4); i < n && c.Err == nil; i++ {
		p := layout.Part{Offset: at, Name: c.Text()}
		code, lanes := c.Number(1), c.Number(4)
		if code == 0 || code > uint64(len(elementTypes)) || lanes > layout.MaxStride {
			return nil // no field can be so
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
