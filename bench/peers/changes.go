package peers

import "github.com/flatecs/flatecs/bench/harness"

// clean deletes every object where that is not timed.
func clean(w World) {
	if c, ok := w.(Cleaner); ok {
		c.Clear()
	} else {
		w.Delete()
	}
}

// An order is that in which objects are deleted or changed.
type order bool

// Orders.
const (
	created  order = false // that of their creation
	randomly order = true
)

// prepare puts the ids of n objects in an order.
func (o order) prepare(w World, n int) {
	if o == randomly {
		w.Shuffle(randomOrder(n))
	}
}

// create creates in a world in which as many objects were, and were deleted in an order.
func create(kinds Kinds, deleted order) func(string, int) harness.Work {
	return func(who string, n int) harness.Work {
		w := New(who, exactly(Spawning{n, always(kinds)}))
		reset := func() {
			if deleted == created {
				clean(w)
				return
			}
			deleted.prepare(w, n)
			w.Delete()
		}
		w.Create(n, kinds) // once, so that memory is there
		reset()
		return harness.Work{
			Run:   func() { w.Create(n, kinds) },
			Reset: reset,
			Check: func() Result {
				w.Create(n, kinds)
				defer reset()
				return Result{Count: w.Live()}
			},
			Close: w.Close,
		}
	}
}

// createNew creates in a new world or, where a world does not grow, makes the world as well, since
// that is where it allocates: with counts for what is created.
func createNew(who string, n int) harness.Work {
	room := exactly(Uniform(n)...)
	var w World
	fresh := func() { w = New(who, room) }
	before, after := fresh, func() { w.Close() }
	if !harness.Ours(who) {
		fresh()
		before, after = func() {}, fresh
	}
	run := func() {
		before()
		w.Create(n, both)
	}
	return harness.Work{Run: run, Reset: after, Check: func() Result {
		run()
		defer after()
		return Result{Count: w.Live()}
	}}
}

func remove(kinds Kinds, in order) func(string, int) harness.Work {
	return func(who string, n int) harness.Work {
		w := New(who, exactly(Spawning{n, always(kinds)}))
		reset := func() {
			w.Create(n, kinds)
			in.prepare(w, n)
		}
		reset()
		return harness.Work{Run: w.Delete, Reset: reset, Close: w.Close, Check: func() Result {
			before := w.Live()
			w.Delete()
			defer reset()
			return Result{Count: before - w.Live()}
		}}
	}
}

func addRemove(kinds Kinds, in order) func(string, int) harness.Work {
	return func(who string, n int) harness.Work {
		objects := Spawning{n, always(kinds)}
		room := exactly(objects)
		room.Kinds |= Velocity
		room.Of[Velocity] = n
		w := New(who, room)
		SpawnAll(w, []Spawning{objects})
		in.prepare(w, n)
		run := func() {
			w.Add()
			w.Remove()
		}
		return harness.Work{Run: run, Close: w.Close, Check: func() Result {
			w.Add()
			movers := w.Movers()
			w.Remove()
			return Result{Count: movers, Sum: float64(w.Positions().Count - w.Movers())}
		}}
	}
}

// newWorld makes worlds, of this library for 1,024 objects of two kinds, and closes them.
func newWorld(who string, _ int) harness.Work {
	world := New(who, Room{Objects: capacity, Kinds: both})
	return harness.Work{
		Run: world.Make, Close: world.Close, Check: func() Result { return Result{Count: 1} },
	}
}
