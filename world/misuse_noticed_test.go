package world_test

import (
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

var stateMisuses = []misuseCase{
	{"a State that a call used up", checked, func(p *play) error {
		world.Advance(p.s)
		return second(world.Set(p.s, p.ids[0], playPlace, [3]float32{}))
	}},
	{"a State that was read after it was used up", checked, func(p *play) error {
		_ = world.Advance(p.s)
		world.Live(p.s)
		return nil
	}},
	{"the zero State", checked, func(*play) error { return unless(world.Live(world.State{}) == 0) }},
	{"a State after Close", checked, func(p *play) error {
		world.Close(p.s)
		world.Live(p.s)
		return nil
	}},
	{"a world closed twice", checked, func(p *play) error {
		world.Close(p.s)
		world.Close(p.s)
		return nil
	}},
	{"a State of before Restore", checked, func(p *play) error {
		snapshot, before := p.taken(p.s), p.s
		p.s = world.Must(world.Restore(p.s, snapshot))
		world.Live(before)
		return nil
	}},
	{"a write to a snapshot's State", checked, func(p *play) error {
		s := p.taken(p.s).State()
		return second(world.Set(s, p.ids[0], playPlace, [3]float32{}))
	}},
	{"a State of a snapshot that was taken again", checked, func(p *play) error {
		snapshot := p.taken(p.s)
		s := snapshot.State()
		_ = snapshot.Take(p.s)
		world.Live(s)
		return nil
	}},
	{"a snapshot restored before it was taken", always, func(p *play) error {
		return second(world.Restore(p.s, p.empty()))
	}},
	{"a snapshot of a world of other counts", always, func(p *play) error {
		other := p.also(world.Must(world.CreateState(world.Counts{GameObjects: 3})))
		return second(world.Restore(p.s, p.taken(other)))
	}},
	{"a State dropped that a system of walks alone returned", nobody, func(p *play) error {
		lift(p.s)
		world.Live(p.s)
		return nil
	}},
	{"a system that returns the State of another world", nobody, func(p *play) error {
		other := p.also(newPlay(false).s)
		p.s = func(world.State) world.State { return other }(p.s)
		world.Live(p.s)
		return nil
	}},
}

var writerMisuses = []misuseCase{
	{"a Writer after a change of structure", checked, func(p *play) error {
		s, w := world.OpenWrite(p.s, playPlace)
		p.s = s
		p.spawn()
		w.At(p.ids[0])[0] = 1
		return nil
	}},
	{"a Writer after Restore", checked, func(p *play) error {
		s, w := world.OpenWrite(p.s, playPlace)
		s = world.Must(world.Restore(s, p.taken(s)))
		w.At(p.ids[0])[0] = 1
		world.Live(s)
		return nil
	}},
	{"a Writer after Close", always, func(p *play) error {
		s, w := world.OpenWrite(p.s, playPlace)
		world.Close(s)
		w.At(p.ids[0])
		return nil
	}},
	{"the zero Writer", always, func(p *play) error {
		var w world.Writer[float32]
		w.At(p.ids[0])
		return nil
	}},
	{"the zero Reader", always, func(p *play) error {
		var r world.Reader[float32]
		r.At(p.ids[0])
		return nil
	}},
	{"a Reader after Close", always, func(p *play) error {
		r := world.Open(p.s, playPlace)
		world.Close(p.s)
		r.At(p.ids[0])
		return nil
	}},
	{"a Writer of what a walk writes", always, func(p *play) error {
		s, w := world.OpenWrite(p.s, playPlace)
		for range playMoving.In(s) {
			w.At(p.ids[0])
		}
		return nil
	}},
	{"a Writer of a reference of a relation", always, func(p *play) error {
		world.OpenWrite(p.s, playParent)
		return nil
	}},
	{"AtN with too short a dst", always, func(p *play) error {
		r := world.Open(p.s, playPlace)
		r.AtN(nil, p.ids)
		return nil
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
	{"the zero Batch", always, func(*play) error { world.Batch{}.Len(); return nil }},
	{"Len of a batch after its walk", always, func(p *play) error {
		lastOf(p.s, playMoving).Len()
		return nil
	}},
	{"Column of a batch after its walk", always, func(p *play) error {
		world.Column(lastOf(p.s, playMoving), playPlace)
		return nil
	}},
	{"AppendIDs of a batch after its walk", always, func(p *play) error {
		lastOf(p.s, playMoving).AppendIDs(nil)
		return nil
	}},
	{"a batch of before in the next turn", always, func(p *play) error {
		p.freeze()
		var before world.Batch
		for b := range playThawed.And(world.Optional(playTarget)).In(p.s) {
			before = b //flatecs:allow kept it is the misuse
		}
		for range playThawed.In(p.s) {
			world.Column(before, playPlace)
		}
		return nil
	}},
	{"a batch of SpawnN after it", always, func(p *play) error {
		var kept world.Batch
		p.s = world.Must(world.SpawnN(p.s, playBall, 3, func(b world.Batch) {
			kept = b //flatecs:allow kept it is the misuse
		}))
		kept.Len()
		return nil
	}},
	{"an object of a batch disposed after its walk", always, func(p *play) error {
		lastOf(p.s, playMoving).Dispose(0)
		return nil
	}},
	{"a field that the query does not ask for", always, func(p *play) error {
		for b := range playSpeeds.In(p.s) {
			world.Column(b, playPlace)
		}
		return nil
	}},
	{"Overwrite of a field that is only read", always, func(p *play) error {
		for b := range playMoving.In(p.s) {
			world.Overwrite(b, playSpeed)
		}
		return nil
	}},
	{"ids in a RowWise batch", always, func(p *play) error {
		for b := range playMoving.And(world.RowWise()).In(p.s) {
			b.ID(0)
		}
		return nil
	}},
	{"a row outside a batch", always, func(p *play) error {
		for b := range playMoving.In(p.s) {
			b.ID(b.Len())
		}
		return nil
	}},
	{"parents in a walk that knows none", always, func(p *play) error {
		for b := range playMoving.In(p.s) {
			systems.Parents(b, playPlace)
		}
		return nil
	}},
}

var walkMisuses = []misuseCase{
	{"a change of structure in a walk", always, func(p *play) (err error) {
		for range playMoving.In(p.s) {
			err = second(world.DisposeGameObject(p.s, p.ids[0]))
		}
		return err
	}},
	{"by id, what a walk writes", always, func(p *play) (err error) {
		for range playMoving.In(p.s) {
			err = failed(world.Get(p.s, p.ids[0], playPlace))
		}
		return err
	}},
	{"two walks of which one writes what the other uses", always, func(p *play) error {
		for range playMoving.In(p.s) {
			for range playSpeeds.In(p.s) {
				continue
			}
		}
		return nil
	}},
	{"Apply in a walk", always, func(p *play) (err error) {
		for range playMoving.In(p.s) {
			err = second(world.Apply(p.s))
		}
		return err
	}},
	{"the zero Query", always, func(p *play) error {
		for range (world.Query{}).In(p.s) {
			continue
		}
		return nil
	}},
	{"Since of a query without Changed", always, func(p *play) error {
		for range playMoving.Since(p.s, 1) {
			continue
		}
		return nil
	}},
	{"a kind that the world does not have", always, func(p *play) error {
		return third(world.Add(p.s, p.ids[0], absentKind))
	}},
	{"a query of a kind that the world does not have", always, func(p *play) error {
		for range world.NewQuery(world.Read(absentField)).In(p.s) {
			continue
		}
		return nil
	}},
	{"a recipe that the world does not know", always, func(p *play) error {
		return third(world.Spawn(p.s, playOther))
	}},
	{"a watcher that looks in a loop over its results", always, func(p *play) error {
		s := playLooks.Look(p.s)
		for range playLooks.Entered(s) {
			s = playLooks.Look(s)
		}
		return nil
	}},
}

var cellMisuses = []misuseCase{
	{"cells of before a position was written", always, func(p *play) error {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := lift(c.Build(p.s, nil))
		c.In(s).Len()
		return nil
	}},
	{"a View of cells after the next Build", always, func(p *play) error {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := c.Build(p.s, nil)
		v := c.In(s)
		c.Build(s, nil)
		v.Near([3]float32{}, 1)
		return nil
	}},
	{"the zero View", always, func(*play) error { space.View[[3]float32]{}.Len(); return nil }},
	{"Points of a View read after the next Build", nobody, func(p *play) error {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := c.Build(p.s, nil)
		points := c.In(s).Points()
		s = c.Build(world.Must(world.Set(s, p.ids[0], playPlace, [3]float32{9, 9, 9})), nil)
		return unless(len(points) == len(c.In(s).Points()) && &points[0] == &c.In(s).Points()[0])
	}},
	{"Points of a View written", nobody, func(p *play) error {
		c := world.Must(space.NewCells(p.s, playPlace, space.Options{Size: 1}))
		s := c.Build(p.s, nil)
		c.In(s).Points()[0] = [3]float32{7}
		return unless(c.In(s).Points()[0] == [3]float32{7})
	}},
}
