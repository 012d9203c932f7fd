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

// rows answers with a page of a kind's rows in use, or of the rows of objects that a search finds.
func (v *view) rows(q url.Values) (any, error) {
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
	switch wanted := q.Get("row") != "" || q.Get("mounted") != ""; {
	case k.Role == roleMark && wanted:
		return nil, badRequest("%s is a mark and has no rows; ask for an object by q", k.Name)
	case wanted:
		if err := v.turnTo(&found, k, q); err != nil {
			return nil, err
		}
	case k.Role == roleMark || p.Query != "":
		v.rowsOfObjects(&found, k)
		return found, nil
	}
	for row := range onPage(&found.page, k.rows(), v.rowsInUse(k)) {
		found.Rows = append(found.Rows, v.row(k, row))
	}
	return found, nil
}

// turnTo selects the page that contains the requested row.
func (v *view) turnTo(to *rowsView, k *kindView, q url.Values) error {
	row, err := number(q, "row", 0, maxPage)
	if q.Get("mounted") != "" {
		row, err = v.mountedRow(k, q)
	}
	if err != nil {
		return err
	}
	before := 0
	for other := range v.rowsInUse(k) {
		if other == row {
			to.At, to.Page, to.Query = &row, before/to.Size, ""
			return nil
		}
		if before++; other > row {
			break
		}
	}
	return notFound("row %d of %s is not in use", row, k.Name)
}

// mountedRow returns the row at a position among the rows on objects.
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

// rowsOfObjects fills a page with components of objects: of all objects for a mark, otherwise of
// the search results.
func (v *view) rowsOfObjects(to *rowsView, k *kindView) {
	have := v.search(to.Query, func(id world.GameObject) bool {
		return world.Has(v.state, id, k.kind)
	})
	for id := range onPage(&to.page, len(have), slices.Values(have)) {
		if k.Role == roleMark {
			to.Rows = append(to.Rows, rowView{
				Use: tool.RowMounted.String(), Object: v.nameOf(id), Values: []any{},
			})
		} else if row, err := world.RowOf(v.state, id, k.kind); err == nil {
			to.Rows = append(to.Rows, v.row(k, int(row)))
		}
	}
}

// rowsInUse yields the rows of a kind that are in use.
func (v *view) rowsInUse(k *kindView) iter.Seq[int] {
	return func(yield func(int) bool) {
		for row, n := range v.runsInUse(k) {
			for end := row + n; row < end; row++ {
				if !yield(row) {
					return
				}
			}
		}
	}
}

// runsInUse yields the runs of rows in use: first row and length.
func (v *view) runsInUse(k *kindView) iter.Seq2[int, int] {
	if k.Loose+k.Suspended == 0 {
		return tool.Runs(v.state, k.kind)
	}
	return func(yield func(int, int) bool) {
		for row := range k.High {
			use, _ := tool.RowUseOf(v.state, k.kind, layout.Row(row))
			if use != tool.RowUnused && !yield(row, 1) {
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
		bytes := v.known.parts[part{k.Name, f.Name}].Bytes[row*f.Stride:][:f.Stride]
		switch {
		case f.List != nil:
			list = append(list, [1]string{listText(f, tool.Elements(v.state, f, layout.Row(row)))})
		case k.kind == world.NameKind && f.Name == "text":
			list = append(list, [1]string{string(bytes[1:][:min(bytes[0], systems.MaxName)])})
		default:
			list = append(list, lanes{f.Parts, bytes})
		}
	}
	if k.Role == roleValues {
		list = append(list, goString(tool.AnyValueOf(v.state, k.kind, layout.Row(row))))
	}
	return list
}
