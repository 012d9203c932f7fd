package neighbours

import "github.com/mlange-42/ark/ecs"

// Components of Ark are told apart by their types.
type (
	arkPlace    struct{ Vec }
	arkVelocity struct{ Vec }
	arkChange   struct{ Vec }
)

// An ark is Ark's world, with cells by hand: places and velocities are copied out of its tables.
type ark struct {
	world              *ecs.World
	read               *ecs.Filter2[arkPlace, arkVelocity]
	write              *ecs.Filter3[arkPlace, arkVelocity, arkChange]
	places, velocities []Vec
	sorted
}

func newArk(n int) *ark {
	a := &ark{world: ecs.NewWorld(n), sorted: newSorted(n)}
	places, velocities := points(n)
	m := ecs.NewMap3[arkPlace, arkVelocity, arkChange](a.world)
	for i := range places {
		m.NewEntity(&arkPlace{places[i]}, &arkVelocity{velocities[i]}, &arkChange{})
	}
	a.read = ecs.NewFilter2[arkPlace, arkVelocity](a.world)
	a.write = ecs.NewFilter3[arkPlace, arkVelocity, arkChange](a.world)
	a.places, a.velocities = make([]Vec, 0, n), make([]Vec, 0, n)
	return a
}

func (a *ark) build() {
	a.places, a.velocities = a.places[:0], a.velocities[:0]
	q := a.read.Query()
	for q.Next() {
		p, v := q.Get()
		a.places, a.velocities = append(a.places, p.Vec), append(a.velocities, v.Vec)
	}
	a.sorted.build(a.places, a.velocities)
}

func (a *ark) play() {
	a.build()
	a.steerAll()
	q := a.write.Query()
	for i := 0; q.Next(); i++ {
		_, _, c := q.Get()
		c.Vec = a.turns[a.cells[i]]
	}
}

func (a *ark) sum() (sum float64) {
	q := a.write.Query()
	for q.Next() {
		_, _, c := q.Get()
		sum += float64(c.X) + float64(c.Y)
	}
	return sum
}

func (a *ark) close() {}
