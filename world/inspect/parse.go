package inspect

import (
	"encoding/binary"
	"errors"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

// appendParsed appends the bytes of a lane of p, of which text is the value.
func appendParsed(dst []byte, v *view, p *layout.Part, text string) ([]byte, error) {
	bits, err := v.parse(p, text)
	if err != nil {
		if r, ok := errors.AsType[*refusal](err); ok {
			return dst, r
		}
		return dst, badRequest("%q is no %s that fits", text, p.Type)
	}
	return append(dst, binary.LittleEndian.AppendUint64(nil, bits)[:p.Size()]...), nil
}

// parse returns the bits of a value, the lowest first.
func (v *view) parse(p *layout.Part, text string) (uint64, error) {
	if p.Type == "id" {
		return v.parseID(text)
	}
	return tool.ParseElement(p.Type, text)
}

// parseID reads a reference: to an object that is alive, or to nobody.
func (v *view) parseID(text string) (uint64, error) {
	if id, err := tool.ParseGameObject(text); err == nil && id == 0 {
		return 0, nil
	}
	id, err := v.idOf(text)
	return uint64(id), err
}

// kindCalled returns a kind of the world that objects can have.
func (v *view) kindCalled(name string) (*kindView, error) {
	n, ok := v.names[name]
	if !ok || v.kinds[n].Role == roleBeside || v.kinds[n].spec().Of != nil {
		return nil, notFound("objects have no kind %q here; api/kinds lists them", name)
	}
	return &v.kinds[n], nil
}
