package world_test

import (
	"bytes"
	"math"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/unsafeutil"
	"github.com/flatecs/flatecs/world"
)

var objectMisuses = []misuseCase{
	{"an id of an object that was disposed", always, func(p *play) error {
		p.dispose(0)
		return failed(world.Get(p.s, p.ids[0], playPlace))
	}},
	{"an id whose index another object has by now", always, func(p *play) error {
		p.dispose(0)
		p.spawn()
		return second(world.Set(p.s, p.ids[0], playPlace, [3]float32{}))
	}},
	{"an object disposed twice", always, func(p *play) error {
		p.dispose(0)
		return second(world.DisposeGameObject(p.s, p.ids[0]))
	}},
	{"nobody, read", always, func(p *play) error { return failed(world.Get(p.s, 0, playPlace)) }},
	{"a component that the object does not have", always, func(p *play) error {
		return failed(world.Get(p.s, p.ids[0], playTarget))
	}},
	{"a component added twice", always, func(p *play) error {
		return third(world.Add(p.s, p.ids[0], playPlace.Kind()))
	}},
	{"a component removed twice", always, func(p *play) error {
		s := world.Must(world.Remove(p.s, p.ids[0], playPlace.Kind()))
		return second(world.Remove(s, p.ids[0], playPlace.Kind()))
	}},
	{"a row that is not in use", always, func(p *play) error {
		row := world.Must(world.RowOf(p.s, p.ids[0], playPlace.Kind()))
		p.dispose(0)
		world.GetRow(p.s, playPlace, row)
		return nil
	}},
	{"a reference that closes a ring", always, func(p *play) error {
		p.s, _ = addParent(p, 0)
		p.s, _ = addParent(p, 1)
		s := world.Must(world.Set(p.s, p.ids[0], playParent, p.ids[1]))
		return second(world.Set(s, p.ids[1], playParent, p.ids[0]))
	}},
	{"a reference of a relation to a dead object", always, func(p *play) error {
		p.s, _ = addParent(p, 0)
		p.dispose(1)
		return second(world.Set(p.s, p.ids[0], playParent, p.ids[1]))
	}},
	{"a reference of a relation written in place", always, func(p *play) error {
		return third(world.Edit(p.s, p.ids[0], playParent))
	}},
	{"an id of another world, where such an object lives", nobody, func(p *play) error {
		other := newPlay(false)
		p.also(other.s)
		return second(world.Set(p.s, other.ids[3], playPlace, [3]float32{}))
	}},
	{"an id of before Restore, where such an object lives again", nobody, func(p *play) error {
		snapshot := p.taken(p.s)
		first := p.spawn()
		p.s = world.Must(world.Restore(p.s, snapshot))
		return unless(p.spawn() == first)
	}},
	{"a row kept until another object has it", nobody, func(p *play) error {
		row := world.Must(world.RowOf(p.s, p.ids[0], playPlace.Kind()))
		p.dispose(0)
		p.spawn()
		p.s = world.SetRow(p.s, playPlace, row, [3]float32{9})
		return nil
	}},
	{"a dead object in a field that is no relation", nobody, func(p *play) error {
		p.s, _, _ = world.Add(p.s, p.ids[0], playTarget.Kind())
		p.dispose(1)
		return second(world.Set(p.s, p.ids[0], playTarget, p.ids[1]))
	}},
}

