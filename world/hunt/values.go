package hunt

import (
	"iter"
	"math"
	"math/bits"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// partsIn yields the parts of a field, each with a value: of a list, of all its elements.
func partsIn(f *layout.FieldSpec, value []byte) iter.Seq2[layout.Part, []byte] {
	of := f
	if f.List != nil {
		of = f.List.Element
	}
	return func(yield func(layout.Part, []byte) bool) {
		for ; len(value) > 0; value = value[of.Stride:] {
			for _, p := range of.Parts {
				if !yield(p, value[:of.Stride]) {
					return
				}
			}
		}
	}
}

// numbersOf yields the elements of a part of a value as numbers.
func numbersOf(p layout.Part, value []byte) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		b, size := p.Bytes(value), p.Size()
		for ; len(b) > 0; b = b[size:] {
			if !yield(tool.Number(p.Type, b[:size])) {
				return
			}
		}
	}
}

// class returns the magnitude of a number: equal for those between two powers of two.
func class(x float64) uint64 {
	switch {
	case x == 0:
		return 0
	case x != x || math.Abs(x) > math.MaxInt64:
		return 255
	case x < 0:
		return 128 + uint64(bits.Len64(uint64(-x)))
	}
	return 1 + uint64(bits.Len64(uint64(x)))
}

// noteFields notes for each object the magnitudes of its fields, together.
func noteFields(s world.State, fields []layout.AnyField, note func(uint64)) {
	for id := range world.GameObjects(s) {
		hash, has := uint64(14695981039346656037), false
		for i, f := range fields {
			spec := f.Spec()
			value, _ := tool.ValueOf(s, spec, id)
			if value == nil {
				continue
			}
			has = true
			for p, value := range partsIn(spec, value) {
				for x := range numbersOf(p, value) {
					hash = (hash ^ class(x) ^ uint64(i)<<32) * 1099511628211
				}
			}
		}
		if has {
			note(hash)
		}
	}
}
