package suite

import "slices"

// A Definition is a piece of work at several numbers of objects.
type Definition struct {
	Name  string
	Title string
	As    []string // how it is done, and where it differs from upstream's of the same name
	Per   string   // what a figure is of: an object, …
	Sizes []int
	Who   []string // names of contenders
	make  func(c Contender, n int) Case

	Bytes   int    // that the work reads and writes per object, where memory decides
	Unit    Unit   // of figures
	Against string // a contender that is no peer, to compare with as well
	Beside  string // what goes on meanwhile: then the work is a frame of a loop
	Caches  int    // how often to run it in a simulation of the caches, instead of measuring time
}

// A Unit is what a figure counts.
type Unit string

// Figures are times, but for one.
const (
	Nanoseconds Unit = ""
	Bytes       Unit = "bytes"
)

// A Case is a definition's work for one contender and one n.
type Case struct {
	Run   func()        // the work, which is timed
	Reset func()        // makes the next Run possible; nil if nothing is to be done
	Check func() Result // what came out, after any number of Runs and Resets
	Close func()
	Wall  bool           // its time goes on where other threads work for it
	Of    int            // what Run is about: n objects, if 0
	Value func() float64 // the figure, where it is no time
	// Beside runs on another goroutine until stop. Then Run is one frame of a loop, and each one's
	// time counts, not their mean.
	Beside func(stop <-chan struct{})
}

// Make prepares a definition's work.
func (d Definition) Make(c Contender, n int) Case { return d.make(c, n) }

// Has says whether a contender takes part.
func (d Definition) Has(contender string) bool { return slices.Contains(d.Who, contender) }

var (
	sizes   = []int{1, 4, 16, 64, 256, 1_024, 16_000, 256_000, 1_000_000}
	large   = []int{10_000, 100_000, 1_000_000}
	asThere = "as upstream, github.com/mlange-42/go-ecs-benchmarks"
	exact   = "flatecs: each count is what is there, and no more; free room: no counts, " +
		"room for 1,048,576 objects"
	once     = "all is done once before it is timed"
	values   = "velocities are multiples of a half instead of 1, so that sums are exact and differ"
	arks     = "Ark and Ark tables: filters are not registered, as upstream; registered is faster"
	notThere = "upstream has no such definition"
)

// Definitions are all pieces of work, in the order of tables.
func Definitions() []Definition {
	return slices.Concat(upstream(), changes(), beyondUpstream(), further(), sparse(), beyondTime(),
		kernels())
}

// upstream are those of github.com/mlange-42/go-ecs-benchmarks, but for changes.
func upstream() []Definition {
	return []Definition{
		{
			Name: "query2comp", Title: "Add velocities to positions",
			Per: "object", Sizes: sizes, Who: withBare, make: walkExactly(beside),
			Against: "kernel alone",
			As: []string{
				asThere + ": 10 n objects with a position, then n with a velocity as well", exact,
				arks, values,
			},
		},
		{
			Name: "query32arch", Title: "Add velocities to positions, over 32 sorts of objects",
			Per: "object", Sizes: sizes, Who: walkers, make: walkExactly(sorts32),
			As: []string{
				asThere + ": the i-th of n objects has the further kinds of the bits of i % 32",
				exact, arks, values,
			},
		},
		{
			Name:  "query256arch",
			Title: "Add velocities to positions, beside 4 n objects of 256 sorts without any",
			Per:   "object", Sizes: sizes, Who: walkers, make: walkExactly(sorts256),
			As: []string{
				asThere + ": n objects, then 4 n of the bits of i % 256", exact, arks, values,
			},
		},
		{
			Name: "random", Title: "Read positions by id, in random order",
			Per: "object", Sizes: sizes, Who: with(looked, "slices"), make: readRandom,
			As: []string{
				asThere, exact, "flatecs: by Open and At; batch: by AtN, 64 at a time",
			},
		},
		{
			Name: "new_world", Title: "Make a world",
			Per: "world", Sizes: []int{1}, Who: singles, make: newWorld,
			As: []string{
				asThere, "flatecs: for 1,024 objects of two kinds, and closed again; the others " +
					"are left to the collector, and register no components",
			},
		},
	}
}

// changes are those of the suite that create, delete, add and remove.
func changes() []Definition {
	in := []string{asThere + ", in the order of creation", exact, once}
	return []Definition{
		{
			Name: "create2comp", Title: "Create objects with two components", As: in,
			Per: "object", Sizes: sizes, Who: with(batches, "slices"), make: create(both, created),
		},
		{
			Name: "create2comp_alloc", Title: "Create objects with two components in a new world",
			Per: "object", Sizes: sizes, Who: batches, make: createNew,
			As: []string{
				asThere, exact,
				"flatecs: making the world is timed as well, for that is where it allocates; for " +
					"the others it is not, as upstream",
			},
		},
		{
			Name: "create10comp", Title: "Create objects with ten components", As: in,
			Per: "object", Sizes: sizes, Who: batches, make: create(ten, created),
		},
		{
			Name: "delete2comp", Title: "Delete objects with two components", As: in,
			Per: "object", Sizes: sizes, Who: batches, make: remove(both, created),
		},
		{
			Name: "delete10comp", Title: "Delete objects with ten components", As: in,
			Per: "object", Sizes: sizes, Who: batches, make: remove(ten, created),
		},
		{
			Name: "add_remove", Title: "Add a velocity and remove it", As: in,
			Per: "object", Sizes: sizes, Who: batches, make: addRemove(Position, created),
		},
		{
			Name:  "add_remove_large",
			Title: "Add a velocity and remove it, beside ten other components", As: in,
			Per: "object", Sizes: sizes, Who: batches, make: addRemove(Position|ten, created),
		},
	}
}

