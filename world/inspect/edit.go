package inspect

import (
	"encoding/binary"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A wish is one change of the world that a page requests.
type wish struct {
	Op     string   `json:"op"`     // "set", "add", "remove", "spawn" or "dispose"
	Object string   `json:"object"` // as 12, or 12v3; empty for spawn and resources
	Kind   string   `json:"kind"`   // for set, add and remove
	Field  string   `json:"field"`
	Part   string   `json:"part"`
	Values []string `json:"values"` // for set: one per lane of the part
	Kinds  []string `json:"kinds"`  // for spawn
}

// edits carries out changes that pages request, if the program allows them.
type edits struct {
	options *Options
	past    *past
}

// edit carries out a requested change on the world's goroutine, and answers with the result.
func (e *edits) edit(w http.ResponseWriter, r *http.Request) (any, error) {
	if !e.options.Edit {
		return nil, &refusal{
			http.StatusForbidden, "this program lets nobody edit; set Options.Edit",
		}
	}
	asks, asked := &e.past.asks, &wish{}
	if err := asks.posted(w, r, asked); err != nil {
		return nil, err
	}
	var id world.GameObject
	err := asks.inWorld(r.Context(), false, func(s world.State) (_ world.State, err error) {
		s, id, err = asked.carryOut(newView(&frame{number: 1}, s), e.options.Controls)
		if err == nil {
			e.past.changed()
		} else if _, refused := errors.AsType[*refusal](err); !refused {
			err = &refusal{http.StatusConflict, err.Error()} // by the world
		}
		return s, err
	})
	return map[string]string{"object": id.String()}, err
}

// carryOut returns the changed world, and the object that was changed.
func (w *wish) carryOut(
	v *view, controls []Control,
) (s world.State, id world.GameObject, err error) {
	switch {
	case w.Op == "spawn":
		return w.spawn(v)
	case w.Op == "set" && w.Object == "":
		s, err = w.adjust(v, controls)
		return s, 0, err
	}
	if id, err = v.idOf(w.Object); err != nil {
		return v.state, 0, err
	}
	switch w.Op {
	case "dispose":
		s, err = world.Dispose(v.state, id)
	case "set":
		s, err = w.set(v, id)
	case "add", "remove":
		s, err = w.change(v, id)
	default:
		s, err = v.state, badRequest("op is %q; give set, add, remove, spawn or dispose", w.Op)
	}
	return s, id, err
}

func (w *wish) spawn(v *view) (world.State, world.GameObject, error) {
	var kinds []layout.AnyKind
	for _, name := range w.Kinds {
		k, err := v.kindOfObjects(name)
		if err != nil {
			return v.state, 0, err
		}
		kinds = append(kinds, k.kind)
	}
	return world.CreateWith(v.state, kinds...)
}

// change adds a component with default values, or removes it.
func (w *wish) change(v *view, id world.GameObject) (world.State, error) {
	k, err := v.kindOfObjects(w.Kind)
	switch {
	case err != nil:
		return v.state, err
	case w.Op == "remove":
		return world.Remove(v.state, id, k.kind)
	case k.kind == world.NameKind && !world.Has(v.state, id, k.kind):
		return world.SetName(v.state, id, "")
	}
	return world.Add(v.state, id, k.kind)
}

// set writes one part of a field of an object.
func (w *wish) set(v *view, id world.GameObject) (world.State, error) {
	k, err := v.kindOfObjects(w.Kind)
	switch {
	case err != nil:
		return v.state, err
	case k.kind == world.NameKind:
		return world.SetName(v.state, id, strings.Join(w.Values, " "))
	case k.kind == systems.GlobalKind:
		return v.state, notFound("global ids are set by the program; call pack.SetGlobal")
	}
	row, err := world.RowOf(v.state, id, k.kind)
	if err != nil {
		return v.state, err
	}
	return w.write(v, id, row, nil)
}

// adjust writes one part of a field of a resource, within the bounds of its control.
func (w *wish) adjust(v *view, controls []Control) (world.State, error) {
	if !slices.ContainsFunc(world.CountsOf(v.state).Resources, func(r world.ResourceKind) bool {
		return r.String() == w.Kind
	}) {
		return v.state, notFound("this world has no resource %q; api/resources lists them", w.Kind)
	}
	return w.write(v, world.Nobody, 0, controls)
}

// write writes one part of a field in the row of an object or a resource.
func (w *wish) write(
	v *view, id world.GameObject, row layout.Row, controls []Control,
) (world.State, error) {
	column := v.known.parts[part{w.Kind, w.Field}]
	f := column.Field
	if f == nil {
		return v.state, notFound("%s has no field %q; api/kinds lists them", w.Kind, w.Field)
	}
	if f.List != nil {
		return w.setList(v, f, row)
	}
	p := partNamed(f, w.Part)
	if p == nil {
		return v.state, notFound("%s.%s has no part %q; api/kinds lists them",
			w.Kind, w.Field, w.Part)
	}
	lanes, err := w.lanes(v, p)
	at := slices.IndexFunc(controls, func(c Control) bool {
		return c.Field.Spec() == f && c.Part == w.Part
	})
	if err == nil && at >= 0 {
		err = controls[at].allow(p, lanes)
	}
	switch {
	case err != nil:
		return v.state, err
	case f.Relation != nil:
		return world.Set(v.state, id, f.Relation.Handle(),
			world.GameObject(binary.LittleEndian.Uint64(lanes)))
	}
	copy(p.Bytes(column.Bytes[int(row)*f.Stride:][:f.Stride]), lanes)
	return tool.Touch(v.state, v.kind(w.Kind).kind, row, 1), nil
}

// setList sets all elements of a list from their texts.
func (w *wish) setList(v *view, f *layout.FieldSpec, row layout.Row) (world.State, error) {
	refer := func(word string, _, _ int) (world.GameObject, error) { return v.parseID(word) }
	elements, err := tool.ParseList(nil, f, strings.Join(w.Values, " "), refer)
	if err != nil {
		return v.state, badRequest("%v", err)
	}
	return tool.SetElements(v.state, f, row, elements)
}

// lanes returns the bytes of all values, or an error if a value is invalid.
func (w *wish) lanes(v *view, p *layout.Part) (bytes []byte, err error) {
	if len(w.Values) != p.Lanes {
		return nil, badRequest("%d values for %d lanes; give one for each", len(w.Values), p.Lanes)
	}
	for _, text := range w.Values {
		text = strings.TrimSpace(text)
		bits, err := v.parse(p, text)
		if _, refused := errors.AsType[*refusal](err); err != nil && !refused {
			err = badRequest("%q is no %s that fits", text, p.Type)
		}
		if err != nil {
			return nil, err
		}
		bytes = append(bytes, binary.LittleEndian.AppendUint64(nil, bits)[:p.Size()]...)
	}
	return bytes, nil
}
