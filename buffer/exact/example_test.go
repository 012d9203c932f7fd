package exact_test

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/buffer/exact"
)

// A turret turns towards its target by the same angle on every machine.
func Example() {
	angle := exact.Atan2(3, 4)
	sin, cos := exact.Sincos(angle)
	fmt.Printf("%v rad: %v, %v\n", angle, cos, sin)
	fmt.Printf("%08x\n", math.Float32bits(exact.Pow(2, .5)))
	// Output:
	// 0.6435011 rad: 0.8, 0.6
	// 3fb504f3
}
