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
	c := newColumns(doubles, room, [2]int{2, 2}, kernel.Add64)
	c.place = layout.Flat[float64](place, systems.View(c.state, place))[:0]
	c.pace = layout.Flat[float64](pace, systems.View(c.state, pace))[:0]
	return c
}

func newColumns32(room Room) World {
	c := newColumns(singles32, room, [2]int{3, 1}, kernel.Move)
	c.place = layout.Flat[float32](place32, systems.View(c.state, place32))[:0]
	c.pace = systems.View(c.state, pace32)[:0]
	return c
}

func newColumns[T float32 | float64](
	form *flatForm, room Room, lanes [2]int, move func(place, pace []T),
) *columns[T] {
	state, err := systems.CreateState(systems.Counts{
		GameObjects: 64, Kinds: layout.Kinds(
			form.kinds[0].Count(room.Objects), form.kinds[1].Count(room.Objects),
		),
	})
	check(err)
	return &columns[T]{state: state, move: move, lanes: lanes}
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
