package wire

import (
	"fmt"
	"math"

	"github.com/x448/float16"
)

// A kind is the encoding of a number.
type kind uint8

const (
	raw kind = iota // unchanged bytes
	fixed
	angle
	half
)

// A Form is the encoding of the float32 of a value as lanes of Bits; the zero Form is raw.
type Form struct {
	kind      kind
	low, step float32 // of fixed: value = low + step × n
	most      float32 // of fixed: the largest n
	Bits      int     // of a lane; 0: raw
}

// Fixed returns the form for a range from low to high. It panics unless both are finite, and low <
// high.
func Fixed(low, high float32, bits int) Form {
	checkBits("Fixed", bits)
	span := high - low
	if !(span > 0) || math.IsInf(float64(span), 0) {
		panic(fmt.Sprintf("replica: Fixed from %v to %v; have finite low < high", low, high))
	}
	most := float32(uint32(1)<<bits - 1)
	return Form{kind: fixed, low: low, step: span / most, most: most, Bits: bits}
}

// Angle returns the form for angles, as fractions of a full turn.
func Angle(bits int) Form {
	checkBits("Angle", bits)
	return Form{kind: angle, step: float32(2*math.Pi) / float32(uint32(1)<<bits), Bits: bits}
}

// Half returns the form for float16.
func Half() Form { return Form{kind: half, Bits: 16} }

func checkBits(name string, bits int) {
	if bits != 8 && bits != 16 {
		panic(fmt.Sprintf("replica: %s of %d bits; have 8 or 16", name, bits))
	}
}

// IsAngle reports whether values are angles.
func (f *Form) IsAngle() bool { return f.kind == angle }

// Lane encodes a float32. The order of operations is fixed, so that all machines agree.
func (f *Form) Lane(v float32) uint32 {
	switch f.kind {
	case fixed:
		return f.fixedLane(v)
	case angle:
		n := math.Floor(float64(v/f.step) + 0.5)
		if !(math.Abs(n) < 1<<31) {
			return 0
		}
		return uint32(int32(n)) & (1<<f.Bits - 1)
	}
	return uint32(float16.Fromfloat32(v))
}

// fixedLane is Lane for a fixed form.
func (f *Form) fixedLane(v float32) uint32 {
	n := float32((v-f.low)/f.step) + 0.5
	switch {
	case !(n > 0): // includes NaN
		return 0
	case n < f.most:
		return uint32(n)
	}
	return uint32(f.most)
}

// Value decodes a lane.
func (f *Form) Value(n uint32) float32 {
	switch f.kind {
	case fixed:
		return f.low + float32(float32(n)*f.step)
	case angle:
		shift := 32 - f.Bits
		return float32(int32(n<<shift)>>shift) * f.step
	}
	return float16.Frombits(uint16(n)).Float32()
}

// Between returns a value between two lanes, for a mirror; share is in [0, 1).
func (f *Form) Between(a, b uint32, share float32) float32 {
	x := f.Value(a)
	if a == b {
		return x
	}
	d := f.Value(b) - x
	if f.kind == angle {
		d = f.Value((b - a) & (1<<f.Bits - 1))
	}
	return x + float32(d*share)
}

// Word packs the lanes of numbers, as many as there is room for, into one word.
func (f *Form) Word(v []float32) (word uint64) {
	for l := range v {
		var lane uint32
		if f.kind == fixed {
			lane = f.fixedLane(v[l])
		} else {
			lane = f.Lane(v[l])
		}
		word |= uint64(lane) << (l * f.Bits)
	}
	return word
}

// laneOf returns lane l of the words of a value.
func (f *Form) laneOf(words []uint32, l int) uint32 {
	at := l * f.Bits
	return words[at>>5] >> (at & 31) & (1<<f.Bits - 1)
}
