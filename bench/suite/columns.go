package suite

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// A columns is flat columns without a world around them: what a walk and a kernel are measured
// against. They lie in memory as a world's do, aligned and in huge pages.
type columns[T float32 | float64] struct {
	state       systems.State // whose memory it is
	lanes       [2]int        // of a place and of a pace
	place, pace []T
	move        func(place, pace []T)
	movers      int
	others      int
}

func newColumns64(room Room) World {
	return newColumns(doubles, place, pace, room, kernel.Add64)
}

func newColumns32(room Room) World {
	return newColumns(singles32, place32, pace32, room, kernel.Move)
}

func newColumns[T float32 | float64](
	form *flatForm, place, pace layout.Field[T], room Room, move func(place, pace []T),
) *columns[T] {
	state, err := systems.CreateState(systems.Counts{
		GameObjects: 64, Instances: 1,
		Kinds: []layout.Count{form.kinds[0].Count(room.Objects), form.kinds[1].Count(room.Objects)},
	})
	check(err)
	return &columns[T]{
		state: state, move: move, lanes: [2]int{place.Spec().Lanes, pace.Spec().Lanes},
		place: systems.View(state, place)[:0], pace: systems.View(state, pace)[:0],
	}
}

func (c *columns[T]) Close() { systems.Close(c.state) }

func (c *columns[T]) Spawn(kinds Kinds, i int) {
	if !kinds.Has(Velocity) {
		c.others++
		return
	}
	v := [2]T{T(velocity(i).X), T(velocity(i).Y)}
	c.pace = append(c.pace, v[:c.lanes[1]]...) // there is room, so it stays where it is
	c.movers++
	c.place = c.place[:c.movers*c.lanes[0]]
}

// Replace has nothing to do: the one that comes has the place and the pace of the one that goes.
func (c *columns[T]) Replace(Kinds, int) {}

func (c *columns[T]) Move() { c.move(c.place, c.pace) }

func (c *columns[T]) Positions() Result {
	r := Result{Count: c.movers + c.others}
	for i, x := range c.place {
		r.Sum += float64(x) * float64(int(1)<<(i%c.lanes[0]))
	}
	return r
}
