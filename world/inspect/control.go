package inspect

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A Control defines how the page shows numbers of a resource: on a slider between bounds, which
// also limit edits, or fixed. Numbers without a Control have a box that accepts any number.
type Control struct {
	Field    layout.AnyField // of a resource
	Part     string          // of the field, as in Go: "Contagion"; "" if it has no names
	Min, Max float64         // of the slider
	Step     float64         // of the slider; 0: 1 for integers, else a hundredth of the range
	Fixed    bool            // the page cannot set it
}

// ErrControl is the error of a [Control] that matches no part of a field.
var ErrControl = errors.New("no such control can be")

// check returns why there can be no such control.
func (c Control) check() error {
	if c.Field == nil || c.Field.Spec() == nil {
		return fmt.Errorf("inspect: %w: it has no field; give it one of a resource", ErrControl)
	}
	f := c.Field.Spec()
	at := slices.IndexFunc(f.Parts, func(p layout.Part) bool { return p.Name == c.Part })
	if at < 0 {
		return fmt.Errorf("inspect: %w: %s has no part %q; name one of Go", ErrControl, f, c.Part)
	}
	number := f.Parts[at].Type != "bool" && f.Parts[at].Type != "id"
	ranged := c.Min < c.Max && !math.IsInf(c.Max-c.Min, 0) && c.Step >= 0
	if !c.Fixed && (!number || !ranged) {
		return fmt.Errorf("inspect: %w: %s, a %s, has a slider from %v to %v by %v; numbers have "+
			"sliders: give it a Min below Max, and a Step of 0 or more", ErrControl,
			f.Title(f.Parts[at]), f.Parts[at].Type, c.Min, c.Max, c.Step)
	}
	return nil
}

// controlOf returns the control of a part of a field, or nil.
func (i *Inspector) controlOf(f *layout.FieldSpec, part string) *Control {
	for n := range i.options.Controls {
		if c := &i.options.Controls[n]; c.Field.Spec() == f && c.Part == part {
			return c
		}
	}
	return nil
}

// allow returns why a control does not let a part have values.
func (c *Control) allow(p *layout.Part, lanes []byte) error {
	if c == nil {
		return nil
	}
	title := c.Field.Spec().Title(*p)
	if c.Fixed {
		return badRequest("%s is fixed while the world runs", title)
	}
	for ; len(lanes) > 0; lanes = lanes[p.Size():] {
		if x := tool.Number(p.Type, lanes[:p.Size()]); !(x >= c.Min && x <= c.Max) {
			return badRequest("%s is %v; give %v to %v", title, x, c.Min, c.Max)
		}
	}
	return nil
}

type resourceView struct {
	Name   string        `json:"name"`
	Fields []fieldView   `json:"fields"`
	Values []any         `json:"values"`
	Limits []controlView `json:"controls"`
}

type controlView struct {
	Field string  `json:"field"`
	Part  string  `json:"part"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Step  float64 `json:"step"`
	Fixed bool    `json:"fixed"`
}

// resources answers with the values of all resources that the program declared.
func (i *Inspector) resources(v *view, _ url.Values) (any, error) {
	v.know()
	list := []resourceView{}
	for _, r := range world.CountsOf(v.state).Resources {
		n, known := v.names[r.String()]
		if k := &v.kinds[n]; known && k.spec().Values == nil {
			list = append(list, resourceView{
				k.Name, k.Fields, v.values(k, 0), i.controlsOf(k.spec()),
			})
		}
	}
	return map[string]any{"frame": v.number, "resources": list}, nil
}

// controlsOf returns the controls of a resource.
func (i *Inspector) controlsOf(k *layout.KindSpec) []controlView {
	list := []controlView{}
	for _, c := range i.options.Controls {
		if f := c.Field.Spec(); f.Kind == k {
			list = append(list, controlView{f.Name, c.Part, c.Min, c.Max, c.Step, c.Fixed})
		}
	}
	return list
}

// adjust sets a part of a resource.
func (w *wish) adjust(i *Inspector, s world.State, v *view) (world.State, error) {
	if !slices.ContainsFunc(world.CountsOf(s).Resources, func(r world.ResourceKind) bool {
		return r.String() == w.Kind
	}) {
		return s, notFound("this world has no resource %q; api/resources lists them", w.Kind)
	}
	return w.write(i, s, v, world.Nobody, 0)
}