func addParent(p *play, i int) (world.State, error) {
	s, _, err := world.Add(p.s, p.ids[i], playParent.Kind())
	return s, err
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
	{"a write to a column that the query only reads", debug, func(p *play) error {
		for b := range playMoving.In(p.s) {
			world.Column(b, playSpeed)[0][0]++ //flatecs:allow readonly it is the misuse
		}
		return nil
	}},
	{"a write through a View", debug, func(p *play) error {
		world.View(p.s, playPlace)[0][0]++
		world.Live(p.s)
		return nil
	}},
	{"a row of Overwrite that is left out", debug, func(p *play) error {
		for b := range playMoving.In(p.s) {
			world.Overwrite(b, playPlace)[0] = [3]float32{}
		}
		return nil
	}},
	{"a NaN", debug, func(p *play) error {
		for b := range playMoving.In(p.s) {
			world.Column(b, playPlace)[0][0] = float32(math.NaN())
		}
		return nil
	}},
	{"a write through a pointer of Edit when the object is disposed", debug, func(p *play) error {
		s, at, _ := world.Edit(p.s, p.ids[0], playPlace)
		p.s = s
		p.dispose(0)
		at[0] = 9
		p.s = world.Advance(p.s)
		return nil
	}},
	{"a write through a pointer of a Writer when the object is disposed", debug, func(p *play) error {
		s, w := world.OpenWrite(p.s, playPlace)
		at := w.At(p.ids[0])
		p.s = s
		p.dispose(0)
		at[0] = 9
		p.spawn()
		return nil
	}},
	{"a write to a column of before, when its objects are disposed", debug, func(p *play) error {
		kept := column(p.s, playMoving)
		p.s = world.Must(playMoving.DisposeAll(p.s))
		kept[0][0] = 9
		p.s = world.Advance(p.s)
		return nil
	}},
	{"a write to a column of before, whose rows were scattered", debug, func(p *play) error {
		p.freeze()
		kept := column(p.s, playThawed)
		kept[0][0] = 9
		p.s = lift(p.s)
		return nil
	}},
	{"a write through a pointer of an earlier tick, before a snapshot", debug, func(p *play) error {
		snapshot := p.taken(p.s)
		s, at, _ := world.Edit(world.Advance(p.s), p.ids[0], playPlace)
		s = world.Advance(s)
		_ = snapshot.Take(s)
		s = world.Advance(s)
		at[0] = 9
		return snapshot.Take(s)
	}},
	{"a column read after its walk", nobody, func(p *play) error {
		kept := column(p.s, playMoving)
		return unless(kept[0] == [3]float32{1, 2, 3})
	}},
	{"a write to a column after its walk, when its objects live", nobody, func(p *play) error {
		column(p.s, playMoving)[0][0] = 9
		p.s = world.Advance(p.s)
		return unless(world.Must(world.Get(p.s, p.ids[0], playPlace))[0] == 9)
	}},
	{"a write through a pointer of an earlier tick, without a snapshot", nobody, func(p *play) error {
		s, at, _ := world.Edit(p.s, p.ids[0], playPlace)
		s = world.Advance(s)
		at[0] = 9
		return unless(world.Must(world.Get(s, p.ids[0], playPlace))[0] == 9)
	}},
	{"a pointer kept until another object has the row", nobody, func(p *play) error {
		s, at, _ := world.Edit(p.s, p.ids[0], playPlace)
		p.s = s
		p.dispose(0)
		id := p.spawn()
		at[0] = 9
		return unless(world.Must(world.Get(p.s, id, playPlace))[0] == 9)
	}},
	{"a read through a pointer of before a change", nobody, func(p *play) error {
		s, at, _ := world.Edit(p.s, p.ids[0], playPlace)
		p.s = s
		p.dispose(0)
		return unless(at[1] == 2)
	}},
	{"the column of the first batch, taken for all objects", nobody, func(p *play) error {
		p.freeze()
		p.s, _, _ = world.Add(p.s, p.ids[0], playTarget.Kind())
		q := playMoving.And(world.Optional(playTarget))
		return unless(len(column(p.s, q)) < q.Count(p.s))
	}},
	{"a View kept until more rows are used", nobody, func(p *play) error {
		view := world.View(p.s, playPlace)
		p.spawn()
		return unless(len(view) <= len(world.View(p.s, playPlace)))
	}},
	{"a RowWise system that adds up rows", nobody, func(p *play) error {
		sum := float32(0)
		for b := range playMoving.And(world.RowWise()).In(p.s) {
			for _, at := range world.Column(b, playPlace) {
				sum += at[1]
			}
		}
		return unless(sum >= 40)
	}},
	{"a value written into Bytes", nobody, func(p *play) error {
		b, at := world.Bytes(p.s), world.Must(world.Get(p.s, p.ids[0], playPlace))
		b[bytes.Index(b, unsafeutil.Bytes(at[:]))]++
		return unless(world.Must(world.Get(p.s, p.ids[0], playPlace)) != at)
	}},
}

