package inspect

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

const (
	maxLanes = 256       // of one value that are shown, and parts of a field
	exact    = 1<<53 - 1 // the largest integer that JavaScript tells from the next
	maxText  = 200       // bytes of a Go value in words
	maxList  = 4096      // bytes of elements of a list that are shown
)

// A value is the lanes of one field of one row, part by part. In JSON it is a list of numbers and
// bools; what JavaScript has no number for is a string: NaN, infinities, integers from 2⁵³ on, and
// the ids of game objects.
type value struct {
	field *layout.FieldSpec
	bytes []byte
}

// MarshalJSON appends the lanes one by one.
func (v value) MarshalJSON() ([]byte, error) {
	dst, n := []byte{'['}, 0
	for i := range v.field.Parts {
		dst, n = appendLanes(dst, n, &v.field.Parts[i], v.bytes)
	}
	return append(dst, ']'), nil
}

// appendLanes appends the lanes of a part of a value after n others, between commas.
func appendLanes(dst []byte, n int, p *layout.Part, value []byte) ([]byte, int) {
	for b := p.Bytes(value); len(b) > 0 && n < maxLanes; b = b[p.Size():] {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = appendLane(dst, p.Type, b[:p.Size()])
		n++
	}
	return dst, n
}

func appendLane(dst []byte, element string, b []byte) []byte {
	text, x := tool.ElementText(element, b), tool.Number(element, b)
	whole := !strings.HasPrefix(element, "float")
	if element == "id" || math.IsNaN(x) || math.IsInf(x, 0) || whole && math.Abs(x) > exact {
		return strconv.AppendQuote(dst, text)
	}
	return append(dst, text...)
}

// shownValue returns a value as JSON shows it: of a list, its words alone.
func shownValue(f *layout.FieldSpec, bytes []byte) any {
	if f.List != nil {
		return [1]string{listText(f, bytes)}
	}
	return value{f, bytes}
}

// listText returns the elements of a list in words, as tool.ParseList reads them; of a longer one
// the first, and how many there are.
func listText(f *layout.FieldSpec, elements []byte) string {
	n, most := len(elements)/f.List.Element.Stride, max(maxList/f.List.Element.Stride, 1)
	if n <= most {
		return tool.Text(f, elements)
	}
	shown := elements[:most*f.List.Element.Stride]
	if f.List.Text {
		shown = bytes.ToValidUTF8(shown, nil)
	}
	return fmt.Sprintf("%s …, %d in all", tool.Text(f, shown), n)
}

// goText returns a Go value in words, without calling its methods. What a pointer leads to belongs
// to the running world, so it is not followed: then only the type is told.
func goText(x any) string {
	if x == nil {
		return "nil"
	}
	t := reflect.TypeOf(x)
	if !flat(t) {
		return t.String()
	}
	text := fmt.Sprintf("%+v", struct{ hidden any }{x})
	text = strings.TrimSuffix(strings.TrimPrefix(text, "{hidden:"), "}")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}

// flat reports whether values of a type hold no pointers but those of strings, which do not change.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		for field := range t.Fields() {
			if !flat(field.Type) {
				return false
			}
		}
		return true
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer,
		reflect.Slice, reflect.UnsafePointer:
		return false
	}
	return true
}

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
