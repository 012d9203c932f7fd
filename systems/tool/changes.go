package tool

import (
	"bytes"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// A Change lists the objects that differ between two worlds in one respect: whether they are alive;
// whether they have a kind; or their value in a part of a field.
type Change struct {
	Kind    *layout.KindSpec  // nil: whether they are alive
	Field   *layout.FieldSpec // nil: whether they have Kind
	Part    int               // of Field; 0 for a list
	Objects int               // number that differ; 1 for a resource
	First   []gameobject.ID   // the first of them; Nobody for a resource
}

// String names the respect: "alive", "has mark", "position.X".
func (c Change) String() string {
	switch {
	case c.Kind == nil:
		return "alive"
	case c.Field == nil:
		return "has " + layout.Quoted(c.Kind.Name)
	case c.Field.List != nil:
		return c.Field.Title(layout.Part{})
	}
	return c.Field.Title(c.Field.Parts[c.Part])
}

// Changes returns the differences between two worlds of the same counts, in the order of kinds and
// fields, with at most most objects each. It returns the errors of [FirstDifference].
func Changes(a, b systems.State, most int) ([]Change, error) {
	if _, differ, err := FirstDifference(a, b); !differ || err != nil {
		return nil, err
	}
	c := comparison{a: systems.ArenaOf(a), b: systems.ArenaOf(b), most: most}
	alive, resources := c.alive(a, b), map[string]bool{}
	for _, r := range systems.CountsOf(a).Resources {
		resources[r.String()] = true
	}
	onObjects := systems.ToolsOf(a).OnObjects()
	for i := range c.a.Managers {
		x := &c.a.Managers[i]
		y := c.b.Find(x.Kind)
		switch {
		case y == nil:
		case i < onObjects:
			c.components(x, y, alive)
		case resources[x.Kind.Name]:
			c.fields(x, y)
			c.values(0, 0, gameobject.Nobody)
			c.end()
		}
	}
	return c.found, nil
}

// A comparison holds the results of [Changes].
type comparison struct {
	a, b  *manager.Arena
	most  int
	found []Change
	now   []Change // of one kind
	parts []valuePart
}

// A valuePart is a part of a field, in both worlds.
type valuePart struct {
	field *layout.FieldSpec
	x, y  *manager.Manager
	first int // of its parts in now
}

// note records an object that differs.
func (c *comparison) note(n int, id gameobject.ID) {
	now := &c.now[n]
	if now.Objects++; len(now.First) < c.most {
		now.First = append(now.First, id)
	}
}

// end keeps the differences in one kind.
func (c *comparison) end() {
	for _, n := range c.now {
		if n.Objects > 0 {
			c.found = append(c.found, n)
		}
	}
	c.now, c.parts = c.now[:0], c.parts[:0]
}

// alive returns the objects that are alive in both worlds.
func (c *comparison) alive(a, b systems.State) (both []gameobject.ID) {
	c.now = append(c.now, Change{})
	for id := range systems.GameObjects(a) {
		if c.b.Objects.Alive(id) {
			both = append(both, id)
		} else {
			c.note(0, id)
		}
	}
	for id := range systems.GameObjects(b) {
		if !c.a.Objects.Alive(id) {
			c.note(0, id)
		}
	}
	c.end()
	return both
}

// components compares which objects have a kind, and the values of objects that have it in both
// worlds.
func (c *comparison) components(x, y *manager.Manager, alive []gameobject.ID) {
	c.now = append(c.now, Change{Kind: x.Kind})
	c.fields(x, y)
	for _, id := range alive {
		has, too := x.Has(id.Index()), y.Has(id.Index())
		if has != too {
			c.note(0, id)
		}
		if !has || !too || len(c.parts) == 0 {
			continue
		}
		row, _ := x.RowOf(id.Index())
		other, _ := y.RowOf(id.Index())
		c.values(int(row), int(other), id)
	}
	c.end()
}

// fields lists the parts of a kind's fields.
func (c *comparison) fields(x, y *manager.Manager) {
	for _, f := range x.Kind.Fields {
		c.parts = append(c.parts, valuePart{f, x, y, len(c.now)})
		if f.List != nil {
			c.now = append(c.now, Change{Kind: x.Kind, Field: f})
			continue
		}
		for part := range f.Parts {
			c.now = append(c.now, Change{Kind: x.Kind, Field: f, Part: part})
		}
	}
}

// values compares two rows.
func (c *comparison) values(row, other int, id gameobject.ID) {
	for _, p := range c.parts {
		x := valueIn(p.x, p.field, layout.Row(row))
		y := valueIn(p.y, p.field, layout.Row(other))
		switch {
		case bytes.Equal(x, y):
			continue
		case p.field.List != nil:
			c.note(p.first, id)
			continue
		}
		for i := range p.field.Parts {
			if part := &p.field.Parts[i]; !bytes.Equal(part.Bytes(x), part.Bytes(y)) {
				c.note(p.first+i, id)
			}
		}
	}
}
