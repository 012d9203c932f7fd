package pack

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/codec"
)

// An arrival is a kind of a pack that is being read.
type arrival struct {
	kind
	moves   bool // the kind is packed in the world
	leave   bool // the kind is omitted
	fields  []*layout.FieldSpec
	rows    int                // components in the pack
	column  layout.ValueColumn // its Go values, in the order of the pack
	done    int                // number of values that are in the world
	parents []uint32           // of a tree, by place: the place of the parent in the pack, plus 1
}

// Terms say how to read the kinds of a pack.
type terms struct {
	dictionary     *dictionary
	codecs         []codec.Codec
	withoutGlobals bool
}

// A schema is the kinds of a pack that is being read, as found in the world.
type schema struct {
	terms   terms
	kinds   []arrival
	fields  []*layout.FieldSpec // of the kinds
	columns map[*layout.KindSpec]layout.ValueColumn
}

// read reads a pack's n kinds, and finds them in the world.
func (c *schema) read(s world.State, r *reader, n int) error {
	c.kinds = c.kinds[:0]
	for range n {
		k, err := c.readKind(s, r)
		if err != nil {
			return err
		}
		for i := range c.kinds {
			if c.kinds[i].spec == k.spec {
				return damaged("%s stands in it twice", layout.Quoted(k.spec.Name))
			}
		}
		c.kinds = append(c.kinds, k)
	}
	return nil
}

// readKind reads the next kind.
func (c *schema) readKind(s world.State, r *reader) (k arrival, err error) {
	b := r.Take(5)
	if len(b) < 5 || b[0] >= sorts {
		return k, damaged("a kind is cut off, or of no sort")
	}
	k.sort = b[0]
	fields := int(little.Uint16(b[3:]))
	name := r.Take(int(little.Uint16(b[1:])))
	if len(name) == 0 || fields > 0 && k.sort != withFields && k.sort != withGlobal {
		return k, damaged("a kind has no name, or fields that it cannot have")
	}
	a := systems.ArenaOf(s)
	for n := range systems.ToolsOf(s).OnObjects() {
		if spec := a.Managers[n].Kind; spec.Name == string(name) {
			k.spec, k.number = spec, n
		}
	}
	switch {
	case k.spec == nil && c.terms.withoutGlobals && string(name) == Global.String():
		k.spec = Global.Spec()
	case k.spec == nil:
		return k, wrap(ErrSchema, "the world has no kind %s; add its Count to Counts.Kinds, or "+
			"for names and global ids set Counts.Names and Counts.Globals",
			layout.Quoted(string(name)))
	case k.sort != sortOf(k.spec):
		return k, wrap(ErrSchema, "%s is a mark, values or has fields, in one of the pack and "+
			"the world; give one of them another name", layout.Quoted(k.spec.Name))
	}
	k.leave = k.sort == withGlobal && c.terms.withoutGlobals
	k.moves = !k.leave && a.Managers[k.number].Packed
	if k.sort == withValue {
		k.column = c.columnOf(k.spec)
	}
	if err := k.findCodec(c.terms.codecs); err != nil {
		return k, err
	}
	err = c.readFields(r, &k, fields)
	return k, err
}

// readFields reads the fields of a kind, and finds them among the fields of the program. The
// program's other fields keep their defaults.
func (c *schema) readFields(r *reader, k *arrival, n int) error {
	first := len(c.fields)
	for range n {
		name := r.Take(int(r.Number(2)))
		rest := r.Take(12)
		if rest == nil {
			return damaged("a field of %s is cut off", layout.Quoted(k.spec.Name))
		}
		at := slices.IndexFunc(k.spec.Fields, func(f *layout.FieldSpec) bool {
			return f.Name == string(name)
		})
		if at < 0 {
			return wrap(ErrSchema, "%s has no field %s", layout.Quoted(k.spec.Name),
				layout.Quoted(string(name)))
		}
		spec := k.spec.Fields[at]
		switch {
		case little.Uint32(rest) != sizeOf(spec),
			little.Uint64(rest[4:]) != c.terms.dictionary.hashOf(spec):
			return wrap(ErrSchema, "%s of %s has another type in the program, %s of %s",
				spec.Title(layout.Part{}), sizeText(little.Uint32(rest)), valueOf(spec).Shape(),
				sizeText(sizeOf(spec)))
		}
		if slices.Contains(c.fields[first:], spec) {
			return damaged("%s stands in it twice", spec.Title(layout.Part{}))
		}
		c.fields = append(c.fields, spec)
	}
	k.fields = c.fields[first:]
	return nil
}

// columnOf returns the column into which the values of a kind are decoded.
func (c *schema) columnOf(k *layout.KindSpec) layout.ValueColumn {
	column := c.columns[k]
	if column == nil {
		if c.columns == nil {
			c.columns = make(map[*layout.KindSpec]layout.ValueColumn)
		}
		column = k.Values.Make(0)
		c.columns[k] = column
	}
	return column
}

// release drops the references to the kinds and the decoded values.
func (c *schema) release() {
	for i := range c.kinds {
		if k := &c.kinds[i]; k.column != nil {
			for row := range k.rows {
				k.column.Reset(row)
			}
		}
	}
	c.kinds, c.fields, c.terms = c.kinds[:0], c.fields[:0], terms{}
}
