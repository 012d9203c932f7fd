package peers

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// A columns is columns without a world, the reference for walks and kernels. Their memory is like a
// world's: aligned and in huge pages.
type columns struct {
	bare
	state       world.State // owns the memory
	place, pace []float64   // x, y per object
	others      int
}

func newColumns(room Room) World {
	state := world.Must(world.CreateState(world.Counts{
		GameObjects: 64, Kinds: layout.Kinds(
			kinds[0].Count(room.Objects), kinds[1].Count(room.Objects),
		),
	}))
	return &columns{
		state: state, place: layout.Flat[float64](place, world.View(state, place))[:0],
		pace: layout.Flat[float64](pace, world.View(state, pace))[:0],
	}
}

func (c *columns) Close() { world.Close(c.state) }

func (c *columns) Spawn(kinds Kinds, i int) {
	if !kinds.Has(Velocity) {
		c.others++
		return
	}
	v := velocity(i)
	c.pace = append(c.pace, v.X, v.Y) // the capacity suffices, so it is not moved
	c.place = c.place[:len(c.pace)]
}

func (c *columns) Move() { kernel.Add64(c.place, c.pace) }

func (c *columns) Positions() Result {
	r := Result{Count: len(c.place)/2 + c.others}
	for i := 0; i < len(c.place); i += 2 {
		r.Sum += c.place[i] + 2*c.place[i+1]
	}
	return r
}

// A shelf is a slice of structs for each sort of object: a program without a library. It has no
// ids: objects are found by their index.
type shelf struct {
	bare
	movers []mover
	others []position
	order  []int
}

type mover struct {
	position position
	velocity speed
}

func (s *shelf) Spawn(kinds Kinds, i int) {
	if kinds.Has(Velocity) {
		s.movers = append(s.movers, mover{velocity: speed(velocity(i))})
	} else {
		s.others = append(s.others, position{})
	}
}

func (s *shelf) Move() {
	for i := range s.movers {
		m := &s.movers[i]
		m.position.X += m.velocity.X
		m.position.Y += m.velocity.Y
	}
}

func (s *shelf) Positions() (r Result) {
	for _, m := range s.movers {
		addPosition(&r, m.position)
	}
	for _, p := range s.others {
		addPosition(&r, p)
	}
	return r
}

func (s *shelf) Create(n int, _ Kinds) {
	for range n {
		s.movers = append(s.movers, mover{})
	}
}

func (s *shelf) Clear()              { s.movers = s.movers[:0] }
func (s *shelf) Live() int           { return len(s.movers) }
func (s *shelf) Shuffle(order []int) { s.order = order }

func (s *shelf) Read() (sum float64) {
	for _, i := range s.order {
		sum += s.others[i].X
	}
	return sum
}
