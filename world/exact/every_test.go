//go:build exhaustive

package exact_test

import (
	"flag"
	"fmt"
	"math"
	"testing"
	"time"
)

var stride = flag.Int("stride", 1, "of the arguments, one of so many")

// TestEveryArgument compares each function with the truth, for all 2³² arguments.
func TestEveryArgument(t *testing.T) {
	for i := range functions {
		f := &functions[i]
		t.Run(f.name, func(t *testing.T) {
			start := time.Now()
			var sum uint64
			asked, wrong := 0, 0
			for b := uint64(0); b < 1<<32; b += uint64(*stride) {
				argument := uint32(b)
				got := math.Float32bits(f.here(math.Float32frombits(argument)))
				sum += mix(argument, got)
				ok, slow := f.right(argument, got)
				if slow {
					asked++
				}
				if !ok {
					if wrong++; wrong < 100 {
						want := uint32(0)
						if f.true != nil && wrong < 60 {
							want = f.truth(argument)
						}
						fmt.Printf("{%#08x, %#08x}, // %v got %08x %v\n", argument, want, math.Float32frombits(argument), got, math.Float32frombits(got))
					}
				}
			}
			t.Logf("%s: %d asked, %d wrong, sum %016x, %v", f.name, asked, wrong, sum, time.Since(start))
			if wrong > 0 {
				t.Error("wrong")
			}
		})
	}
}
