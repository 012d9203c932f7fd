package inspect

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
)

const (
	maxLanes = 256       // lanes of a value, and parts of a field, that are shown
	exact    = 1<<53 - 1 // the largest integer that JavaScript represents exactly
	maxText  = 200       // bytes of a Go value's text
	maxList  = 4096      // bytes of a list's elements that are shown
)

// lanes are the lanes of one row of a field, or of one of its parts. In JSON they are a list of
// numbers and bools. Values that JavaScript cannot represent as numbers are strings: NaN,
// infinities, integers from 2⁵³ on, and the ids of game objects.
type lanes struct {
	parts []layout.Part
	value []byte // of the field
}

// MarshalJSON encodes the lanes as a list.
func (l lanes) MarshalJSON() ([]byte, error) {
	dst, n := []byte{'['}, 0
	for i := range l.parts {
		p := &l.parts[i]
		for b := p.Bytes(l.value); len(b) > 0 && n < maxLanes; b = b[p.Size():] {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = appendLane(dst, p.Type, b[:p.Size()])
			n++
		}
	}
	return append(dst, ']'), nil
}

func appendLane(dst []byte, element string, b []byte) []byte {
	text, x := tool.ElementText(element, b), tool.Number(element, b)
	whole := !strings.HasPrefix(element, "float")
	if element == "id" || math.IsNaN(x) || math.IsInf(x, 0) || whole && math.Abs(x) > exact {
		return strconv.AppendQuote(dst, text)
	}
	return append(dst, text...)
}

// A point is a number on a line, or NaN for a gap.
type point float64

// MarshalJSON encodes a gap as null.
func (p point) MarshalJSON() ([]byte, error) {
	if x := float64(p); !math.IsNaN(x) && !math.IsInf(x, 0) {
		return strconv.AppendFloat(nil, x, 'g', -1, 64), nil
	}
	return []byte("null"), nil
}

// shownValue returns some parts of a value for JSON, or nil if there is no value. A list is shown
// as text.
func shownValue(f *layout.FieldSpec, parts []layout.Part, bytes []byte) any {
	switch {
	case bytes == nil:
		return nil
	case f.List != nil:
		return [1]string{listText(f, bytes)}
	}
	return lanes{parts, bytes}
}

// listText returns the elements of a list as text that tool.ParseList accepts. A longer list is
// cut, and the text ends with its length.
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

// goString returns a Go value as text, without calling its methods. It does not follow pointers,
// because their targets belong to the running world; for types with pointers it returns only the
// type.
func goString(x any) string {
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

// flat reports whether values of a type contain no pointers except those of strings, which are
// immutable.
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
