package inspect

import (
	"iter"
	"net/url"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

const (
	usualSize = 50
	maxSize   = 500
	maxPage   = 1 << 30
)

// A page is a part of a list: size entries from page×size on.
type page struct {
	Page  int    `json:"page"`
	Pages int    `json:"pages"`
	Size  int    `json:"size"`
	Total int    `json:"total"`
	Query string `json:"q"`
}

func pageOf(q url.Values) (p page, err error) {
	p.Query = q.Get("q")
	if p.Page, err = number(q, "page", 0, maxPage); err != nil {
		return p, err
	}
	if p.Size, err = number(q, "size", usualSize, maxSize); err != nil {
		return p, err
	}
	if p.Size == 0 {
		return p, badRequest("size is 0; give a number from 1 to %d", maxSize)
	}
	return p, nil
}

// of notes the length of the list, and returns which of it the page shows.
func (p *page) of(total int) (first, end int) {
	p.Total, p.Pages = total, total/p.Size
	if total%p.Size != 0 {
		p.Pages++
	}
	first = total
	if p.Page < p.Pages { // so that the product is no larger than total
		first = p.Page * p.Size
	}
	return first, min(first+p.Size, total)
}

type rowsView struct {
	Frame  uint64      `json:"frame"`
	At     *int        `json:"at,omitempty"`
	Kind   string      `json:"kind"`
	Role   string      `json:"role"`
	Fields []fieldView `json:"fields"`
	page
	Rows []rowView `json:"rows"`
}

type rowView struct {
	Row    *int        `json:"row,omitempty"`
	Use    string      `json:"use"`
	Object *objectName `json:"object,omitempty"`
	Values []any       `json:"values"`
}

// An objectName is how the page calls an object.
type objectName struct {
	Index      uint32  `json:"index"`
	Generation uint32  `json:"generation"`
	Name       *string `json:"name,omitempty"`
}

func (v *view) nameOf(id world.GameObject) *objectName {
	o := &objectName{Index: id.Index(), Generation: id.Generation()}
	if name, err := world.NameOf(v.state, id); err == nil {
		o.Name = &name
	}
	return o
}

// rows answers with a page of the rows of a kind that are in use, or of those whose object a search
// finds.
func (*Inspector) rows(v *view, q url.Values) (any, error) {
	k, err := v.kindNamed(q)
	if err != nil {
		return nil, err
	}
	p, err := pageOf(q)
	if err != nil {
		return nil, err
	}
	found := rowsView{
		Frame: v.number, Kind: k.Name, Role: k.Role, Fields: k.Fields, page: p, Rows: []rowView{},
	}
	wanted := q.Get("row") != "" || q.Get("mounted") != ""
	if k.Role == roleMark && wanted {
		return nil, badRequest("%s is a mark and has no rows; ask for an object by q", k.Name)
	}
	if k.Role == roleMark || p.Query != "" && !wanted {
		v.rowsOfObjects(&found, k)
		return found, nil
	}
	if wanted {
		if err := v.turnTo(&found, k, q); err != nil {
			return nil, err
		}
	}
	first, end := found.of(k.rows())
	for row := range v.rowsInUse(k, first, end-first) {
		found.Rows = append(found.Rows, v.row(k, row))
	}
	return found, nil
}

// turnTo turns to the page that has the row which is asked for.
func (v *view) turnTo(to *rowsView, k *kindView, q url.Values) error {
	row, err := number(q, "row", 0, maxPage)
	if q.Get("mounted") != "" {
		row, err = v.mountedRow(k, q)
	}
	if err != nil {
		return err
	}
	unused := row >= k.High
	if !unused {
		use, _ := tool.RowUseOf(v.state, k.kind, layout.Row(row))
		unused = use == tool.RowUnused
	}
	if unused {
		return notFound("row %d of %s is not in use", row, k.Name)
	}
	before := 0
	for other := range v.rowsInUse(k, 0, k.rows()) {
		if other >= row {
			break
		}
		before++
	}
	to.At, to.Page, to.Query = &row, before/to.Size, ""
	return nil
}

// mountedRow returns the row that is so many behind the first of those on objects.
func (v *view) mountedRow(k *kindView, q url.Values) (int, error) {
	n, err := number(q, "mounted", 0, maxPage)
	if err != nil {
		return 0, err
	}
	skip := n
	for row, length := range tool.Runs(v.state, k.kind) {
		if skip < length {
			return row + skip, nil
		}
		skip -= length
	}
	return 0, notFound("%s has %d rows on objects, and none behind so many: %d", k.Name,
		k.Mounted, n)
}

// rowsOfObjects fills a page with components of objects: all of a mark, else those that are found.
func (v *view) rowsOfObjects(to *rowsView, k *kindView) {
	have := v.search(to.Query, func(id world.GameObject) bool {
		return world.Has(v.state, id, k.kind)
	})
	first, end := to.of(len(have))
	for _, id := range have[first:end] {
		if k.Role == roleMark {
			to.Rows = append(to.Rows, rowView{
				Use: tool.RowMounted.String(), Object: v.nameOf(id), Values: []any{},
			})
			continue
		}
		row, err := world.RowOf(v.state, id, k.kind)
		if err == nil {
			to.Rows = append(to.Rows, v.row(k, int(row)))
		}
	}
}

// rowsInUse yields n rows of a kind that are in use, the first of them skipped.
func (v *view) rowsInUse(k *kindView, skip, n int) iter.Seq[int] {
	if k.Loose+k.Suspended > 0 {
		return v.rowsOneByOne(k, skip, n)
	}
	return func(yield func(int) bool) {
		for row, length := range tool.Runs(v.state, k.kind) {
			from := min(skip, length)
			skip -= from
			for ; from < length && n > 0; from++ {
				if n--; !yield(row + from) {
					return
				}
			}
			if n == 0 {
				return
			}
		}
	}
}

func (v *view) rowsOneByOne(k *kindView, skip, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for row := 0; row < k.High && n > 0; row++ {
			if use, _ := tool.RowUseOf(v.state, k.kind, layout.Row(row)); use == tool.RowUnused {
				continue
			}
			if skip--; skip >= 0 {
				continue
			}
			if n--; !yield(row) {
				return
			}
		}
	}
}

