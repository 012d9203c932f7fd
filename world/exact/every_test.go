//go:build exhaustive

package exact_test

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
)

var stride = flag.Uint64("stride", 1, "of the arguments, one of so many")

// TestEveryArgument compares each function with the truth, for all 2³² arguments. It takes a minute
// or two for each.
func TestEveryArgument(t *testing.T) {
	for i := range functions {
		f := &functions[i]
		t.Run(f.name, func(t *testing.T) {
			sum, asked, wrong := uint64(0), 0, 0
			see := func(argument, got, want uint32) {
				sum += mix(argument, want)
				if got != want {
					if wrong++; wrong < 100 {
						t.Logf("{%#08x, %#08x}, got %#08x", argument, want, got)
					}
				}
			}
			end := uint64(1) << 32
			if f.mirror != neither {
				end = 1 << 31 // what lies beyond is seen beside it
			}
			for b := uint64(0); b < end; b += *stride {
				argument := uint32(b)
				want, slow := f.right(argument)
				see(argument, f.bits(argument), want)
				if f.mirror != neither {
					argument |= 1 << 31
					if f.mirror == odd && want != oneNaN {
						want ^= 1 << 31
					}
					see(argument, f.bits(argument), want)
				}
				if slow {
					asked++
				}
			}
			t.Logf("%s: %d asked, %d wrong, sum %#016x", f.name, asked, wrong, sum)
			assert.Zero(t, wrong)
		})
	}
}
