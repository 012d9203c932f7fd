package rowwise

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

type vec struct{ X, Y, Z float32 }

var (
	Position = layout.NewComponent[vec]("position")
	Speed    = layout.NewComponent[vec]("speed")
	Cell     = layout.NewComponent[uint32]("cell")
	Resting  = layout.NewMark("resting")

	falling = world.NewQuery(world.Write(Position), world.Read(Speed), world.Without(Resting))
	marked  = falling.And(world.With(Resting))
	whole   = world.NewQuery(world.Write(Position, Speed))
	byRow   = falling.And(world.RowWise())
	cells   = world.NewQuery(world.Write(Cell), world.Without(Resting))
)

func walks(s world.State, dt float32, grid []uint32) (sum float32) {
	for b := range falling.In(s) { // want `this loop treats each row on its own; add world.RowWise\(\) to the query falling`
		p, v := world.Column(b, Position), world.Column(b, Speed)
		for i := range p {
			step := v[i].Y * dt
			if p[i].Y > 0 {
				p[i].Y -= -step
			}
		}
	}
	for b := range marked.In(s) { // want `add world.RowWise\(\) to the query marked`
		p := world.Column(b, Position)
		for i := range p {
			p[i].X++
		}
	}
	for b := range byRow.In(s) {
		p := world.Column(b, Position)
		for i := range p {
			p[i].X++
		}
	}
	for b := range whole.In(s) {
		p := world.Column(b, Position)
		for i := range p {
			p[i].X++
		}
	}
	for b := range falling.In(s) { // it adds up rows
		p := world.Column(b, Position)
		for i := range p {
			sum += p[i].X
		}
	}
	for b := range falling.In(s) { // it asks for ids
		p := world.Column(b, Position)
		for i := range p {
			p[i].X = float32(b.ID(i))
		}
	}
	for b := range cells.In(s) { // any bytes: outside of the grid, or 0
		c := world.Column(b, Cell)
		for i := range c {
			c[i] = grid[c[i]]
		}
	}
	for b := range cells.In(s) {
		c := world.Column(b, Cell)
		for i := range c {
			c[i] = 100 / c[i]
		}
	}
	for b := range falling.In(s) { // another row
		p := world.Column(b, Position)
		for i := range p {
			p[i].X = p[0].X
		}
	}
	last := float32(0)
	for b := range falling.In(s) { // from row to row
		p := world.Column(b, Position)
		for i := range p {
			p[i].X = last
			last = p[i].Y
		}
	}
	for b := range falling.In(s) { // until one is found
		p := world.Column(b, Position)
		for i := range p {
			if p[i].Y < 0 {
				break
			}
			p[i].Y = 0
		}
	}
	for b := range falling.In(s) { // calls
		p := world.Column(b, Position)
		for i := range p {
			p[i] = turned(p[i])
		}
	}
	return sum + last
}

func turned(v vec) vec { return vec{v.Y, v.X, v.Z} }