// beyondUpstream are those of the suite in another order, and writes.
func beyondUpstream() []Definition {
	return []Definition{
		{
			Name: "random_write", Title: "Write positions by id, in random order",
			Per: "object", Sizes: sizes, Who: with(looked, "slices"), make: writeRandom,
			As: []string{
				notThere, exact, "flatecs: by OpenWrite and At, which stamps as well; batch: by " +
					"AtN, 64 at a time",
			},
		},
		{
			Name:  "delete2comp_random",
			Title: "Delete objects with two components, in random order",
			Per:   "object", Sizes: sizes, Who: changers, make: remove(both, randomly),
			As: []string{notThere, exact, once},
		},
		{
			Name:  "create2comp_random",
			Title: "Create objects with two components, after others went in random order",
			Per:   "object", Sizes: sizes, Who: changers, make: create(both, randomly),
			As: []string{notThere, exact, once},
		},
		{
			Name: "add_remove_random", Title: "Add a velocity and remove it, in random order",
			Per: "object", Sizes: sizes, Who: changers, make: addRemove(Position, randomly),
			As: []string{notThere, exact, once},
		},
	}
}

// further are those beyond the suite's.
func further() []Definition {
	return []Definition{
		{
			Name: "query2comp_32", Title: "Add velocities to positions, in float32: three and one",
			Per: "object", Sizes: sizes, Who: with(in32, "kernel alone", "slices"),
			make: walk(singleWorld, uniform), Against: "kernel alone",
		},
		{
			Name:  "query32arch_32",
			Title: "Add velocities to positions, over 32 sorts of objects, in float32",
			Per:   "object", Sizes: sizes, Who: in32, make: walk(singleWorld, sorts32),
		},
		{
			Name:  "query256arch_32",
			Title: "Add velocities to positions, beside 4 n objects without any, in float32",
			Per:   "object", Sizes: sizes, Who: in32, make: walk(singleWorld, sorts256),
		},
		{
			Name:  "mixed",
			Title: "Add velocities to positions; every second object created has none",
			Per:   "object", Sizes: large, Who: walkers, make: walk(doubleWorld, alternating),
		},
		{
			Name:  "mixed_32",
			Title: "Add velocities to positions; every second object has none; in float32",
			Per:   "object", Sizes: large, Who: in32, make: walk(singleWorld, alternating),
		},
		{
			Name:  "turnover",
			Title: "Add velocities in a world 90 % full, after 1 % came and went 600 times",
			Per:   "object", Sizes: large,
			Who:  without(with(walkers, "kernel alone"), "flatecs no recipe"),
			make: turnover, Against: "kernel alone",
		},
		{
			Name:  "marked",
			Title: "Add velocities to positions but where one in ten has a mark",
			Per:   "object", Sizes: large,
			Who:  []string{"flatecs", "flatecs row-wise", "Ark tables", "Donburi", "uot"},
			make: marked,
		},
		{
			Name: "set_marks", Title: "Mark one object in ten, and unmark it",
			Per: "mark", Sizes: large, Who: []string{"flatecs", "Ark", "Donburi", "uot"},
			make: setMarks,
		},
	}
}

// beyondTime are about memory, and about what else goes on in a program.
func beyondTime() []Definition {
	return []Definition{
		{
			Name: "memory", Title: "Memory beyond the 32 bytes of two components",
			Per: "object", Sizes: large, Who: with(singles, "slices", "slices of pointers"),
			make: memory(heldBy), Unit: Bytes,
		},
		{
			Name: "resident", Title: "Memory that was ever touched, beyond the same 32 bytes",
			Per: "object", Sizes: []int{500_000, 5_000_000}, Who: with(singles, "slices"),
			make: memory(resident), Unit: Bytes,
		},
		{
			Name: "gc", Title: "Collect garbage (runtime.GC) beside two n components",
			Per: "collection", Sizes: []int{500_000, 5_000_000},
			Who:  with(singles, "slices", "slices of pointers", "empty heap"),
			make: collectGarbage, Against: "empty heap",
		},
		{
			Name: "copy", Title: "Copy a world, its bytes, and as many bytes by copy alone",
			Per: "object", Sizes: large, Who: []string{"Clone", "copy of Bytes", "copy"},
			make: copyWorld, Against: "copy",
		},
		{
			Name:  "frames",
			Title: "Move, sixty times a second, beside a program that makes garbage",
			Per:   "frame", Sizes: []int{100_000},
			Who:  []string{"flatecs", "Ark tables", "Donburi", "slices of pointers"},
			make: frames, Beside: "a program that makes garbage",
		},
		{
			Name: "caches", Title: "Add velocities to positions, under valgrind --tool=cachegrind",
			Per: "object", Sizes: []int{20_000}, Caches: 100,
			Who: []string{
				"flatecs", "flatecs loop", "Ark tables", "Donburi", "slices of pointers",
			},
			make: walk(doubleWorld, uniform),
		},
	}
}
