package inspect

import (
	"bytes"
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// idOf reads "12", the object at an index whoever it is, or "12v3", the one of its generation 3.
func (v *view) idOf(text string) (world.GameObject, error) {
	id, err := tool.FindGameObject(v.state, text)
	switch {
	case errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange) ||
		err == nil && id == world.Nobody:
		return 0, badRequest(
			"%q is no object; give an index, as 12, or with the generation, as 12v3", text)
	case err != nil:
		return 0, notFound("no game object is alive at index %s", text)
	case !world.Alive(v.state, id):
		return 0, notFound("game object %v is alive no more, or was never", id)
	}
	return id, nil
}

// ruleOf reads "position, seat=nobody, hp < 10, !frozen": who has these kinds, refers to these
// objects, has such values, and has or does none of those with a mark of exclamation. Without a
// text there is no rule.
func (v *view) ruleOf(text string) (func(world.GameObject) bool, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var all []func(world.GameObject) bool
	for word := range strings.SplitSeq(text, ",") {
		word, not := strings.CutPrefix(strings.TrimSpace(word), "!")
		holds, err := v.clauseOf(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		all = append(all, func(id world.GameObject) bool { return holds(id) != not })
	}
	return func(id world.GameObject) bool {
		return !slices.ContainsFunc(all, func(holds func(world.GameObject) bool) bool {
			return !holds(id)
		})
	}, nil
}

// clauseOf reads the name of a kind, or a relation and what it refers to: "seat=nobody",
// "seat=12v3".
func (v *view) clauseOf(word string) (func(world.GameObject) bool, error) {
	name, target, found := word, "", false
	if _, ok := v.names[word]; !ok {
		if i := strings.LastIndexByte(word, '='); i >= 0 {
			name, target, found = strings.TrimSpace(word[:i]), strings.TrimSpace(word[i+1:]), true
		}
	}
	n, ok := v.names[name]
	if (!ok || found && v.kinds[n].spec().Relation == nil) && strings.ContainsAny(word, "<>=") {
		holds, err := v.comparing(word)
		if r, refused := errors.AsType[*refusal](err); !ok || !refused || r.status != 404 {
			return holds, err
		}
	}
	if !ok {
		return nil, notFound("this world has no kind %.80q; api/kinds lists them", name)
	}
	k := &v.kinds[n]
	switch {
	case k.Role == roleBeside:
		return nil, badRequest("%s is on no object, so none has it", name)
	case !found:
		return func(id world.GameObject) bool { return world.Has(v.state, id, k.kind) }, nil
	}
	return v.referring(k.kind.Spec(), target)
}

// referring returns who refers to an object, or to nobody, by a relation: without its kind, to
// nobody.
func (v *view) referring(
	k *layout.KindSpec, target string,
) (func(world.GameObject) bool, error) {
	if k.Relation == nil {
		return nil, badRequest("%s is not a relation; ask by its name for objects with it", k.Name)
	}
	var wanted world.GameObject
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

// search returns the objects that a text finds, ascending: the one of its id, and those whose names
// hold it, in whatever case. No text finds all. With a rule, those alone for which it holds.
func (v *view) search(text string, rule func(world.GameObject) bool) (found []world.GameObject) {
	add := func(id world.GameObject) {
		if rule == nil || rule(id) {
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
	v.know()
	if _, ok := v.names[world.NameKind.String()]; !ok {
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

type objectView struct {
	Frame uint64 `json:"frame"`
	objectName
	Components []componentView `json:"components"`
	Referrers  []referrersView `json:"referrers"`
}

// A referrersView is who refers to an object by a relation.
type referrersView struct {
	Relation string        `json:"relation"`
	Count    int           `json:"count"`
	Objects  []*objectName `json:"objects"` // the first of them
}

const referrersShown = 50

type componentView struct {
	Kind      string      `json:"kind"`
	Role      string      `json:"role"`
	Row       *int        `json:"row,omitempty"`
	Suspended bool        `json:"suspended"`
	Fields    []fieldView `json:"fields"`
	Values    []any       `json:"values"`
}

// object answers with all that one object has.
func (*Inspector) object(v *view, q url.Values) (any, error) {
	v.know()
	id, err := v.idOf(q.Get("id"))
	if err != nil {
		return nil, err
	}
	has, err := tool.ComponentsOf(v.state, id)
	if err != nil {
		return nil, err
	}
	o := objectView{Frame: v.number, objectName: *v.nameOf(id), Components: []componentView{}}
	for _, c := range has {
		k := &v.kinds[v.names[c.Kind.String()]]
		shown := componentView{
			Kind: k.Name, Role: k.Role, Suspended: c.Suspended, Fields: k.Fields, Values: []any{},
		}
		if k.Role != roleMark {
			row := int(c.Row)
			shown.Row, shown.Values = &row, v.values(k, row)
		}
		o.Components = append(o.Components, shown)
	}
	o.Referrers = v.referrers(id)
	return o, nil
}

// referrers returns the referrers of an object, by each relation with any.
func (v *view) referrers(id world.GameObject) []referrersView {
	all := []referrersView{}
	for i := range v.kinds {
		r := v.kinds[i].kind.Spec().Relation
		if r == nil {
			continue
		}
		shown := referrersView{Relation: v.kinds[i].Name}
		for c := range systems.Children(v.state, r.Handle(), id) {
			if shown.Count++; shown.Count <= referrersShown {
				shown.Objects = append(shown.Objects, v.nameOf(c))
			}
		}
		if shown.Count > 0 {
			all = append(all, shown)
		}
	}
	return all
}
