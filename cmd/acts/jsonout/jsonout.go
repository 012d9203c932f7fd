package jsonout

import (
	"bufio"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
)

// An Object yields names, which must not need escaping, and their values.
type Object = iter.Seq2[any, any]

// Of returns an object; its arguments are names and values in turn.
func Of(members ...any) Object {
	return func(yield func(name, value any) bool) {
		for m := range slices.Chunk(members, 2) {
			if !yield(m[0], m[1]) {
				return
			}
		}
	}
}

// Each returns the object with a member for each element of a list.
func Each[T any](list []T, member func(i int, element T) (name, value any)) Object {
	return func(yield func(name, value any) bool) {
		for i, element := range list {
			if !yield(member(i, element)) {
				return
			}
		}
	}
}

// Write prints a value. NaN and the infinities, which JSON lacks, are null.
func Write(out *bufio.Writer, value any) {
	switch v := value.(type) {
	case nil:
		_, _ = out.WriteString("null")
	case Object:
		before := ""
		_ = out.WriteByte('{')
		for name, member := range v {
			_, _ = fmt.Fprintf(out, `%s"%v":`, before, name)
			Write(out, member)
			before = ","
		}
		_ = out.WriteByte('}')
	case []float32:
		before := ""
		_ = out.WriteByte('[')
		for _, x := range v {
			_, _ = out.WriteString(before)
			Write(out, x)
			before = ","
		}
		_ = out.WriteByte(']')
	case float32:
		text, err := json.Marshal(v)
		if err != nil {
			text = []byte("null")
		}
		_, _ = out.Write(text)
	default:
		_, _ = fmt.Fprint(out, v)
	}
}
