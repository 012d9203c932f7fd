package inspect

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// An objectName is the id and the name of an object on the page.
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

// idOf parses "12", the current object at index 12, or "12v3", the object of generation 3.
func (v *view) idOf(text string) (world.GameObject, error) {
	id, err := tool.FindGameObject(v.state, text)
	switch {
	case errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange) ||
		err == nil && id == world.Nobody:
		return 0, badRequest(
			"%q is no object; give an index, as 12, or with the generation, as 12v3", text)
	case err != nil:
		return 0, notFound("no game object is alive at index %s", text)
	case !world.Alive(v.state, id):
		return 0, notFound("game object %v is alive no more, or was never", id)
	}
	return id, nil
}

// parseID parses a reference to a live object, or to nobody.
func (v *view) parseID(text string) (world.GameObject, error) {
	if id, err := tool.ParseGameObject(text); err == nil && id == world.Nobody {
		return id, nil
	}
	return v.idOf(text)
}

// parse returns the bits of a value, the lowest first.
func (v *view) parse(p *layout.Part, text string) (uint64, error) {
	if p.Type == "id" {
		id, err := v.parseID(text)
		return uint64(id), err
	}
	return tool.ParseElement(p.Type, text)
}

// kindNamed returns the kind that a request names.
func (v *view) kindNamed(q url.Values) (*kindView, error) {
	if k := v.kind(q.Get("kind")); k != nil {
		return k, nil
	}
	return nil, notFound("this world has no kind %q; api/kinds lists them", q.Get("kind"))
}

// kindOfObjects returns a kind of the world that objects can have.
func (v *view) kindOfObjects(name string) (*kindView, error) {
	k := v.kind(name)
	if k == nil || k.Role == roleBeside || k.spec().Of != nil {
		return nil, notFound("objects have no kind %q here; api/kinds lists them", name)
	}
	return k, nil
}

// partNamed returns a part of a field, or nil.
func partNamed(f *layout.FieldSpec, name string) *layout.Part {
	for i := range f.Parts {
		if f.Parts[i].Name == name {
			return &f.Parts[i]
		}
	}
	return nil
}

// valueNamed returns the field that a request names, and its object: nobody for a resource. The
// object may be dead.
func (v *view) valueNamed(q url.Values) (*layout.FieldSpec, world.GameObject, error) {
	f, err := tool.FieldNamed(v.state, q.Get("field"))
	if err != nil {
		return nil, 0, v.noField(q.Get("field"))
	}
	if q.Get("object") == "" {
		if v.kind(f.Kind.Name).Role != roleBeside {
			return nil, 0, badRequest("%s needs an object; name one", f)
		}
		return f, world.Nobody, nil
	}
	id, err := tool.FindGameObject(v.state, q.Get("object"))
	if err != nil || id == world.Nobody {
		return nil, 0, notFound("no game object is %.40q; give one that is alive, as 12, or one "+
			"with its generation, as 12v3", q.Get("object"))
	}
	return f, id, nil
}

// noField returns the refusal of an unknown field, with the names of the existing fields.
func (v *view) noField(name string) error {
	kind := name
	if at := strings.LastIndexByte(name, '.'); at >= 0 && v.kind(name) == nil {
		kind = name[:at]
	}
	var names []string
	k := v.kind(kind)
	if k == nil {
		for _, k := range v.known.kinds[:min(len(v.known.kinds), 20)] {
			names = append(names, k.Name)
		}
		return notFound("this world has no kind %.80q; it has %s", kind, strings.Join(names, ", "))
	}
	for _, f := range k.spec().Fields {
		names = append(names, f.String())
	}
	switch len(names) {
	case 0:
		return notFound("%s is a mark, without fields", kind)
	case 1:
		return notFound("%s has one field; it is called %s", kind, names[0])
	}
	return notFound("%s has no such field; it has %s", kind, strings.Join(names, ", "))
}
