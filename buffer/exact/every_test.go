//go:build exhaustive

package exact_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	stride = flag.Uint64("stride", 1, "of the arguments, one of so many")
	many   = flag.Int("pairs", 1_000_000_000, "random pairs of arguments")
	seed   = flag.Uint64("seed", 1, "of the pairs")
	record = flag.Bool("record", false, "write the proofs of functions that are right")
)

// TestEveryArgument compares each function with the truth, for all 2³² arguments. It takes a minute
// or two for each. What is wrong is printed as mends.go wants it.
func TestEveryArgument(t *testing.T) {
	read, made := readProofs(t), newSources(t)
	var recording sync.Mutex
	for i := range functions {
		f := &functions[i]
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			sum, asked, wrong := uint64(0), 0, 0
			f.each(*stride, func(argument, got, want uint32, slow bool) {
				sum += mix(argument, want)
				if slow {
					asked++
				}
				if got != want {
					if wrong++; wrong < 100 {
						t.Logf("{%#08x, %#08x}, got %#08x", argument, want, got)
					}
				}
			})
			t.Logf("%d asked, %d wrong, sum %016x", asked, wrong, sum)
			assert.Zero(t, wrong)
			recording.Lock()
			defer recording.Unlock()
			switch {
			case *stride > 1 || t.Failed():
			case *record:
				read[f.name] = proof{made.hash(f.name), sum, f.someSum()}
				writeProofs(t, read)
			default:
				assert.Equal(t, read[f.name].all, sum)
			}
		})
	}
}

// someSum is the sum that is taken on every machine.
func (f *function) someSum() (sum uint64) {
	f.each(some, func(argument, got, _ uint32, _ bool) { sum += mix(argument, got) })
	return sum
}

func writeProofs(t *testing.T, all map[string]proof) {
	t.Helper()
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p := all[name]
		fmt.Fprintf(&text, "%s %016x %016x %016x\n", name, p.made, p.all, p.some)
	}
	require.NoError(t, os.WriteFile(proofs, []byte(text.String()), 0o600))
}

// TestManyPairs compares functions of two arguments for many random ones.
func TestManyPairs(t *testing.T) {
	for i := range pairs {
		p := &pairs[i]
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*seed, 2))
			asked := p.see(t, r, p.draw, *many)
			t.Logf("random: %d asked; hard: %d asked", asked, p.see(t, r, p.hard, *many/1000))
		})
	}
}
