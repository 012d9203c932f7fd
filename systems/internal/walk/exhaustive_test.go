package walk

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A deed is one of the operations of which all sequences are tried.
type deed struct {
	name string
	do   func(s *sketch)
}

// deeds returns all of them, on the first two objects and the first one of another block: 29.
func deeds() (list []deed) {
	for _, o := range []int{0, 1, 64} {
		for has := range 8 {
			list = append(list, deed{
				fmt.Sprintf("give %d %03b", o, has), func(s *sketch) { s.change(o, has) },
			})
		}
		list = append(list, deed{fmt.Sprint("dispose ", o), func(s *sketch) { s.dispose(o) }})
	}
	return append(list, deed{"create", func(s *sketch) { s.create(1, hasA|hasB) }})
}

var length = flag.Int("length", 2, "of the sequences of operations; 3 takes a minute")

// TestEverySequence carries out all sequences of operations on three objects of two blocks; after
// each, every way to walk sees those that match.
func TestEverySequence(t *testing.T) {
	all, r := deeds(), rand.New(rand.NewPCG(1, 2))
	for n := range int(math.Pow(float64(len(all)), float64(*length))) {
		s := sketchOf(66)
		s.create(2, hasA)
		s.create(62, 0)
		s.create(1, hasA|hasB)
		var names []string
		for ; len(names) < *length; n /= len(all) {
			d := all[n%len(all)]
			d.do(s)
			names = append(names, d.name)
		}
		if err := s.wrong(r); err != nil {
			t.Fatalf("after %s: %v", strings.Join(names, ", "), err)
		}
		s.a.Free()
	}
}
