package hunt

import (
	"encoding/binary"
	"iter"
	"math"
	"math/bits"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// partsIn yields the parts of a field with their values. The value of a list is all of its
// elements.
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

// class returns the magnitude of a number: numbers between the same two powers of two are equal.
func class(x float64) uint64 {
	switch {
	case x == 0:
		return 0
	case x != x || math.Abs(x) > math.MaxInt64:
		return 255
	}
	return classOf(int64(x), 1)
}

// classOf is class for an integer, or for a number with a fraction, which never counts as 0.
func classOf(x int64, fraction uint64) uint64 {
	if x < 0 {
		return 128 + uint64(bits.Len64(uint64(-x)))
	}
	return fraction + uint64(bits.Len64(uint64(x)))
}

// A probe reads the elements of a field as magnitudes.
type probe struct {
	spec   *layout.FieldSpec
	stride int // bytes of a value, or of an element of a list
	lanes  []lane
	length bool // only the length of the list
}

type lane struct {
	at, size int
	whole    bool // an integer
	signed   bool
	part     layout.Part
}

func probesOf(fields []layout.AnyField) (all []probe) {
	for _, f := range fields {
		of := f.Spec()
		p := probe{spec: of}
		if of.List != nil {
			of = of.List.Element
		}
		p.stride = of.Stride
		for _, part := range of.Parts {
			for n := range part.Lanes {
				size := part.Size()
				p.lanes = append(p.lanes, lane{
					at: part.Offset + n*size, size: size, part: part,
					whole:  !strings.HasPrefix(part.Type, "float"),
					signed: strings.HasPrefix(part.Type, "int"),
				})
			}
		}
		all = append(all, p)
	}
	return all
}

func (l *lane) class(value []byte) uint64 {
	b := value[l.at : l.at+l.size]
	if !l.whole {
		return class(tool.Number(l.part.Type, b))
	}
	var wide [8]byte
	copy(wide[:], b)
	x := binary.LittleEndian.Uint64(wide[:])
	if !l.signed {
		return uint64(bits.Len64(x))
	}
	shift := 64 - 8*l.size
	return classOf(int64(x<<shift)>>shift, 0)
}

// lengthsOf returns probes for the lengths of all lists in a world's kinds.
func lengthsOf(s world.State) (all []probe) {
	for _, k := range world.CountsOf(s).Complete().Kinds {
		for _, f := range k.Kind.Fields() {
			if f.List != nil {
				all = append(all, probe{spec: f, stride: f.List.Element.Stride, length: true})
			}
		}
	}
	return all
}

// lengthClass returns the length of a list, rounded to three bits, so that a list must grow by an
// eighth to a quarter to count as new.
func lengthClass(n uint) uint64 {
	shift := max(bits.Len(n)-3, 0)
	return uint64(shift)<<8 | uint64(n>>shift)
}
