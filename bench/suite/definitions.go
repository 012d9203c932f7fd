package suite

import (
	"math/rand/v2"
	"slices"
)

// A Definition is a piece of work at several numbers of objects.
type Definition struct {
	Name  string
	Title string
	Per   string // what a figure is per
	Sizes []int
	Who   []string // names of contenders
	make  func(c Contender, n int) Case
}

// A Case is a definition's work for one contender and one n.
type Case struct {
	Run   func()        // the work, which is timed
	Reset func()        // makes the next Run possible; nil if nothing is to be done
	Check func() Result // what came out, after any number of Runs and Resets
	Close func()
}

// Make prepares a definition's work.
func (d Definition) Make(c Contender, n int) Case { return d.make(c, n) }

// Has says whether a contender takes part.
func (d Definition) Has(contender string) bool { return slices.Contains(d.Who, contender) }

var sizes = []int{1, 4, 16, 64, 256, 1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000}

// Definitions are all pieces of work, in the order of tables.
func Definitions() []Definition {
	return []Definition{
		{
			"query2comp", "Add velocities to positions", "object", sizes, withBare,
			walk(func(n int) []spawning { return []spawning{{n, always(both)}} }),
		},
		{
			"query32arch", "The same, over 32 sorts of objects", "object", sizes, walkers,
			walk(func(n int) []spawning { return []spawning{{n, mixed(both, 32)}} }),
		},
		{
			"query256arch", "The same, beside 4 n objects of 256 sorts that have no velocity",
			"object", sizes, walkers,
			walk(func(n int) []spawning {
				return []spawning{{n, always(both)}, {4 * n, mixed(Position, 256)}}
			}),
		},
		{
			"random", "Read positions by id, in random order", "object", sizes,
			without(withBare, "flatecs piecewise", "flatecs loop", "Ark tables"), readRandom,
		},
		{
			"create2comp", "Create objects with two components", "object", sizes,
			append(batches, "slices"), create(both),
		},
		{
			"create2comp_alloc", "The same in a world that is new", "object", sizes,
			batches, createNew,
		},
		{
			"create10comp", "Create objects with ten components", "object", sizes, batches,
			create(ten),
		},
		{
			"delete2comp", "Delete objects with two components", "object", sizes, batches,
			remove(both),
		},
		{
			"delete10comp", "Delete objects with ten components", "object", sizes, batches,
			remove(ten),
		},
		{
			"add_remove", "Add a velocity and remove it", "object", sizes,
			without(batches, "flatecs piecewise"), addRemove(Position),
		},
		{
			"add_remove_large", "The same beside ten other components", "object", sizes,
			without(batches, "flatecs piecewise"), addRemove(Position | ten),
		},
		{
			"new_world", "Make a world", "world",
			[]int{1},
			without(singles, "flatecs piecewise"), newWorld,
		},
	}
}

func without(names []string, not ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.Contains(not, name)
	})
}

// A spawning is n objects, the i-th with kinds(i).
type spawning struct {
	n     int
	kinds func(i int) Kinds
}

func always(k Kinds) func(int) Kinds { return func(int) Kinds { return k } }

// mixed gives the i-th object the further kinds that the bits of i % sorts say.
func mixed(k Kinds, sorts int) func(int) Kinds {
	return func(i int) Kinds { return k | Kinds(i%sorts)<<2 }
}

// roomFor counts what is spawned. What is divided into slabs needs some more: an eighth, and a block
// of 64 for each sort.
func roomFor(all ...spawning) (room Room) {
	for _, s := range all {
		room.Objects += s.n
		for i := range min(s.n, 256) { // no definition has more sorts
			k := s.kinds(i)
			if !slices.Contains(room.Sorts, k) {
				room.Sorts = append(room.Sorts, k)
			}
			room.Kinds |= k
		}
	}
	room.Objects = max(capacity, room.Objects+room.Objects/8+64*len(room.Sorts))
	return room
}

func walk(of func(n int) []spawning) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		all := of(n)
		w := c.New(roomFor(all...))
		for _, s := range all {
			w.Spawn(s.n, s.kinds)
		}
		return Case{Run: w.Move, Check: w.Positions, Close: w.Close}
	}
}

func readRandom(c Contender, n int) Case {
	objects := spawning{n, always(both)}
	if c.Peer == Slices {
		objects.kinds = always(Position)
	}
	w := c.New(roomFor(objects)).(Reader)
	w.Spawn(objects.n, objects.kinds)
	w.Shuffle(rand.New(rand.NewPCG(1, 2)).Perm(n))
	var sum float64
	return Case{
		Run:   func() { sum = w.Read() },
		Check: func() Result { return Result{n, sum} },
		Close: w.Close,
	}
}

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

// createNew creates in a world of small capacity, or, where a world does not grow, makes the world as
// well, since that is where it allocates.
func createNew(c Contender, n int) Case {
	room := roomFor(spawning{n, always(both)})
	w := c.New(room).(Creator)
	run := func() { w.Create(n, both) }
	if c.Peer == Ours {
		w.Close()
		run = func() {
			w = c.New(room).(Creator)
			w.Create(n, both)
		}
	}
	return Case{
		Run: run,
		Reset: func() {
			w.Close()
			if c.Peer != Ours {
				w = c.New(room).(Creator)
			}
		},
		Check: func() Result { return Result{n, 0} },
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
		room := roomFor(spawning{n, always(kinds)})
		room.Kinds |= Velocity
		w := c.New(room).(Adder)
		w.Spawn(n, always(kinds))
		return Case{
			Run: func() {
				w.Add()
				w.Remove()
			},
			Check: func() Result {
				w.Add()
				r := Result{Count: w.Movers()}
				w.Remove()
				r.Sum = float64(w.Positions().Count - w.Movers())
				return r
			},
			Close: w.Close,
		}
	}
}

func newWorld(c Contender, _ int) Case {
	room := roomFor(spawning{1, always(both)})
	var w World
	return Case{
		Run: func() {
			w = c.New(room)
			w.Close()
		},
		Check: func() Result { return Result{1, 0} },
		Close: func() {},
	}
}