// row returns one row with its values.
func (v *view) row(k *kindView, row int) rowView {
	use, id := tool.RowUseOf(v.state, k.kind, layout.Row(row))
	r := rowView{Row: &row, Use: use.String(), Values: v.values(k, row)}
	if id != 0 {
		r.Object = v.nameOf(id)
	}
	return r
}

// values returns the values of a row, one per field.
func (v *view) values(k *kindView, row int) []any {
	list := []any{}
	for _, f := range k.spec().Fields {
		if f.List != nil {
			list = append(list, [1]string{listText(f, tool.Elements(v.state, f, layout.Row(row)))})
			continue
		}
		lanes := v.parts[part{k.Name, f.Name}].Bytes[row*f.Stride:][:f.Stride]
		if k.kind == world.NameKind && f.Name == "text" {
			list = append(list, [1]string{string(lanes[1:][:min(lanes[0], systems.MaxName)])})
			continue
		}
		list = append(list, value{f, lanes})
	}
	if k.Role == roleValues {
		list = append(list, goText(tool.AnyValueOf(v.state, k.kind, layout.Row(row))))
	}
	return list
}

type objectsView struct {
	Frame uint64 `json:"frame"`
	page
	Objects []objectRow `json:"objects"`
}

type objectRow struct {
	objectName
	Kinds []string `json:"kinds"`
}

// objects answers with a page of the objects alive, or of those that a search finds.
func (*Inspector) objects(v *view, q url.Values) (any, error) {
	v.know()
	p, err := pageOf(q)
	if err != nil {
		return nil, err
	}
	found := objectsView{Frame: v.number, page: p, Objects: []objectRow{}}
	rule, err := v.ruleOf(q.Get("kinds"))
	if err != nil {
		return nil, err
	}
	var ids []world.GameObject
	if p.Query == "" && rule == nil {
		first, end := found.of(world.Len(v.state))
		ids = v.alive(first, end-first)
	} else {
		all := v.search(p.Query, rule)
		first, end := found.of(len(all))
		ids = all[first:end]
	}
	for _, id := range ids {
		kinds, err := tool.KindsOf(v.state, id)
		if err != nil {
			return nil, err
		}
		if kinds == nil {
			kinds = []string{} // so that it is a list in JSON
		}
		found.Objects = append(found.Objects, objectRow{*v.nameOf(id), kinds})
	}
	return found, nil
}

// alive returns n of the objects alive, the first of them skipped.
func (v *view) alive(skip, n int) (ids []world.GameObject) {
	for id := range world.GameObjects(v.state) {
		if skip--; skip >= 0 {
			continue
		}
		if len(ids) == n {
			break
		}
		ids = append(ids, id)
	}
	return ids
}

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
		ids = slices.Collect(systems.Children(v.state, by, of))
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
