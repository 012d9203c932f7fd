package world_test

import (
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

var stateMisuses = []misuseCase{
	{"a State that a call used up", checked, func(p *play) {
		world.Advance(p.s)
		_, p.err = world.Set(p.s, p.ids[0], playPlace, [3]float32{})
	}},
	{"a State that was read after it was used up", checked, func(p *play) {
		_ = world.Advance(p.s)
		world.Len(p.s)
	}},
	{"the zero State", checked, func(p *play) { p.unless(world.Len(world.State{}) == 0) }},
	{"a State after Close", checked, func(p *play) {
		world.Close(p.s)
		world.Len(p.s)
	}},
	{"a world closed twice", checked, func(p *play) {
		world.Close(p.s)
		world.Close(p.s)
	}},
	{"a State of before Restore", checked, func(p *play) {
		snapshot, before := p.taken(p.s), p.s
		p.s = world.Must(world.Restore(p.s, snapshot))
		world.Len(before)
	}},
	{"a write to a snapshot's State", checked, func(p *play) {
		s := p.taken(p.s).State()
		_, p.err = world.Set(s, p.ids[0], playPlace, [3]float32{})
	}},
	{"a State of a snapshot that was taken again", checked, func(p *play) {
		snapshot := p.taken(p.s)
		s := snapshot.State()
		_ = snapshot.Take(p.s)
		world.Len(s)
	}},
	{"a snapshot restored before it was taken", always, func(p *play) {
		_, p.err = world.Restore(p.s, p.empty())
	}},
	{"a snapshot of a world of other counts", always, func(p *play) {
		other := p.also(world.Must(world.CreateState(world.Counts{GameObjects: 3})))
		_, p.err = world.Restore(p.s, p.taken(other))
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
	{"a Writer after a change of structure", checked, func(p *play) {
		w := world.WriterOf(p.s, playPlace)
		p.spawn()
		w.At(p.ids[0])[0] = 1
	}},
	{"a Writer after Restore", checked, func(p *play) {
		w := world.WriterOf(p.s, playPlace)
		p.s = world.Must(world.Restore(p.s, p.taken(p.s)))
		w.At(p.ids[0])[0] = 1
		world.Len(p.s)
	}},
	{"a Writer after Close", always, func(p *play) {
		w := world.WriterOf(p.s, playPlace)
		world.Close(p.s)
		w.At(p.ids[0])
	}},
	{"the zero Writer", always, func(p *play) {
		var w world.Writer[float32]
		w.At(p.ids[0])
	}},
	{"the zero Reader", always, func(p *play) {
		var r world.Reader[float32]
		r.Get(p.ids[0])
	}},
	{"a Reader after Close", always, func(p *play) {
		r := world.ReaderOf(p.s, playPlace)
		world.Close(p.s)
		r.Get(p.ids[0])
	}},
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

// lastOf returns the last batch of a walk, which is over.
func lastOf(s world.State, q world.Query) (last world.Batch) {
	for b := range q.In(s) {
		last = b //flatecs:allow kept it is the misuse
	}
	return last
}

var batchMisuses = []misuseCase{
	{"the zero Batch", always, func(*play) { world.Batch{}.Len() }},
	{"Len of a batch after its walk", always, func(p *play) { lastOf(p.s, playMoving).Len() }},
	{"Column of a batch after its walk", always, func(p *play) {
		world.Column(lastOf(p.s, playMoving), playPlace)
	}},
	{"AppendIDs of a batch after its walk", always, func(p *play) {
		lastOf(p.s, playMoving).AppendIDs(nil)
	}},
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
	{"an object of a batch disposed after its walk", always, func(p *play) {
		lastOf(p.s, playMoving).Dispose(0)
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
	{"a change of structure in a walk", always, func(p *play) {
		for range playMoving.In(p.s) {
			_, p.err = world.Dispose(p.s, p.ids[0])
		}
	}},
	{"by id, what a walk writes", always, func(p *play) {
		for range playMoving.In(p.s) {
			_, p.err = world.Get(p.s, p.ids[0], playPlace)
		}
	}},
	{"two walks of which one writes what the other uses", always, func(p *play) {
		for range playMoving.In(p.s) {
			for range playSpeeds.In(p.s) {
				continue
			}
		}
	}},
	{"Apply in a walk", always, func(p *play) {
		for range playMoving.In(p.s) {
			_, p.err = world.Apply(p.s)
		}
	}},
	{"the zero Query", always, func(p *play) {
		for range (world.Query{}).In(p.s) {
			continue
		}
	}},
	{"Since of a query without Changed", always, func(p *play) {
		for range playMoving.Since(p.s, 1) {
			continue
		}
	}},
	{"a kind that the world does not have", always, func(p *play) {
		_, p.err = world.Add(p.s, p.ids[0], absentKind)
	}},
	{"a query of a kind that the world does not have", always, func(p *play) {
		for range world.NewQuery(world.Read(absentField)).In(p.s) {
			continue
		}
	}},
	{"a recipe that the world does not know", always, func(p *play) {
		_, _, p.err = world.Spawn(p.s, playOther)
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
	{"the zero View", always, func(*play) { space.View[[3]float32]{}.Len() }},
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
