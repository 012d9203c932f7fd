package replica

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/x448/float16"
	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/link"
)

// A form is how a value is written.
type form uint8

const (
	raw form = iota // the bytes that it has
	fixed
	angle
	half
)

// A Wire describes how the values of a field are encoded and when they are sent: [Raw], [Fixed],
// [Angle] or [Half], modified by its methods.
type Wire struct {
	form      form
	low, step float32 // of fixed: value = low + step × n
	most      float32 // of fixed: the largest n
	bits      int     // of a lane on the wire; 0: raw
	delta     bool
	smooth    bool
	once      bool
	ownerOnly bool
	every     int   // ticks
	owner     *Wire // another one for owners
}

// Raw sends values unchanged, of at most 64 bytes.
func Raw() Wire { return Wire{} }

// Fixed sends each float32 of a value as an integer of 8 or 16 bits, for the range from low to
// high. Values outside, and NaN, become low or high. It panics if bits is another number, or low is
// not below high.
func Fixed(low, high float32, bits int) Wire {
	checkBits("Fixed", bits)
	span := high - low
	if !(span > 0) || math.IsInf(float64(span), 0) {
		panic(fmt.Sprintf("replica: Fixed from %v to %v; have finite low < high", low, high))
	}
	most := float32(uint32(1)<<bits - 1)
	return Wire{form: fixed, low: low, step: span / most, most: most, bits: bits}
}

// Angle sends each float32 of a value, in radians, as a fraction of a full turn, of 8 or 16 bits.
// Mirrors get angles in [-π, π). NaN and infinite angles become 0. It panics if bits is another
// number.
func Angle(bits int) Wire {
	checkBits("Angle", bits)
	return Wire{form: angle, step: float32(2*math.Pi) / float32(uint32(1)<<bits), bits: bits}
}

func checkBits(name string, bits int) {
	if bits != 8 && bits != 16 {
		panic(fmt.Sprintf("replica: %s of %d bits; have 8 or 16", name, bits))
	}
}

// Half sends each float32 of a value as a float16.
func Half() Wire { return Wire{form: half, bits: 16} }

// Delta sends a byte per number if a value is near the last one that the client has. The wire must
// have 16 bits, and the field at most four float32. The server keeps such a field for 16 ticks; see
// [Was].
func (w Wire) Delta() Wire { w.delta = true; return w }

// Smooth makes mirrors interpolate values between two ticks. Angles turn the shorter way. The wire
// must not be raw.
func (w Wire) Smooth() Wire { w.smooth = true; return w }

// Once sends a value only when its object comes into sight.
func (w Wire) Once() Wire { w.once = true; return w }

// Every sends changes of the field only in each n-th tick, with n at least 1, and in the tick in
// which an object comes into sight.
func (w Wire) Every(n int) Wire {
	if n < 1 {
		panic(fmt.Sprintf("replica: Every(%d); have 1 tick or more", n))
	}
	w.every = n
	return w
}

// OwnerOnly sends a field to clients that own the object; see [View.Own]. Other mirrors have the
// default; they learn only whether the object has the kind.
func (w Wire) OwnerOnly() Wire { w.ownerOnly = true; return w }

// Owner sends the field by the wire o to clients that own the object, such as [Raw]: predictions
// are exact if they begin with exact values.
func (w Wire) Owner(o Wire) Wire { w.owner = &o; return w }

// lane returns a float32 as it travels. The order of operations is fixed, so that all machines
// agree.
func (w *Wire) lane(v float32) uint32 {
	switch w.form {
	case fixed:
		return w.fixedLane(v)
	case angle:
		n := math.Floor(float64(v/w.step) + 0.5)
		if !(math.Abs(n) < 1<<31) {
			return 0
		}
		return uint32(int32(n)) & (1<<w.bits - 1)
	}
	return uint32(float16.Fromfloat32(v))
}

// fixedLane is lane of a fixed one.
func (w *Wire) fixedLane(v float32) uint32 {
	n := float32((v-w.low)/w.step) + 0.5
	switch {
	case !(n > 0): // NaN too
		return 0
	case n < w.most:
		return uint32(n)
	}
	return uint32(w.most)
}

// value returns what a lane stands for.
func (w *Wire) value(n uint32) float32 {
	switch w.form {
	case fixed:
		return w.low + float32(float32(n)*w.step)
	case angle:
		shift := 32 - w.bits
		return float32(int32(n<<shift)>>shift) * w.step
	}
	return float16.Frombits(uint16(n)).Float32()
}

// between returns a value between two lanes, as a mirror shows it; share is in [0, 1).
func (w *Wire) between(a, b uint32, share float32) float32 {
	x := w.value(a)
	if a == b {
		return x
	}
	d := w.value(b) - x
	if w.form == angle {
		d = w.value((b - a) & (1<<w.bits - 1))
	}
	return x + float32(d*share)
}

// laneOf returns lane l of the words of a value.
func (w *Wire) laneOf(words []uint32, l int) uint32 {
	at := l * w.bits
	return words[at>>5] >> (at & 31) & (1<<w.bits - 1)
}

var le = binary.LittleEndian

// seal writes the checksum of a datagram.
func seal(b []byte) []byte {
	le.PutUint32(b, checksum(b))
	return b
}

// sealed reports whether a datagram has its checksum, and is not too short or too long.
func sealed(b []byte, least int) bool {
	return len(b) >= least && len(b) <= link.MaxDatagram &&
		le.Uint32(b) == checksum(b)
}

func checksum(b []byte) uint32 { return uint32(xxh3.Hash(b[checkSize:])) }
