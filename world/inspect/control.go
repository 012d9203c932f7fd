package inspect

import (
	"errors"
	"fmt"
	"math"
	"net/url"

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

// check returns an error if the control is invalid.
func (c Control) check() error {
	if c.Field == nil || c.Field.Spec() == nil {
		return fmt.Errorf("inspect: %w: it has no field; give it one of a resource", ErrControl)
	}
	f := c.Field.Spec()
	p := partNamed(f, c.Part)
	if p == nil {
		return fmt.Errorf("inspect: %w: %s has no part %q; name one of Go", ErrControl, f, c.Part)
	}
	number := p.Type != "bool" && p.Type != "id"
	ranged := c.Min < c.Max && !math.IsInf(c.Max-c.Min, 0) && c.Step >= 0
	if !c.Fixed && (!number || !ranged) {
		return fmt.Errorf("inspect: %w: %s, a %s, has a slider from %v to %v by %v; numbers have "+
			"sliders: give it a Min below Max, and a Step of 0 or more", ErrControl,
			f.Title(*p), p.Type, c.Min, c.Max, c.Step)
	}
	return nil
}

// allow returns an error if the control forbids these values of a part.
func (c *Control) allow(p *layout.Part, lanes []byte) error {
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

// resources answers with the values of all resources that the program declares.
func (e *edits) resources(v *view, _ url.Values) (any, error) {
	list := []resourceView{}
	for _, r := range world.CountsOf(v.state).Resources {
		k := v.kind(r.String())
		if k == nil || k.spec().Values != nil {
			continue
		}
		shown := resourceView{k.Name, k.Fields, v.values(k, 0), []controlView{}}
		for _, c := range e.options.Controls {
			if f := c.Field.Spec(); f.Kind == k.spec() {
				shown.Limits = append(shown.Limits,
					controlView{f.Name, c.Part, c.Min, c.Max, c.Step, c.Fixed})
			}
		}
		list = append(list, shown)
	}
	return map[string]any{"frame": v.number, "resources": list}, nil
}
