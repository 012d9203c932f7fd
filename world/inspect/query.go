package inspect

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A rule reports whether a query matches an object.
type rule func(world.GameObject) bool

// ruleOf parses a query such as "position, seat=nobody, hp < 10, !frozen": objects with these
// kinds, references and values; an exclamation mark negates a clause. It returns nil for an empty
// text.
func (v *view) ruleOf(text string) (rule, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var all []rule
	for word := range strings.SplitSeq(text, ",") {
		word, not := strings.CutPrefix(strings.TrimSpace(word), "!")
		holds, err := v.clauseOf(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		all = append(all, func(id world.GameObject) bool { return holds(id) != not })
	}
	return func(id world.GameObject) bool {
		return !slices.ContainsFunc(all, func(holds rule) bool { return !holds(id) })
	}, nil
}

// clauseOf parses the name of a kind, or a relation with a target: "seat=nobody", "seat=12v3".
func (v *view) clauseOf(word string) (rule, error) {
	name, target, found := word, "", false
	if i := strings.LastIndexByte(word, '='); i >= 0 && v.kind(word) == nil {
		name, target, found = strings.TrimSpace(word[:i]), strings.TrimSpace(word[i+1:]), true
	}
	k := v.kind(name)
	if (k == nil || found && !k.Relation) && strings.ContainsAny(word, "<>=") {
		holds, err := v.comparing(word)
		if r, refused := errors.AsType[*refusal](err); k == nil || !refused || r.status != 404 {
			return holds, err
		}
	}
	switch {
	case k == nil:
		return nil, notFound("this world has no kind %.80q; api/kinds lists them", name)
	case k.Role == roleBeside:
		return nil, badRequest("%s is on no object, so none has it", name)
	case !found:
		return func(id world.GameObject) bool { return world.Has(v.state, id, k.kind) }, nil
	}
	return v.referring(k.spec(), target)
}

// referring returns the rule for objects that refer to a target, or to nobody, by a relation.
// Objects without the relation's kind refer to nobody.
func (v *view) referring(k *layout.KindSpec, target string) (rule, error) {
	if k.Relation == nil {
		return nil, badRequest("%s is not a relation; ask by its name for objects with it", k.Name)
	}
	wanted := world.Nobody
	if target != "nobody" {
		var err error
		if wanted, err = v.idOf(target); err != nil {
			return nil, err
		}
	}
	reference := k.Relation.Handle()
	return func(id world.GameObject) bool {
		to, _ := world.Get(v.state, id, reference)
		return to == wanted
	}, nil
}

// search returns the objects that match a text and a rule, in ascending order: the object with that
// id, and objects whose names contain the text, ignoring case. The empty text matches all objects.
func (v *view) search(text string, holds rule) (found []world.GameObject) {
	add := func(id world.GameObject) {
		if holds == nil || holds(id) {
			found = append(found, id)
		}
	}
	if text == "" {
		for id := range world.GameObjects(v.state) {
			add(id)
		}
		return found
	}
	if id, err := v.idOf(text); err == nil {
		add(id)
	}
	if v.kind(world.NameKind.String()) == nil {
		return found
	}
	wanted := bytes.ToLower([]byte(text))
	var name, small []byte
	for row := range world.All(v.state, world.NameKind) {
		id, _ := world.ObjectOf(v.state, world.NameKind, row)
		name, _ = systems.AppendName(name[:0], v.state, id)
		if small = bytes.ToLower(name); bytes.Contains(small, wanted) {
			add(id)
		}
	}
	slices.SortFunc(found, func(a, b world.GameObject) int {
		return cmp.Compare(a.Index(), b.Index())
	})
	return slices.Compact(found)
}

// operators are the comparisons of queries. Longer operators precede their prefixes.
var operators = []struct {
	text  string
	holds func(x, y float64) bool
}{
	{"<=", func(x, y float64) bool { return x <= y }},
	{">=", func(x, y float64) bool { return x >= y }},
	{"!=", func(x, y float64) bool { return x != y }},
	{"<", func(x, y float64) bool { return x < y }},
	{">", func(x, y float64) bool { return x > y }},
	{"=", func(x, y float64) bool { return x == y }},
}

// A compared is a lane of a field that a query compares with a number.
type compared struct {
	field *layout.FieldSpec
	part  *layout.Part
	lane  int
}

// comparing parses "hp < 10" or "drone.Pos.Y >= 3": objects that have the component and such a
// value.
func (v *view) comparing(word string) (rule, error) {
	at, by := len(word), operators[0]
	for _, o := range operators {
		if i := strings.Index(word, o.text); i >= 0 && i < at {
			at, by = i, o
		}
	}
	c, err := v.laneNamed(strings.TrimSpace(word[:at]))
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(word[at+len(by.text):])
	if c.part.Type == "id" {
		return v.comparingIDs(c, by.text, text)
	}
	bits, err := v.parse(c.part, text)
	lane := binary.LittleEndian.AppendUint64(nil, bits)[:c.part.Size()]
	y, exact := tool.Number(c.part.Type, lane), err == nil && strings.Contains(c.part.Type, "int64")
	if err != nil && c.part.Type != "bool" {
		y, err = strconv.ParseFloat(text, 64) // for example 1.5, for an integer
	}
	if err != nil {
		return nil, badRequest("%.40q is no %s; write it as in %s %s 1", text, c.part.Type,
			c.field.Title(*c.part), by.text)
	}
	return func(id world.GameObject) bool {
		lane := c.laneOf(v, id)
		if lane == nil {
			return false
		}
		x := tool.Number(c.part.Type, lane)
		if x == y && exact { // beyond 2⁵³ other integers round to it, too
			return by.holds(float64(int64(binary.LittleEndian.Uint64(lane)-bits)), 0)
		}
		return by.holds(x, y)
	}, nil
}

// laneOf returns the bytes of an object's lane, or nil.
func (c *compared) laneOf(v *view, id world.GameObject) []byte {
	value, _ := tool.ValueOf(v.state, c.field, id)
	if value == nil {
		return nil
	}
	return c.part.Bytes(value)[c.lane*c.part.Size():][:c.part.Size()]
}

func (v *view) comparingIDs(c compared, operator, text string) (rule, error) {
	if operator != "=" && operator != "!=" {
		return nil, badRequest("%s is an id: ask by = or !=", c.field.Title(*c.part))
	}
	wanted, err := v.parseID(text)
	if err != nil {
		return nil, err
	}
	return func(id world.GameObject) bool {
		lane := c.laneOf(v, id)
		return lane != nil &&
			(world.GameObject(binary.LittleEndian.Uint64(lane)) == wanted) == (operator == "=")
	}, nil
}

// laneNamed finds a lane by its name on the page: "hp", "position.xyz[1]", "drone.Pos.Y".
func (v *view) laneNamed(name string) (c compared, err error) {
	lane, counted, bare := 0, false, ""
	if open := strings.LastIndexByte(name, '['); open >= 0 && strings.HasSuffix(name, "]") {
		if n, err := strconv.Atoi(name[open+1 : len(name)-1]); err == nil && n >= 0 {
			lane, counted, bare = n, true, name[:open]
		}
	}
	for _, k := range v.known.kinds {
		if k.Role == roleBeside {
			continue
		}
		for _, f := range k.spec().Fields {
			if f.List != nil && f.Title(layout.Part{}) == name {
				return c, badRequest("%s is a list, which compares with no number; ask who has %s",
					name, k.Name)
			}
			if f.List != nil {
				continue // its elements come with their own parts
			}
			for p := range f.Parts {
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
