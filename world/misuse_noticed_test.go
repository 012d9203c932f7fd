package world_test

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

var stateMisuses = []misuseCase{
	{"a State dropped that a system of walks alone returned", nobody, func(p *play) {
		lift(p.s)
		world.Len(p.s)
	}},
	{"a system that returns the State of another world", nobody, func(p *play) {
		other := p.also(newPlay(false).s)
		p.s = func(world.State) world.State { return other }(p.s)
		world.Len(p.s)
	}},
}

// lift only walks.
func lift(s world.State) world.State {
	for b := range playMoving.In(s) {
		for i := range b.Len() {
			world.Column(b, playPlace)[i][1]++
		}
	}
	return s
}

var cellMisuses = []misuseCase{
	{"cells of before a position was written", always, func(p *play) {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := lift(c.Build(p.s, nil))
		c.In(s).Len()
	}},
	{"a View of cells after the next Build", always, func(p *play) {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := c.Build(p.s, nil)
		v := c.In(s)
		c.Build(s, nil)
		for range v.Near([3]float32{}, 1) {
			continue
		}
	}},
	{"Points of a View read after the next Build", nobody, func(p *play) {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := c.Build(p.s, nil)
		points := c.In(s).Points()
		s = c.Build(world.Must(world.Set(s, p.ids[0], playPlace, [3]float32{9, 9, 9})), nil)
		p.unless(len(points) == len(c.In(s).Points()) && &points[0] == &c.In(s).Points()[0])
	}},
	{"Points of a View written", nobody, func(p *play) {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := c.Build(p.s, nil)
		c.In(s).Points()[0] = [3]float32{7}
		p.unless(c.In(s).Points()[0] == [3]float32{7})
	}},
}
