package manager

import (
	"math/rand/v2"
	"testing"
)

// TestPastAgainstCopies: a world and each copy of it were last equal at the tick that Since returns, or at a later
// one if more than 30 ways back came between.
func TestPastAgainstCopies(t *testing.T) {
	type copied struct {
		base              Base
		tick, since, cuts uint64 // since: when it was last equal; cuts: since it was taken
	}
	r := rand.New(rand.NewPCG(3, 7))
	for round := range 100 {
		p, now := &Past{}, uint64(1)
		var copies [6]copied // of another world
		take := func(i int) { copies[i] = copied{p.Now(now), now, now, 0} }
		restore := func(i int) {
			since := p.Since(copies[i].base, now, copies[i].tick)
			p.Cut(since)
			for k := range copies {
				copies[k].since, copies[k].cuts = min(copies[k].since, since), copies[k].cuts+1
			}
			now = copies[i].tick
			take(i)
		}
		for step := range 600 {
			switch i := r.IntN(1 + r.IntN(len(copies))); r.IntN(8) {
			case 0:
				take(i)
			case 1:
				if round%2 == 0 || step < 60 {
					restore(i)
				}
			case 2, 3: // goes back as little as can be
				take(i)
				now++
				restore(i)
			case 4:
				if round%5 == 0 {
					now += 1<<31 - uint64(r.IntN(3))
				}
			default:
				now++
			}
			for _, c := range copies {
				want := c.since
				if max(now, c.tick)-want >= 1<<31 {
					want = 0
				}
				got := p.Since(c.base, now, c.tick)
				if got > want || c.cuts < maxCuts-1 && got != want {
					t.Fatalf("equal since %d, not %d, with %d cuts", got, want, c.cuts)
				}
			}
		}
	}
}
