package peers

import (
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// A columns is flat columns without a world around them: what a walk and a kernel are measured
// against. They lie in memory as a world's do, aligned and in huge pages.
type columns struct {
	bare
	state       systems.State // whose memory it is
	place, pace []float64     // x, y per object
	others      int
}

func newColumns(room Room) World {
	state, err := systems.CreateState(systems.Counts{
		GameObjects: 64, Kinds: layout.Kinds(
			kinds[0].Count(room.Objects), kinds[1].Count(room.Objects),
		),
	})
	check(err)
	return &columns{
		state: state, place: layout.Flat[float64](place, systems.View(state, place))[:0],
		pace: layout.Flat[float64](pace, systems.View(state, pace))[:0],
	}
}

func (c *columns) Close() { systems.Close(c.state) }

func (c *columns) Spawn(kinds Kinds, i int) {
	if !kinds.Has(Velocity) {
		c.others++
		return
	}
	v := velocity(i)
	c.pace = append(c.pace, v.X, v.Y) // there is room, so it stays where it is
	c.place = c.place[:len(c.pace)]
}

// Replace has nothing to do: the one that comes has the place and the pace of the one that goes.
func (c *columns) Replace(Kinds, int) {}

func (c *columns) Move() { kernel.Add64(c.place, c.pace) }

func (c *columns) Positions() Result {
	r := Result{Count: len(c.place)/2 + c.others}
	for i := 0; i < len(c.place); i += 2 {
		r.Sum += c.place[i] + 2*c.place[i+1]
	}
	return r
}
