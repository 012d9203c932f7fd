package inspect

import (
	"net/url"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

type objectsView struct {
	Frame uint64 `json:"frame"`
	page
	Objects []objectRow `json:"objects"`
}

type objectRow struct {
	objectName
	Kinds []string `json:"kinds"`
}

// objects answers with a page of the live objects, or of the results of a search.
func (v *view) objects(q url.Values) (any, error) {
	p, err := pageOf(q)
	if err != nil {
		return nil, err
	}
	found := objectsView{Frame: v.number, page: p, Objects: []objectRow{}}
	rule, err := v.ruleOf(q.Get("kinds"))
	if err != nil {
		return nil, err
	}
	ids, total := world.GameObjects(v.state), world.Len(v.state)
	if p.Query != "" || rule != nil {
		all := v.search(p.Query, rule)
		ids, total = slices.Values(all), len(all)
	}
	for id := range onPage(&found.page, total, ids) {
		kinds, err := tool.KindsOf(v.state, id)
		if err != nil {
			return nil, err
		}
		if kinds == nil {
			kinds = []string{} // an empty list in JSON, not null
		}
		found.Objects = append(found.Objects, objectRow{*v.nameOf(id), kinds})
	}
	return found, nil
}

type treeView struct {
	Frame    uint64 `json:"frame"`
	Relation string `json:"relation"`
	page
	Objects []branchView `json:"objects"`
}

// A branchView is an object of a tree, and the number of its referrers.
type branchView struct {
	objectName
	Count int `json:"count"`
}

// tree answers with the referrers of an object by a relation. Without an object, it answers with
// the roots.
func (v *view) tree(q url.Values) (any, error) {
	k := v.kind(q.Get("relation"))
	if k == nil || !k.Relation {
		return nil, notFound("this world has no relation %.80q; api/kinds lists its kinds",
			q.Get("relation"))
	}
	p, err := pageOf(q)
	if err != nil {
		return nil, err
	}
	found := treeView{Frame: v.number, Relation: k.Name, page: p, Objects: []branchView{}}
	by := k.spec().Relation.Handle()
	var ids []world.GameObject
	if q.Get("object") == "" {
		ids = v.roots(by)
	} else {
		of, err := v.idOf(q.Get("object"))
		if err != nil {
			return nil, err
		}
		ids = slices.Collect(systems.Children(v.state, by, of))
	}
	for id := range onPage(&found.page, len(ids), slices.Values(ids)) {
		b := branchView{objectName: *v.nameOf(id)}
		for range systems.Children(v.state, by, id) {
			b.Count++
		}
		found.Objects = append(found.Objects, b)
	}
	return found, nil
}

// roots returns the objects that have referrers by a relation but refer to nobody by it.
func (v *view) roots(by layout.Field[world.GameObject]) (ids []world.GameObject) {
	for id := range world.GameObjects(v.state) {
		if to, err := world.Get(v.state, id, by); err == nil && to != world.Nobody {
			continue
		}
		for range systems.Children(v.state, by, id) {
			ids = append(ids, id)
			break
		}
	}
	return ids
}

type objectView struct {
	Frame uint64 `json:"frame"`
	objectName
	Components []componentView `json:"components"`
	Referrers  []referrersView `json:"referrers"`
}

// A referrersView is the referrers of an object by one relation.
type referrersView struct {
	Relation string        `json:"relation"`
	Count    int           `json:"count"`
	Objects  []*objectName `json:"objects"` // the first ones
}

type componentView struct {
	Kind      string      `json:"kind"`
	Role      string      `json:"role"`
	Row       *int        `json:"row,omitempty"`
	Suspended bool        `json:"suspended"`
	Fields    []fieldView `json:"fields"`
	Values    []any       `json:"values"`
}

// object answers with the components, marks and referrers of one object.
func (v *view) object(q url.Values) (any, error) {
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
		k := v.kind(c.Kind.String())
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

// referrers returns the referrers of an object, for each relation that has any.
func (v *view) referrers(id world.GameObject) []referrersView {
	const referrersShown = 50
	all := []referrersView{}
	for _, k := range v.known.kinds {
		if !k.Relation {
			continue
		}
		shown := referrersView{Relation: k.Name}
		for c := range systems.Children(v.state, k.spec().Relation.Handle(), id) {
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
