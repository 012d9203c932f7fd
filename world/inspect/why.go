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

type whyView struct {
	Writes []writeView `json:"writes"`
	End    string      `json:"end,omitempty"` // why there are no earlier writes
}

// A writeView is the job that wrote a value, and what the job read.
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

// why answers with the last writes of a value, newest first.
func (p *past) why(_ http.ResponseWriter, r *http.Request) (any, error) {
	const maxWrites = 10 // per request
	q := r.URL.Query()
	if p.options.Why == nil {
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
	var kinds map[string]*kindView // unchanged between the writes
	if err := p.lookAt(r.Context(), momentNow, func(v *view) (err error) {
		field, id, err = v.valueNamed(q)
		kinds = v.known.names
		return err
	}); err != nil {
		return nil, err
	}
	found := whyView{Writes: []writeView{}}
	for range writes {
		var write why.Write
		err := p.asks.inWorld(r.Context(), true, func(s world.State) (_ world.State, err error) {
			write, err = p.wrote(id, field, before)
			return s, err
		})
		if errors.Is(err, why.ErrUnwritten) {
			found.End = err.Error()
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		found.Writes = append(found.Writes, writeOf(&write, kinds))
		before = write.Tick
	}
	return found, nil
}

// wrote calls the program's Why. A panic of a step is returned as an error.
func (p *past) wrote(
	id world.GameObject, f *layout.FieldSpec, before uint64,
) (w why.Write, err error) {
	if c := program.Caught("inspect", func() { w, err = p.options.Why(id, f, before) }); c != nil {
		err = errors.New("a step that was taken again panicked: " + goString(c.Value))
	}
	return w, err
}

func writeOf(w *why.Write, kinds map[string]*kindView) writeView {
	shown := writeView{
		Text: w.String(), Frame: w.Frame, Tick: w.Tick, Job: w.Job, Source: w.Source,
		Field:  w.Field.String(),
		Before: shownValue(w.Field, w.Field.Parts, w.Before),
		After:  shownValue(w.Field, w.Field.Parts, w.After),
		Reads:  []readView{},
	}
	if w.Object != world.Nobody {
		shown.Object = w.Object.String()
	}
	for _, f := range w.Reads {
		k := kinds[f.Kind.Name]
		shown.Reads = append(shown.Reads, readView{f.String(), k != nil && k.Role == roleBeside})
	}
	return shown
}
