package systems

import (
	"fmt"
	"testing"

	"github.com/flatecs/flatecs/layout"
)

var mover = NewRecipe("mover", Position, Velocity)

// BenchmarkTake takes a snapshot of a world in which a part of the objects moved since the last.
func BenchmarkTake(b *testing.B) {
	const n = 100_000
	for _, every := range []int{0, 100, 10, 1} {
		s, err := CreateState(Counts{Kinds: layout.Kinds(
			Position.Count(n), Velocity.Count(n),
		), Recipes: []Recipe{mover}})
		if err != nil {
			b.Fatal(err)
		}
		if s, err = SpawnN(s, mover, n, nil); err != nil {
			b.Fatal(err)
		}
		moving := make([]GameObject, 0, n)
		for id := range GameObjects(s) {
			if every > 0 && int(id.Index())/64%every == 0 {
				moving = append(moving, id)
			}
		}
		p := sure(NewSnapshot(s))
		b.Run(fmt.Sprintf("%d of %d moved", len(moving), n), func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				s = Advance(s)
				for _, id := range moving {
					var p *[3]float32
					s, p, _ = Edit(s, id, Position)
					p[0]++
				}
				s = Advance(s)
				b.StartTimer()
				if err := p.Take(s); err != nil {
					b.Fatal(err)
				}
			}
		})
		Close(s)
	}
}
