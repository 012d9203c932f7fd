package replica

import (
	"fmt"

	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// A Wire describes how the values of a field are encoded and when they are sent: [Raw], [Fixed],
// [Angle] or [Half], modified by its methods.
type Wire struct {
	form      wire.Form
	delta     bool
	smooth    bool
	once      bool
	ownerOnly bool
	every     int   // ticks
	owner     *Wire // for owners; or nil
}

// Raw sends values unchanged, of at most 64 bytes.
func Raw() Wire { return Wire{} }

// Fixed sends each float32 of a value as an integer of 8 or 16 bits, for the range from low to
// high. Values outside, and NaN, become low or high. It panics if bits is another number, or low is
// not below high.
func Fixed(low, high float32, bits int) Wire { return Wire{form: wire.Fixed(low, high, bits)} }

// Angle sends each float32 of a value, in radians, as a fraction of a full turn, of 8 or 16 bits.
// Mirrors get angles in [-π, π). NaN and infinite angles become 0. It panics if bits is another
// number.
func Angle(bits int) Wire { return Wire{form: wire.Angle(bits)} }

// Half sends each float32 of a value as a float16.
func Half() Wire { return Wire{form: wire.Half()} }

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
