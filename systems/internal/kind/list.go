package kind

import (
	"fmt"
	"reflect"
	"runtime"

	"github.com/flatecs/flatecs/layout"
)

// Append appends the kinds that a list names; who is the function that has the argument. It panics
// if an entry names no kind.
func Append(dst []layout.Kind, who string, list []layout.AnyKind) []layout.Kind {
	for i, a := range list {
		k, ok := a.(layout.Kind) // the fast path
		if !ok || k.Spec() == nil {
			return appendFrom(dst, i, who, list)
		}
		dst = append(dst, k)
	}
	return dst
}

// appendFrom is Append for list[i:].
func appendFrom(dst []layout.Kind, i int, who string, list []layout.AnyKind) []layout.Kind {
	defer func() {
		if i < len(list) {
			panic(explained(recover(), i, who, list[i]))
		}
	}()
	for ; i < len(list); i++ {
		k := list[i].Kind() // panics with a runtime error for nil
		if k.Spec() == nil {
			break
		}
		dst = append(dst, k)
	}
	return dst
}

// explained returns the panic value of Append for an argument: a sentence, unless the argument's
// own method panicked with a message.
func explained(cause any, i int, who string, a layout.AnyKind) any {
	if _, ok := cause.(runtime.Error); cause != nil && !ok {
		return cause
	}
	return fmt.Sprintf("flatecs: argument %d of %s is a %T of no kind; "+
		"declare it by layout.NewKind before, or name the kind", i, who, a)
}

// Of returns the declaration of k, or of the kind that k belongs to, or nil for nil.
//
//go:noinline
func Of(k layout.AnyKind) *layout.KindSpec {
	if k == nil || reflect.TypeOf(k).Kind() == reflect.Pointer && reflect.ValueOf(k).IsNil() {
		return nil
	}
	return k.Kind().Spec()
}
