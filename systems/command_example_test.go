package systems_test

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

var (
	TimeLeft = layout.NewField[float32]("timeLeft") // seconds
	Bullet   = layout.NewKind("bullet", TimeLeft)
	flying   = systems.NewQuery(systems.Write(TimeLeft))
)

// ExpireBullets disposes the bullets whose time is up. dt is in seconds.
func ExpireBullets(s systems.State, dt float32) (systems.State, error) {
	for b := range flying.In(s) {
		left := systems.Column(b, TimeLeft)
		for i := range left {
			if left[i] -= dt; left[i] <= 0 {
				b.Dispose(i)
			}
		}
	}
	return systems.Apply(s)
}

// Expire bullets: they are disposed when the walk over them is done.
func ExampleApply() {
	s, err := systems.CreateState(systems.Counts{Kinds: []layout.Count{Bullet.Count(100)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := systems.Record(s)
	for _, seconds := range []float32{0.5, 1.5, 2.5} {
		systems.Put(c, c.Create(), TimeLeft, seconds)
	}
	s, _ = systems.Apply(s)
	for range 3 {
		s, _ = ExpireBullets(s, 0.75)
		fmt.Println(systems.Len(s), "bullets")
	}
	// Output:
	// 2 bullets
	// 1 bullets
	// 1 bullets
}
