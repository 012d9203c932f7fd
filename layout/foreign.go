package layout

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// sizes are the bytes of the element types that fields may have.
var sizes = map[string]int{
	"int8": 1, "int16": 2, "int32": 4, "int64": 8,
	"uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
	"float32": 4, "float64": 8,
}

// SizeOf returns the bytes of an element type by its name, as in [FieldSpec.Type], or 0 when no
// field can have it.
func SizeOf(name string) int { return sizes[name] }

type foreignField struct{ spec *FieldSpec }

func (f foreignField) Spec() *FieldSpec { return f.spec }

// ForeignField declares a field that is known from elsewhere, such as a file: by the name of its
// element type and the bytes of its default. It refuses what [NewField] does, by an error.
func ForeignField(name, elements string, lanes int, value []byte) (AnyField, error) {
	size := sizes[elements]
	if name == "" || size == 0 || lanes <= 0 || lanes > MaxStride/size || len(value) != lanes*size {
		return nil, fmt.Errorf("layout: no field can be %q: %d lanes of %q and %d bytes of default",
			name, lanes, elements, len(value))
	}
	return foreignField{&FieldSpec{
		Name: name, Type: elements, Lanes: lanes, Size: size, Stride: lanes * size,
		Default: slices.Clone(value),
		Zero:    zeros(value),
	}}, nil
}

// foreign are the numbers of foreign kinds: shared by all worlds, so that files from which kinds
// are declared again and again do not use up more than one world of them needs.
var foreign struct {
	sync.Mutex
	numbers []uint32
}

// NewForeign declares a kind that is known from elsewhere, for one world: values is nil for a kind
// of fields. Worlds share the numbers of foreign kinds, so place tells those of one world apart,
// from 0. It panics where [NewKind] does.
func NewForeign(place int, name string, values ValueSpec, fields ...AnyField) Kind {
	k := NewForeignMark(place, name)
	k.spec.Mark, k.spec.Values = false, values
	k.spec.own(fields)
	return k
}

// NewForeignMark is [NewForeign] for a mark. Both panic when place is not one of a world's kinds.
func NewForeignMark(place int, name string) Kind {
	if name == "" {
		panic("layout: a kind needs a name; give it one")
	}
	if place < 0 || place > math.MaxUint16 {
		panic(fmt.Sprintf("layout: foreign kind %q in place %d; count places from 0 to %d", name,
			place, math.MaxUint16))
	}
	foreign.Lock()
	defer foreign.Unlock()
	for len(foreign.numbers) <= place {
		foreign.numbers = append(foreign.numbers, kinds.Add(1)-1)
	}
	return Kind{&KindSpec{Name: name, Number: foreign.numbers[place], Mark: true, Place: place + 1}}
}

// Bytes is the [KindSpec.Values] of a kind of byte slices.
var Bytes ValueSpec = valueSpec[[]byte]{}
