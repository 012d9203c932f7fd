package inspect

import (
	"net/http"
	"net/url"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

const (
	usualChanged = 20 // changed objects that are shown
	mostChanged  = 500
)

type diffView struct {
	Ticks   [2]uint64    `json:"ticks"`
	First   string       `json:"first,omitempty"`
	Changes []changeView `json:"changes"`
}

type changeView struct {
	Name    string        `json:"name"`
	Kind    string        `json:"kind,omitempty"`
	Objects int           `json:"objects"`
	Rows    []changedView `json:"rows"`
}

// A changedView is an object, or a resource, with its values at both moments.
type changedView struct {
	Object *objectName `json:"object,omitempty"`
	Before any         `json:"before"`
	After  any         `json:"after"`
}

// diff answers with the differences between two moments.
func (p *past) diff(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := r.URL.Query()
	var text body
	err := p.lookAtBoth(r.Context(), q.Get("a"), q.Get("b"), func(a, b *view) error {
		found, err := diffOf(a, b, q)
		if err == nil {
			text, err = inBody(found)
		}
		return err
	})
	return text, err
}

func diffOf(a, b *view, q url.Values) (any, error) {
	most, err := number(q, "most", usualChanged, mostChanged)
	if err != nil {
		return nil, err
	}
	found := diffView{Ticks: [2]uint64{a.tick, b.tick}, Changes: []changeView{}}
	if a == b {
		return found, nil
	}
	first, differ, err := tool.FirstDifference(a.state, b.state)
	switch {
	case err != nil: // the world was resized in between
		return nil, &refusal{http.StatusConflict, err.Error()}
	case !differ:
		return found, nil
	}
	found.First = first.String()
	changes, err := tool.Changes(a.state, b.state, most)
	if err != nil {
		return nil, err
	}
	for i := range changes {
		found.Changes = append(found.Changes, changeOf(a, b, &changes[i]))
	}
	return found, nil
}

func changeOf(a, b *view, c *tool.Change) changeView {
	shown := changeView{Name: c.String(), Objects: c.Objects, Rows: []changedView{}}
	if c.Kind != nil {
		shown.Kind = c.Kind.Name
	}
	for _, id := range c.First {
		row := changedView{Before: lanesOf(a, c, id), After: lanesOf(b, c, id)}
		if id != world.Nobody {
			if row.Object = a.nameOf(id); row.Object.Name == nil {
				row.Object = b.nameOf(id)
			}
		}
		shown.Rows = append(shown.Rows, row)
	}
	return shown
}

// lanesOf returns the changed lanes of an object, or whether the object exists.
func lanesOf(v *view, c *tool.Change, id world.GameObject) any {
	switch {
	case c.Kind == nil:
		return world.Alive(v.state, id)
	case c.Field == nil:
		return world.Has(v.state, id, c.Kind.Handle())
	}
	value, _ := tool.ValueOf(v.state, c.Field, id)
	return shownValue(c.Field, c.Field.Parts[c.Part:][:1], value)
}
