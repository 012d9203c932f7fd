package suite

// clean deletes every object where that is not timed.
func clean(w Creator) {
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
		w.(Shuffler).Shuffle(randomOrder(n))
	}
}

// create creates in a world in which as many objects were, and were deleted in an order.
func create(kinds Kinds, deleted order) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		w := c.New(exactly(spawning{n, always(kinds)})).(Creator)
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
		return Case{
			Run:   func() { w.Create(n, kinds) },
			Reset: reset,
			Check: func() Result {
				w.Create(n, kinds)
				defer reset()
				return Result{w.Live(), 0}
			},
			Close: w.Close,
		}
	}
}

// createNew creates in a new world or, where a world does not grow, makes the world
// as well, since that is where it allocates: with counts for what is created.
func createNew(c Contender, n int) Case {
	room := exactly(uniform(n)...)
	var w Creator
	fresh := func() { w = c.New(room).(Creator) }
	if c.Peer == Ours {
		return Case{
			Run: func() {
				fresh()
				w.Create(n, both)
			},
			Reset: func() { w.Close() },
			Check: func() Result {
				fresh()
				defer w.Close()
				w.Create(n, both)
				return Result{w.Live(), 0}
			},
			Close: func() {},
		}
	}
	fresh()
	return Case{
		Run:   func() { w.Create(n, both) },
		Reset: fresh,
		Check: func() Result {
			w.Create(n, both)
			defer fresh()
			return Result{w.Live(), 0}
		},
		Close: func() {},
	}
}

func remove(kinds Kinds, in order) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		w := c.New(exactly(spawning{n, always(kinds)})).(Creator)
		reset := func() {
			w.Create(n, kinds)
			in.prepare(w, n)
		}
		reset()
		return Case{
			Run:   w.Delete,
			Reset: reset,
			Check: func() Result {
				before := w.Live()
				w.Delete()
				defer reset()
				return Result{before - w.Live(), 0}
			},
			Close: w.Close,
		}
	}
}

func addRemove(kinds Kinds, in order) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		objects := []spawning{{n, always(kinds)}}
		room := exactly(objects...)
		room.Kinds |= Velocity
		room.Of[Velocity] = n
		w := c.New(room).(Adder)
		spawnAll(w, objects)
		in.prepare(w, n)
		return Case{
			Run: func() {
				w.Add()
				w.Remove()
			},
			Check: func() Result {
				w.Add()
				movers := w.Movers()
				w.Remove()
				return Result{movers, float64(w.Positions().Count - w.Movers())}
			},
			Close: w.Close,
		}
	}
}

// newWorld makes worlds, of this library for 1,024 objects of two kinds, and closes them.
func newWorld(c Contender, _ int) Case {
	world := c.New(Room{Objects: capacity, Kinds: both}).(Maker)
	return Case{
		Run:   world.Make,
		Check: func() Result { return Result{1, 0} },
		Close: world.Close,
	}
}
