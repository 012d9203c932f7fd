package inspect

import (
	"crypto/subtle"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

const (
	editPath    = root + "/api/edit"
	tokenHeader = "X-Token"
	maxEdit     = 4096 // bytes of a request
)

// A wish is one change of the world that a page asks for.
type wish struct {
	Op     string   `json:"op"`     // "set", "add", "remove", "spawn" or "dispose"
	Object string   `json:"object"` // as 12, or 12v3; not of spawn; of set, none: a resource
	Kind   string   `json:"kind"`   // of set, add and remove
	Field  string   `json:"field"`
	Part   string   `json:"part"`
	Values []string `json:"values"` // of set: one per lane of the part
	Kinds  []string `json:"kinds"`  // of spawn
}

// Edit carries out the page's edits since the last call: it sets values of objects and resources,
// adds and removes components, and spawns and disposes objects. Without [Options.Edit] it does
// nothing. A refused edit changes nothing, and the page shows the reason. Edits are inputs from
// outside: do not allow them in a world that is recorded or shared with other players.
// [Inspector.Job] calls Edit before it publishes.
func (i *Inspector) Edit(s world.State) world.State {
	if !i.made().options.Edit {
		return s
	}
	return i.asks.answer(s, false)
}

func (w *wish) carryOut(
	i *Inspector, s world.State,
) (world.State, world.GameObject, error) {
	v := &view{frame: &frame{number: 1}, state: s}
	v.know()
	if w.Op == "spawn" {
		return w.spawn(s, v)
	}
	if w.Op == "set" && w.Object == "" {
		s, err := w.adjust(i, s, v)
		return s, 0, err
	}
	id, err := v.idOf(w.Object)
	if err != nil {
		return s, 0, err
	}
	switch w.Op {
	case "dispose":
		s, err = world.Dispose(s, id)
	case "set":
		s, err = w.set(s, v, id)
	case "add", "remove":
		s, err = w.change(s, v, id)
	default:
		err = badRequest("op is %q; give set, add, remove, spawn or dispose", w.Op)
	}
	return s, id, err
}

// change adds a component, with its defaults, or removes it.
func (w *wish) change(s world.State, v *view, id world.GameObject) (world.State, error) {
	k, err := v.kindCalled(w.Kind)
	if err != nil {
		return s, err
	}
	if w.Op == "remove" {
		return world.Remove(s, id, k.kind)
	}
	if k.kind == world.NameKind && !world.Has(s, id, k.kind) {
		return world.SetName(s, id, "")
	}
	s, err = world.Add(s, id, k.kind)
	return s, err
}

func (w *wish) spawn(s world.State, v *view) (world.State, world.GameObject, error) {
	var kinds []layout.AnyKind
	for _, name := range w.Kinds {
		k, err := v.kindCalled(name)
		if err != nil {
			return s, 0, err
		}
		kinds = append(kinds, k.kind)
	}
	return world.CreateWith(s, kinds...)
}

// set writes one part of a field.
func (w *wish) set(s world.State, v *view, id world.GameObject) (world.State, error) {
	k, err := v.kindCalled(w.Kind)
	if err != nil {
		return s, err
	}
	if k.kind == world.NameKind {
		return world.SetName(s, id, strings.Join(w.Values, " "))
	}
	if k.kind == systems.GlobalKind {
		return s, notFound("global ids are set by the program; call pack.SetGlobal")
	}
	row, err := world.RowOf(s, id, k.kind)
	if err != nil {
		return s, err
	}
	return w.write(nil, s, v, id, row)
}

// write writes one part of a field in the row of an object, or of a resource, whose controls are
// those of an inspector.
func (w *wish) write(
	i *Inspector, s world.State, v *view, id world.GameObject, row layout.Row,
) (world.State, error) {
	column := v.parts[part{w.Kind, w.Field}]
	f := column.Field
	if f != nil && f.List != nil {
		return w.setList(s, v, f, row)
	}
	p, err := w.partOf(f)
	if err != nil {
		return s, err
	}
	lanes, err := w.lanes(v, p)
	if err == nil && i != nil {
		err = i.controlOf(f, p.Name).allow(p, lanes)
	}
	switch {
	case err != nil:
		return s, err
	case f.Relation != nil:
		return world.Set(s, id, f.Relation.Handle(),
			world.GameObject(binary.LittleEndian.Uint64(lanes)))
	}
	copy(p.Bytes(column.Bytes[int(row)*f.Stride:][:f.Stride]), lanes)
	return tool.Touch(s, v.kinds[v.names[w.Kind]].kind, row, 1), nil
}

// setList sets all elements of a list, by their words.
func (w *wish) setList(
	s world.State, v *view, f *layout.FieldSpec, row layout.Row,
) (world.State, error) {
	refer := func(word string, _, _ int) (world.GameObject, error) {
		id, err := v.parseID(word)
		return world.GameObject(id), err
	}
	elements, err := tool.ParseList(nil, f, strings.Join(w.Values, " "), refer)
	if err != nil {
		return s, badRequest("%v", err)
	}
	next, err := tool.SetElements(s, f, row, elements)
	if err != nil {
		return s, &refusal{http.StatusConflict, err.Error()}
	}
	return next, nil
}

// partOf returns the part of a field that is to be set; nil: there is no such field.
func (w *wish) partOf(f *layout.FieldSpec) (*layout.Part, error) {
	if f == nil {
		return nil, notFound("%s has no field %q; api/kinds lists them", w.Kind, w.Field)
	}
	at := slices.IndexFunc(f.Parts, func(p layout.Part) bool { return p.Name == w.Part })
	if at < 0 {
		return nil, notFound("%s.%s has no part %q; api/kinds lists them", w.Kind, w.Field, w.Part)
	}
	return &f.Parts[at], nil
}

// lanes returns the bytes of all values, or why one of them cannot be.
func (w *wish) lanes(v *view, p *layout.Part) (bytes []byte, err error) {
	if len(w.Values) != p.Lanes {
		return nil, badRequest("%d values for %d lanes; give one for each", len(w.Values), p.Lanes)
	}
	for _, text := range w.Values {
		if bytes, err = appendParsed(bytes, v, p, strings.TrimSpace(text)); err != nil {
			return nil, err
		}
	}
	return bytes, nil
}

// edit has the world's goroutine carry out what a page asks for, and answers with what came of it.
func (i *Inspector) edit(w http.ResponseWriter, r *http.Request) (any, error) {
	if !i.options.Edit {
		return nil, &refusal{
			http.StatusForbidden, "this program lets nobody edit; set Options.Edit",
		}
	}
	asked := &wish{}
	if err := i.posted(w, r, asked); err != nil {
		return nil, err
	}
	var id world.GameObject
	err := i.inWorld(r.Context(), false, func(s world.State) (_ world.State, err error) {
		s, id, err = asked.carryOut(i, s)
		i.changed()
		return s, err
	})
	return map[string]string{"object": id.String()}, err
}

// posted reads the JSON that the page itself posts. The error refuses it.
func (i *Inspector) posted(w http.ResponseWriter, r *http.Request, to any) error {
	switch {
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		return &refusal{http.StatusMethodNotAllowed, "changes of the world need POST"}
	case subtle.ConstantTimeCompare([]byte(r.Header.Get(tokenHeader)), []byte(i.token)) != 1:
		return &refusal{http.StatusForbidden, "the token differs; reload the page"}
	}
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxEdit))
	body.DisallowUnknownFields()
	if err := body.Decode(to); err != nil {
		return badRequest("not a valid request: %v", err)
	}
	return nil
}

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
