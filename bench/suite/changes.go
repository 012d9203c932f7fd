package suite

func create(kinds Kinds) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		w := c.New(roomFor(spawning{n, always(kinds)})).(Creator)
		return Case{
			Run:   func() { w.Create(n, kinds) },
			Reset: w.Delete,
			Check: func() Result {
				w.Create(n, kinds)
				defer w.Delete()
				return Result{w.Live(), 0}
			},
			Close: w.Close,
		}
	}
}

// createNew creates in a world of small capacity or, where a world does not grow, makes the world
// as well, since that is where it allocates: with counts for what is created.
func createNew(c Contender, n int) Case {
	room := roomFor(uniform(n)...)
	var w Creator
	fresh := func() { w = c.New(room).(Creator) }
	if c.Peer == Ours {
		room.Objects = withSlack(n, len(room.Sorts))
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

func remove(kinds Kinds) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		w := c.New(roomFor(spawning{n, always(kinds)})).(Creator)
		w.Create(n, kinds)
		return Case{
			Run:   w.Delete,
			Reset: func() { w.Create(n, kinds) },
			Check: func() Result {
				before := w.Live()
				w.Delete()
				defer w.Create(n, kinds)
				return Result{before - w.Live(), 0}
			},
			Close: w.Close,
		}
	}
}

func addRemove(kinds Kinds) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		objects := []spawning{{n, always(kinds)}}
		room := roomFor(objects...)
		room.Kinds |= Velocity
		w := c.New(room).(Adder)
		spawnAll(w, objects)
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

// small is the capacity of worlds that are made for their own sake.
const small = 64

// newWorld makes worlds for objects of two kinds, and closes them.
func newWorld(c Contender, _ int) Case {
	world := c.New(Room{Objects: small, Kinds: both}).(Maker)
	return Case{
		Run:   world.Make,
		Check: func() Result { return Result{1, 0} },
		Close: world.Close,
	}
}
