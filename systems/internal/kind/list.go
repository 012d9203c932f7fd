package kind

import (
	"fmt"
	"runtime"

	"github.com/flatecs/flatecs/layout"
)

// Append appends the kinds that a list names, an argument of who. It panics when something in it is
// nothing.
func Append(dst []layout.Kind, who string, list []layout.AnyKind) []layout.Kind {
	i := 0
	defer func() {
		if i < len(list) {
			panic(explained(recover(), i, who, list[i]))
		}
	}()
	for ; i < len(list); i++ {
		k := list[i].Kind() // of nothing, or of a nil pointer, a runtime error
		if k.Spec() == nil {
			break
		}
		dst = append(dst, k)
	}
	return dst
}

// explained is what Append panics with after an argument: a sentence, unless the argument's own
// method had something to say.
func explained(cause any, i int, who string, a layout.AnyKind) any {
	if _, ok := cause.(runtime.Error); cause != nil && !ok {
		return cause
	}
	return fmt.Sprintf("flatecs: argument %d of %s is a %T of no kind; "+
		"declare it by layout.NewKind before, or name the kind", i, who, a)
}
