package manager

import (
	"math/rand/v2"
	"testing"

	"github.com/flatecs/flatecs/layout"
)

var (
	weight    = layout.NewField("weight", [2]float32{3, 4})
	team      = layout.NewField[uint8]("team", 7)
	modelKind = layout.NewKind("model", weight, team)
	modelMark = layout.NewMark("modelMark")
)

// TestLockstepComesBack: objects that lose a kind and get it back in any order end in lockstep.
func TestLockstepComesBack(t *testing.T) {
	const n = 10_000
	m := sure(New(modelKind, n, n))
	for o := range uint32(n) {
		if _, err := m.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 {
		some := r.Perm(n)[:n/100]
		for _, o := range some {
			if err := m.Remove(uint32(o)); err != nil {
				t.Fatal(err)
			}
		}
		r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		for _, o := range some {
			if _, err := m.Add(uint32(o)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for k, b := range m.blocks {
		if b.Odd != 0 {
			t.Errorf("block %d has odd objects %x", k, b.Odd)
		}
	}
	if got := m.Groups[0].Whole; got != full {
		t.Errorf("first group is whole in %x, want all", got)
	}
}
