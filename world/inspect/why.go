package inspect

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
	"github.com/flatecs/flatecs/world/why"
)

const maxWrites = 10 // that are asked for at once

type whyView struct {
	Writes []writeView `json:"writes"`
	End    string      `json:"end,omitempty"` // why there are no more
}

// A writeView is who wrote a value, and what that one read.
type writeView struct {
	Text   string     `json:"text"`
	Frame  int        `json:"frame"`
	Tick   uint64     `json:"tick"`
	Job    string     `json:"job"`
	Source string     `json:"source,omitempty"`
	Object string     `json:"object"`
	Field  string     `json:"field"`
	Before any        `json:"before"`
	After  any        `json:"after"`
	Reads  []readView `json:"reads"`
}

type readView struct {
	Field  string `json:"field"`
	Beside bool   `json:"beside"`
}

// why answers with the last writes of a value, each before the one before it.
func (i *Inspector) why(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := r.URL.Query()
	if i.options.Why == nil {
		return nil, notFound("this program does not tell; set Options.Why")
	}
	writes, err := number(q, "writes", 1, maxWrites)
	if err != nil {
		return nil, err
	}
	before := uint64(why.Now)
	if q.Get("before") != "" {
		if before, err = strconv.ParseUint(q.Get("before"), 10, 64); err != nil {
			return nil, badRequest("before is %.40q; give a tick", q.Get("before"))
		}
	}
	var field *layout.FieldSpec
	var id world.GameObject
	var beside map[string]bool
	if err := i.lookAt(r.Context(), momentNow, func(v *view) (err error) {
		field, id, err = v.valueNamed(q)
		beside = v.beside()
		return err
	}); err != nil {
		return nil, err
	}
	found := whyView{Writes: []writeView{}}
	for range writes {
		var write why.Write
		err := i.inWorld(r.Context(), true, func(s world.State) (_ world.State, err error) {
			write, err = i.wrote(id, field, before)
			return s, err
		})
		if errors.Is(err, why.ErrUnwritten) {
			found.End = err.Error()
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		found.Writes = append(found.Writes, writeOf(&write, beside))
		before = write.Tick
	}
	return found, nil
}

// beside returns the kinds that are on no object.
func (v *view) beside() map[string]bool {
	v.know()
	found := map[string]bool{}
	for n := range v.kinds {
		found[v.kinds[n].Name] = v.kinds[n].Role == roleBeside
	}
	return found
}

// wrote asks the program. A step that panics is an error.
func (i *Inspector) wrote(
	id world.GameObject, f *layout.FieldSpec, before uint64,
) (w why.Write, err error) {
	if p := program.Caught("inspect", func() { w, err = i.options.Why(id, f, before) }); p != nil {
		err = errors.New("a step that was taken again panicked: " + goText(p.Value))
	}
	return w, err
}

func writeOf(w *why.Write, beside map[string]bool) writeView {
	shown := writeView{
		Text: w.String(), Frame: w.Frame, Tick: w.Tick, Job: w.Job, Source: w.Source,
		Field:  w.Field.String(),
		Before: valueOrNone(w.Field, w.Before), After: valueOrNone(w.Field, w.After),
		Reads: []readView{},
	}
	if w.Object != world.Nobody {
		shown.Object = w.Object.String()
	}
	for _, f := range w.Reads {
		shown.Reads = append(shown.Reads, readView{f.String(), beside[f.Kind.Name]})
	}
	return shown
}

func valueOrNone(f *layout.FieldSpec, bytes []byte) any {
	if bytes == nil {
		return nil
	}
	return shownValue(f, bytes)
}
