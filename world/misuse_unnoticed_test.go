package world_test

import (
	"bytes"
	"math"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/unsafeutil"
	"github.com/flatecs/flatecs/world"
	lists "github.com/flatecs/flatecs/world/list"
)

var objectMisuses = []misuseCase{
	{"an id of another world, where such an object lives", nobody, func(p *play) {
		other := newPlay(false)
		p.also(other.s)
		_, p.err = world.Set(p.s, other.ids[3], playPlace, [3]float32{})
	}},
	{"an id from before Restore, where such an object lives again", nobody, func(p *play) {
		snapshot := p.taken(p.s)
		first := p.spawn()
		p.s = world.Must(world.Restore(p.s, snapshot))
		p.unless(p.spawn() == first)
	}},
	{"a row kept until another object has it", nobody, func(p *play) {
		row := world.Must(world.RowOf(p.s, p.ids[19], playPlace))
		p.dispose(19)
		p.spawn()
		p.s = world.SetRow(p.s, playPlace, row, [3]float32{9})
	}},
	{"a dead object in a field that is no relation", nobody, func(p *play) {
		p.s, _ = world.Add(p.s, p.ids[0], playTarget)
		p.dispose(1)
		_, p.err = world.Set(p.s, p.ids[0], playTarget, p.ids[1])
	}},
}

// column returns the places of the first batch, kept beyond the walk.
func column(s world.State, q world.Query) (kept [][3]float32) {
	for b := range q.In(s) {
		kept = world.Column(b, playPlace) //flatecs:allow kept it is the misuse
		break
	}
	return kept
}

var pointerMisuses = []misuseCase{
	{"a write to a column that the query only reads", debug, func(p *play) {
		for b := range playMoving.In(p.s) {
			world.Column(b, playSpeed)[0][0]++ //flatecs:allow readonly it is the misuse
		}
	}},
	{"a write through a View", debug, func(p *play) {
		world.View(p.s, playPlace)[0][0]++
		world.Len(p.s)
	}},
	{"a NaN", debug, func(p *play) {
		for b := range playMoving.In(p.s) {
			world.Column(b, playPlace)[0][0] = float32(math.NaN())
		}
	}},
	{"a write through a pointer of Edit when the object is disposed", debug, func(p *play) {
		s, at, _ := world.Edit(p.s, p.ids[0], playPlace)
		p.s = s
		p.dispose(0)
		at[0] = 9
		p.s = world.Advance(p.s)
	}},
	{"a write through a pointer of a Writer when the object is disposed", debug, func(p *play) {
		w := world.WriterOf(p.s, playPlace)
		at := w.At(p.ids[0])
		p.dispose(0)
		at[0] = 9
		p.spawn()
	}},
	{"a write to a column after its walk, when its objects are disposed", debug, func(p *play) {
		kept := column(p.s, playMoving)
		p.s = world.Must(playMoving.DisposeAll(p.s))
		kept[0][0] = 9
		p.s = world.Advance(p.s)
	}},
	{"a write to a column after its walk, whose rows were scattered", debug, func(p *play) {
		p.freeze()
		kept := column(p.s, playThawed)
		kept[0][0] = 9
		p.s = lift(p.s)
	}},
	{"a write through a pointer of an earlier tick, before a snapshot", debug, func(p *play) {
		snapshot := p.taken(p.s)
		s, at, _ := world.Edit(world.Advance(p.s), p.ids[0], playPlace)
		s = world.Advance(s)
		_ = snapshot.Take(s)
		s = world.Advance(s)
		at[0] = 9
		p.err = snapshot.Take(s)
	}},
	{"a column read after its walk", nobody, func(p *play) {
		kept := column(p.s, playMoving)
		p.unless(kept[0] == [3]float32{1, 2, 3})
	}},
	{"a write to a column after its walk, when its objects live", nobody, func(p *play) {
		column(p.s, playMoving)[0][0] = 9
		p.s = world.Advance(p.s)
		p.unless(world.Must(world.Get(p.s, p.ids[0], playPlace))[0] == 9)
	}},
	{"a write through a pointer of an earlier tick, without a snapshot", debug, func(p *play) {
		s, at, _ := world.Edit(p.s, p.ids[0], playPlace)
		s = world.Advance(s)
		at[0] = 9
		p.s = world.Advance(s)
	}},
	{"a write to the elements of a list that the query only reads", debug, func(p *play) {
		for b := range playBags.In(p.s) {
			lists.Column(b, playBag).At(0)[0] = 9 //flatecs:allow readonly it is the misuse
		}
		p.s = world.Advance(p.s)
	}},
	{"a write to a slice that list.Of returned", debug, func(p *play) {
		world.Must(lists.Of(p.s, p.ids[0], playBag))[0] = 9
		p.s = world.Advance(p.s)
	}},
	{"a pointer kept until another object has the row", nobody, func(p *play) {
		s, at, _ := world.Edit(p.s, p.ids[19], playPlace)
		p.s = s
		p.dispose(19)
		id := p.spawn()
		at[0] = 9
		p.unless(world.Must(world.Get(p.s, id, playPlace))[0] == 9)
	}},
	{"a read through a pointer from before a change", nobody, func(p *play) {
		s, at, _ := world.Edit(p.s, p.ids[0], playPlace)
		p.s = s
		p.dispose(0)
		p.unless(at[1] == 2)
	}},
	{"the column of the first batch, taken for all objects", nobody, func(p *play) {
		p.freeze()
		p.s, _ = world.Add(p.s, p.ids[0], playTarget)
		q := playMoving.And(world.Optional(playTarget))
		p.unless(len(column(p.s, q)) < q.Count(p.s))
	}},
	{"a View kept until more rows are used", nobody, func(p *play) {
		view := world.View(p.s, playPlace)
		p.spawn()
		p.unless(len(view) <= len(world.View(p.s, playPlace)))
	}},
	{"a RowWise system that adds up rows", nobody, func(p *play) {
		sum := float32(0)
		for b := range playMoving.And(world.RowWise()).In(p.s) {
			for _, at := range world.Column(b, playPlace) {
				sum += at[1]
			}
		}
		p.unless(sum >= 40)
	}},
	{"a value written into Bytes", debug, func(p *play) {
		b, at := world.Bytes(p.s), world.Must(world.Get(p.s, p.ids[0], playPlace))
		b[bytes.Index(b, unsafeutil.Bytes(at[:]))]++
		p.s = world.Advance(p.s)
	}},
}

