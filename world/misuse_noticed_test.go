package world_test

import (
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

var stateMisuses = []misuseCase{
	{"a State of a snapshot that was taken again", checked, func(p *play) {
		snapshot := p.taken(p.s)
		s := snapshot.State()
		_ = snapshot.Take(p.s)
		world.Len(s)
	}},
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

var writerMisuses = []misuseCase{
	{"a Writer of what a walk writes", always, func(p *play) {
		w := world.WriterOf(p.s, playPlace)
		for range playMoving.In(p.s) {
			w.At(p.ids[0])
		}
	}},
	{"a Writer of a reference of a relation", always, func(p *play) {
		world.WriterOf(p.s, playParent)
	}},
	{"AtN with too short a dst", always, func(p *play) {
		r := world.ReaderOf(p.s, playPlace)
		r.AtN(nil, p.ids)
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

var batchMisuses = []misuseCase{
	{"a batch of before in the next turn", always, func(p *play) {
		p.freeze()
		var before world.Batch
		for b := range playThawed.And(world.Optional(playTarget)).In(p.s) {
			before = b //flatecs:allow kept it is the misuse
		}
		for range playThawed.In(p.s) {
			world.Column(before, playPlace)
		}
	}},
	{"a batch of SpawnN after it", always, func(p *play) {
		var kept world.Batch
		p.s = world.Must(world.SpawnN(p.s, playBall, 3, func(b world.Batch) {
			kept = b //flatecs:allow kept it is the misuse
		}))
		kept.Len()
	}},
	{"a field that the query does not ask for", always, func(p *play) {
		for b := range playSpeeds.In(p.s) {
			world.Column(b, playPlace)
		}
	}},
	{"ids in a RowWise batch", always, func(p *play) {
		for b := range playMoving.And(world.RowWise()).In(p.s) {
			b.ID(0)
		}
	}},
	{"a row outside a batch", always, func(p *play) {
		for b := range playMoving.In(p.s) {
			b.ID(b.Len())
		}
	}},
	{"parents in a walk that knows none", always, func(p *play) {
		for b := range playMoving.In(p.s) {
			systems.Parents(b, playPlace)
		}
	}},
}

var walkMisuses = []misuseCase{
	{"two walks of which one writes what the other uses", always, func(p *play) {
		for range playMoving.In(p.s) {
			for range playSpeeds.In(p.s) {
				continue
			}
		}
	}},
	{"Since of a query without Changed", always, func(p *play) {
		for range playMoving.Since(p.s, 1) {
			continue
		}
	}},
	{"a watcher that looks in a loop over its results", always, func(p *play) {
		s := playLooks.Look(p.s)
		for range playLooks.Entered(s) {
			s = playLooks.Look(s)
		}
	}},
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
