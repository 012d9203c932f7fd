package inspect

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// operators of queries by values; of two that begin alike the longer is first.
var operators = []string{"<=", ">=", "!=", "<", ">", "="}

// A compared is a lane of a field that a query compares.
type compared struct {
	field *layout.FieldSpec
	part  *layout.Part
	lane  int
}

// comparing reads "hp < 10" or "drone.Pos.Y >= 3": who has that component, and such a value.
func (v *view) comparing(word string) (func(world.GameObject) bool, error) {
	at, operator := len(word), ""
	for _, o := range operators {
		if i := strings.Index(word, o); i >= 0 && i < at {
			at, operator = i, o
		}
	}
	c, err := v.laneNamed(strings.TrimSpace(word[:at]))
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(word[at+len(operator):])
	if c.part.Type == "id" {
		return v.comparingIDs(c, operator, text)
	}
	bits, err := v.parse(c.part, text)
	if err != nil && c.part.Type != "bool" {
		x, numeric := strconv.ParseFloat(text, 64)
		if numeric == nil { // such as 1.5 for an integer
			return c.comparer(v, operator, x), nil
		}
	}
	if err != nil {
		return nil, badRequest("%.40q is no %s; write it as in %s %s 1", text, c.part.Type,
			c.field.Title(*c.part), operator)
	}
	lane := binary.LittleEndian.AppendUint64(nil, bits)[:c.part.Size()]
	return c.comparer(v, operator, tool.Number(c.part.Type, lane)), nil
}

// comparer returns who has a value that compares so with x.
func (c *compared) comparer(
	v *view, operator string, x float64,
) func(world.GameObject) bool {
	return func(id world.GameObject) bool {
		lane := c.of(v, id)
		return lane != nil && compares(tool.Number(c.part.Type, lane), operator, x)
	}
}

// of returns the lane of an object, or nil.
func (c *compared) of(v *view, id world.GameObject) []byte {
	value, _ := tool.ValueOf(v.state, c.field, id)
	if value == nil {
		return nil
	}
	return c.part.Bytes(value)[c.lane*c.part.Size():][:c.part.Size()]
}

func compares(x float64, operator string, y float64) bool {
	switch operator {
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	case ">=":
		return x >= y
	case "!=":
		return x != y
	}
	return x == y
}

func (v *view) comparingIDs(
	c compared, operator, text string,
) (func(world.GameObject) bool, error) {
	if operator != "=" && operator != "!=" {
		return nil, badRequest("%s is an id: ask by = or !=", c.field.Title(*c.part))
	}
	bits, err := v.parseID(text)
	if err != nil {
		return nil, err
	}
	return func(id world.GameObject) bool {
		lane := c.of(v, id)
		return lane != nil && (binary.LittleEndian.Uint64(lane) == bits) == (operator == "=")
	}, nil
}

// laneNamed finds a lane by a name as the page shows it: "hp", "position.xyz[1]", "drone.Pos.Y".
func (v *view) laneNamed(name string) (c compared, err error) {
	lane, counted, bare := 0, false, ""
	if open := strings.LastIndexByte(name, '['); open >= 0 && strings.HasSuffix(name, "]") {
		if n, err := strconv.Atoi(name[open+1 : len(name)-1]); err == nil && n >= 0 {
			lane, counted, bare = n, true, name[:open]
		}
	}
	for i := range v.kinds {
		k := &v.kinds[i]
		if k.Role == roleBeside {
			continue
		}
		for _, f := range k.spec().Fields {
			if f.List != nil && f.Title(layout.Part{}) == name {
				return c, badRequest("%s is a list, which compares with no number; ask who has %s",
					name, k.Name)
			}
			for p := range f.Parts {
				if f.List != nil {
					break // where its elements are
				}
				part := &f.Parts[p]
				switch title := f.Title(*part); {
				case title == name && part.Lanes == 1:
					return compared{f, part, 0}, nil
				case title == name:
					return c, badRequest("%s has %d lanes; ask for one, as %s[0]", name,
						part.Lanes, name)
				case counted && lane < part.Lanes && title == bare:
					return compared{f, part, lane}, nil
				}
			}
		}
	}
	return c, notFound("objects have no kind or field %.80q here; api/kinds lists them", name)
}