var commandMisuses = []misuseCase{
	{"commands that are never applied", nobody, func(p *play) {
		world.Record(p.s).Dispose(p.ids[0])
		p.s = world.Advance(p.s)
		p.unless(world.Alive(p.s, p.ids[0]))
	}},
}

// alone runs one task.
func alone(p *play, queries []world.Query, run func(s world.State) world.State) {
	p.s = systems.RunTasks(p.s, nil, []systems.Task{
		{Run: []func(world.State) world.State{run}, Queries: queries},
	})
}

var (
	playList  = []world.Query{playMoving}
	playSteps int // a variable that a system must not have
)

var taskMisuses = []misuseCase{
	{"a Writer of a task that another goroutine uses", nobody, func(p *play) {
		alone(p, playList, func(s world.State) world.State {
			w := world.WriterOf(s, playPlace)
			done := make(chan struct{})
			go func() { w.At(p.ids[0])[0] = 9; close(done) }()
			<-done
			return s
		})
		p.unless(world.Must(world.Get(p.s, p.ids[0], playPlace))[0] == 9)
	}},
	{"a batch that another goroutine uses", nobody, func(p *play) {
		for b := range playMoving.In(p.s) {
			done := make(chan struct{})
			go func() {
				world.Column(b, playPlace)[0][0] = 9 //flatecs:allow kept it is the misuse
				close(done)
			}()
			<-done
		}
	}},
	{"a system that depends on more than its State", nobody, func(p *play) {
		playSteps++
		p.s = world.Must(world.Set(p.s, p.ids[0], playPlace, [3]float32{float32(playSteps)}))
	}},
}

var dataMisuses = []misuseCase{
	{"a write to data that a Go value points to", nobody, func(p *play) {
		p.s, _ = world.Add(p.s, p.ids[0], playNames)
		other := p.also(world.Must(world.Clone(p.s)))
		world.Must(world.ValueOf(p.s, p.ids[0], playNames)).text = "both"
		p.unless(world.Must(world.ValueOf(other, p.ids[0], playNames)).text == "both")
	}},
	{"steps without Advance", nobody, func(p *play) {
		before := world.Tick(p.s)
		p.s = lift(p.s)
		p.unless(world.Tick(p.s) == before)
	}},
}
