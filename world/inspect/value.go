package inspect

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/layout"
)

const (
	maxLanes = 256     // of one value that are shown
	exact    = 1 << 53 // integers that JavaScript tells apart
	maxText  = 200     // bytes of a Go value in words
)

// A value is the lanes of one field of one row. In JSON it is a list of numbers; what JavaScript
// has no number for is a string: NaN, infinities, integers beyond 2⁵³.
type value struct {
	field *layout.FieldSpec
	bytes []byte
}

// MarshalJSON appends the lanes one by one.
func (v value) MarshalJSON() ([]byte, error) {
	dst := []byte{'['}
	for i := range min(v.field.Lanes, maxLanes) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendLane(dst, v.field, v.bytes[i*v.field.Size:][:v.field.Size])
	}
	return append(dst, ']'), nil
}

func appendLane(dst []byte, f *layout.FieldSpec, b []byte) []byte {
	var wide [8]byte
	copy(wide[:], b)
	x := binary.LittleEndian.Uint64(wide[:])
	switch f.Type {
	case "float32":
		return appendFloat(dst, float64(math.Float32frombits(uint32(x))), 32)
	case "float64":
		return appendFloat(dst, math.Float64frombits(x), 64)
	case "int8", "int16", "int32", "int64":
		shift := 64 - 8*f.Size
		n := int64(x<<shift) >> shift
		return quoted(dst, strconv.FormatInt(n, 10), n > exact || n < -exact)
	}
	return quoted(dst, strconv.FormatUint(x, 10), x > exact)
}

func appendFloat(dst []byte, x float64, bits int) []byte {
	text := strconv.FormatFloat(x, 'g', -1, bits)
	return quoted(dst, text, math.IsNaN(x) || math.IsInf(x, 0))
}

func quoted(dst []byte, text string, quote bool) []byte {
	if quote {
		return strconv.AppendQuote(dst, text)
	}
	return append(dst, text...)
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
		for f := range t.Fields() {
			if !flat(f.Type) {
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
