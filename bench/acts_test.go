// Package bench measures the library against other ways to hold a world.
package bench

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/flatecs/flatecs/cmd/acts/act1"
	"github.com/flatecs/flatecs/cmd/acts/act2"
	"github.com/flatecs/flatecs/cmd/acts/act3"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// BenchmarkActs measures the three acts of the heroes' story against each other: half of the heroes
// are normal, half are super. The acts take turns, round by round, so that a busy machine slows
// them alike; each figure is the lower quartile of its rounds. A fourth contender, "structs", is
// act 1 with the heroes themselves in a slice instead of pointers to them.
//
// The objects of acts 1 and 2 are allocated in the order in which they are walked, which is the
// best case for pointers.
func BenchmarkActs(b *testing.B) {
	for _, heroes := range []int{1_000, 100_000, 1_000_000} {
		c := newContenders(heroes)
		b.Run(fmt.Sprintf("Update/heroes=%d", heroes), func(b *testing.B) {
			race(b, heroes, c.act3.update, c.structs.update, c.act1.Update, c.act2.Update)
		})
		b.Run(fmt.Sprintf("Move/heroes=%d", heroes), func(b *testing.B) {
			race(b, heroes, c.act3.move, c.structs.move, c.act1.MoveAll, c.act2.MoveAll)
		})
		world.Close(c.act3.state)
	}
}

// race runs the contenders in turn and reports ns per hero of each, and its ratio to act 3.
func race(b *testing.B, heroes int, third, structs, first, second func()) {
	names := []string{"act3", "structs", "act1", "act2"}
	contenders := []func(){third, structs, first, second}
	rounds := max(b.N, 15)
	spent := make([][]time.Duration, len(contenders))
	for i, run := range contenders {
		spent[i] = make([]time.Duration, 0, rounds)
		run() // into the cache
	}
	repeats := max(1, 200_000/heroes)
	b.ResetTimer()
	for range rounds {
		for i, run := range contenders {
			start := time.Now()
			for range repeats {
				run()
			}
			spent[i] = append(spent[i], time.Since(start))
		}
	}
	b.ReportMetric(0, "ns/op")
	base := lowerQuartile(spent[0])
	for i, name := range names {
		quartile := lowerQuartile(spent[i])
		b.ReportMetric(quartile/float64(repeats*heroes), name+"-ns/hero")
		if i > 0 {
			b.ReportMetric(quartile/base, name+"/act3")
		}
	}
}

func lowerQuartile(times []time.Duration) float64 {
	slices.Sort(times)
	return float64(times[len(times)/4].Nanoseconds())
}

type contenders struct {
	act1    *act1.World
	act2    *act2.World
	act3    *flat
	structs *structs
}

func newContenders(heroes int) contenders {
	normal, super := heroes/2, heroes-heroes/2
	return contenders{
		act1:    act1.NewScene(normal, super),
		act2:    act2.NewScene(normal, super),
		act3:    newFlat(normal, super),
		structs: newStructs(normal, super),
	}
}

// flat is act 3.
type flat struct{ state world.State }

func newFlat(normal, super int) *flat {
	counts := world.Counts{Kinds: layout.Kinds(
		world.Position.Count(normal+super), world.Velocity.Count(normal+super),
		world.MaxVelocity.Count(super), world.Instance,
	)}
	state, err := act3.NewScene(counts, normal, super)
	if err != nil {
		panic(err)
	}
	return &flat{state}
}

func (f *flat) update() { f.state = world.Update(f.state) }
func (f *flat) move()   { f.state = world.MoveAll(f.state) }

// structs is act 1 without pointers.
type structs struct {
	normal []act1.NormalHero
	super  []act1.SuperHero
}

func newStructs(normal, super int) *structs {
	scene := act1.NewScene(normal, super)
	s := &structs{make([]act1.NormalHero, normal), make([]act1.SuperHero, super)}
	for i, hero := range scene.NormalHeroes {
		s.normal[i] = *hero
	}
	for i, hero := range scene.SuperHeroes {
		s.super[i] = *hero
	}
	return s
}

func (s *structs) update() {
	for i := range s.normal {
		s.normal[i].Update()
	}
	for i := range s.super {
		s.super[i].Update()
	}
}

func (s *structs) move() {
	for i := range s.normal {
		s.normal[i].Move()
	}
	for i := range s.super {
		s.super[i].Move()
	}
}