var commandMisuses = []misuseCase{
	{"the zero Commands", always, func(*play) error { world.Commands{}.Create(); return nil }},
	{"commands of a world that was closed", always, func(p *play) error {
		c := world.Record(p.s)
		world.Close(p.s)
		c.Create()
		return nil
	}},
	{"a command on an object that is dead by then", always, func(p *play) error {
		world.Record(p.s).Add(p.ids[0], playFrozen)
		p.dispose(0)
		return second(world.Apply(p.s))
	}},
	{"a recorded id kept beyond Apply", always, func(p *play) error {
		id := world.Record(p.s).Spawn(playBall)
		s := world.Must(world.Apply(p.s))
		return failed(world.Get(s, id, playPlace))
	}},
	{"an id of an earlier Apply in Applied", always, func(p *play) error {
		id := world.Record(p.s).Spawn(playBall)
		s := world.Must(world.Apply(world.Must(world.Apply(p.s))))
		return failed(world.Applied(s, id))
	}},
	{"commands that nobody applies", nobody, func(p *play) error {
		world.Record(p.s).Dispose(p.ids[0])
		p.s = world.Advance(p.s)
		return unless(world.Alive(p.s, p.ids[0]))
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
	{"two tasks that write a field of the same objects", always, func(p *play) error {
		task := systems.Task{Run: []func(world.State) world.State{lift}, Queries: playList}
		p.s = systems.RunTasks(p.s, nil, []systems.Task{task, task})
		return nil
	}},
	{"a task that walks what it does not list", always, func(p *play) error {
		alone(p, nil, lift)
		return nil
	}},
	{"a change of structure in a task", always, func(p *play) (err error) {
		alone(p, playList, func(s world.State) world.State {
			_, err = world.DisposeGameObject(s, p.ids[0])
			return s
		})
		return err
	}},
	{"a task that returns the zero State", always, func(p *play) error {
		alone(p, playList, func(world.State) world.State { return world.State{} })
		return nil
	}},
	{"a Writer of before in a task", checked, func(p *play) error {
		s, w := world.OpenWrite(p.s, playPlace)
		p.s = s
		alone(p, []world.Query{playSpeeds}, func(s world.State) world.State {
			w.At(p.ids[0])
			return s
		})
		return nil
	}},
	{"a Writer of a task that has ended", checked, func(p *play) error {
		var w world.Writer[[3]float32]
		alone(p, playList, func(s world.State) world.State {
			s, w = world.OpenWrite(s, playPlace)
			return s
		})
		w.At(p.ids[0])
		return nil
	}},
	{"a Writer of a task that another goroutine uses", nobody, func(p *play) error {
		alone(p, playList, func(s world.State) world.State {
			s, w := world.OpenWrite(s, playPlace)
			done := make(chan struct{})
			go func() { w.At(p.ids[0])[0] = 9; close(done) }()
			<-done
			return s
		})
		return unless(world.Must(world.Get(p.s, p.ids[0], playPlace))[0] == 9)
	}},
	{"a batch that another goroutine uses", nobody, func(p *play) error {
		for b := range playMoving.In(p.s) {
			done := make(chan struct{})
			go func() {
				world.Column(b, playPlace)[0][0] = 9 //flatecs:allow kept it is the misuse
				close(done)
			}()
			<-done
		}
		return nil
	}},
	{"a system that depends on more than its State", nobody, func(p *play) error {
		playSteps++
		p.s = world.Must(world.Set(p.s, p.ids[0], playPlace, [3]float32{float32(playSteps)}))
		return nil
	}},
}

var dataMisuses = []misuseCase{
	{"a resource that the world does not have", always, func(p *play) error {
		world.Resource(p.s, exhibitWidth)
		return nil
	}},
	{"events that the world does not have", always, func(p *play) error {
		exhibitHits.Send(p.s)
		return nil
	}},
	{"names in a world without", always, func(p *play) error {
		return second(world.SetName(p.s, p.ids[0], "Bob"))
	}},
	{"a negative number of objects", always, func(p *play) error {
		return second(world.SpawnN(p.s, playBall, -1, nil))
	}},
	{"more objects than there is room for", always, func(p *play) error {
		return second(world.SpawnN(p.s, playBall, math.MaxInt32, nil))
	}},
	{"what a value points to, written", nobody, func(p *play) error {
		p.s, _, _ = world.Add(p.s, p.ids[0], playNames.Kind())
		other := p.also(world.Must(world.Clone(p.s)))
		world.Must(world.ValueOf(p.s, p.ids[0], playNames)).text = "both"
		return unless(world.Must(world.ValueOf(other, p.ids[0], playNames)).text == "both")
	}},
	{"steps without Advance", nobody, func(p *play) error {
		before := world.Tick(p.s)
		p.s = lift(p.s)
		return unless(world.Tick(p.s) == before)
	}},
}
