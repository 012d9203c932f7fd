package inspect

import (
	"net/url"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

type treeView struct {
	Frame    uint64 `json:"frame"`
	Relation string `json:"relation"`
	page
	Objects []branchView `json:"objects"`
}

// A branchView is an object of a tree, and how many refer to it.
type branchView struct {
	objectName
	Count int `json:"count"`
}

// tree answers with who refers to an object by a relation; without an object, with those who are
// referred to and refer to nobody themselves.
func (*Inspector) tree(v *view, q url.Values) (any, error) {
	v.know()
	n, ok := v.names[q.Get("relation")]
	if !ok || v.kinds[n].spec().Relation == nil {
		return nil, notFound("this world has no relation %.80q; api/kinds lists its kinds",
			q.Get("relation"))
	}
	p, err := pageOf(q)
	if err != nil {
		return nil, err
	}
	found := treeView{
		Frame: v.number, Relation: v.kinds[n].Name, page: p, Objects: []branchView{},
	}
	by := v.kinds[n].spec().Relation.Handle()
	var ids []world.GameObject
	if q.Get("object") == "" {
		ids = v.roots(by)
	} else {
		of, err := v.idOf(q.Get("object"))
		if err != nil {
			return nil, err
		}
		for id := range systems.Children(v.state, by, of) {
			ids = append(ids, id)
		}
	}
	first, end := found.of(len(ids))
	for _, id := range ids[first:end] {
		b := branchView{objectName: *v.nameOf(id)}
		for range systems.Children(v.state, by, id) {
			b.Count++
		}
		found.Objects = append(found.Objects, b)
	}
	return found, nil
}

// roots returns who is referred to by a relation, and refers to nobody by it.
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
