package kind

import (
	"fmt"
	"reflect"

	"github.com/flatecs/flatecs/layout"
)

// Append appends the kinds that a list names, an argument of who. It panics when something in it is
// nothing.
func Append(dst []layout.Kind, who string, list []layout.AnyKind) []layout.Kind {
	for i, a := range list {
		var k layout.Kind
		if v := reflect.ValueOf(a); a != nil && (v.Kind() != reflect.Pointer || !v.IsNil()) {
			k = a.Kind()
		}
		if k.Spec() == nil {
			panic(fmt.Sprintf("flatecs: argument %d of %s is a %T of no kind; "+
				"declare it by layout.NewKind before, or name the kind", i, who, a))
		}
		dst = append(dst, k)
	}
	return dst
}
