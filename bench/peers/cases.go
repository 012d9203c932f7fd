package peers

import "github.com/flatecs/flatecs/bench/harness"

// Subject is the comparison with other libraries.
func Subject() *harness.Subject {
	s := &harness.Subject{
		Name: "peers", About: "what a world does, beside other entity component systems",
	}
	for _, some := range [][]harness.Case{
		upstream(), creations(), beyondUpstream(), further(), sparse(), trees(), acts(),
	} {
		for _, c := range some {
			c.Plain = Plain
			c.Against = append(c.Against, harness.BestPeer)
			s.Cases = append(s.Cases, c)
		}
	}
	return s
}

type maker = func(who string, n int) harness.Work

var (
	sizes   = []int{1, 16, 1_024, 16_000, 256_000}
	large   = []int{10_000, 100_000}
	asThere = "as upstream, github.com/mlange-42/go-ecs-benchmarks"
	exact   = "flatecs: each count is what is there, and no more; as README: no counts, " +
		"room for 1,048,576 objects, and plain loops"
	once   = "all is done once before it is timed"
	values = "velocities are multiples of a half instead of 1, so that sums are exact and differ"
	arks   = "Ark and Ark tables: filters are not registered, as upstream; registered is faster"
)

// perObject is a case whose figure is of one object.
func perObject(
	name, title string, sizes []int, who []string, work maker, how ...string,
) harness.Case {
	return harness.Case{
		Name: name, Title: title, Per: "object", Sizes: sizes, Who: who, Make: work, How: how,
	}
}

// against compares with a contender that is no library as well.
func against(who string, c harness.Case) harness.Case {
	c.Against = append(c.Against, who)
	return c
}

// upstream are the cases of github.com/mlange-42/go-ecs-benchmarks that walk and read.
func upstream() []harness.Case {
	return []harness.Case{
		against("kernel alone", perObject("query2comp", "Add velocities to positions",
			sizes, withBare, walk(exactly, beside),
			asThere+": 10 n objects with a position, then n with a velocity as well", exact, arks,
			values)),
		perObject("query32arch", "Add velocities to positions, over 32 sorts of objects",
			sizes, walkers, walk(exactly, sorts32),
			asThere+": the i-th of n objects has the further kinds of the bits of i % 32", exact,
			arks, values),
		perObject("query256arch", "Add velocities to positions, beside 4 n objects of 256 sorts "+
			"without any", sizes, walkers, walk(exactly, sorts256),
			asThere+": n objects, then 4 n of the bits of i % 256", exact, arks, values),
		perObject("random", "Read positions by id, in random order", sizes, looked, readRandom,
			asThere, exact, "flatecs: by Open and At; batch: by AtN, 64 at a time"),
		{
			Name: "new_world", Title: "Make a world", Per: "world", Sizes: []int{1}, Who: singles,
			Make: newWorld, How: []string{
				asThere, "flatecs: for 1,024 objects of two kinds, and closed again; the others " +
					"are left to the collector, and register no components",
			},
		},
	}
}

// creations are those of upstream that create, delete, add and remove.
func creations() []harness.Case {
	there := asThere + ", in the order of creation"
	return []harness.Case{
		perObject("create2comp", "Create objects with two components", sizes,
			With(batches, "slices"), create(both, created), there, exact, once),
		perObject("create2comp_alloc", "Create objects with two components in a new world", sizes,
			batches, createNew, asThere, exact, "flatecs: making the world is timed as well, for "+
				"that is where it allocates; for the others it is not, as upstream"),
		perObject("create10comp", "Create objects with ten components", sizes, batches,
			create(ten, created), there, exact, once),
		perObject("delete2comp", "Delete objects with two components", sizes, batches,
			remove(both, created), there, exact, once),
		perObject("delete10comp", "Delete objects with ten components", sizes, batches,
			remove(ten, created), there, exact, once),
		perObject("add_remove", "Add a velocity and remove it", sizes, batches,
			addRemove(Position, created), there, exact, once),
		perObject("add_remove_large", "Add a velocity and remove it, beside ten other components",
			sizes, batches, addRemove(Position|ten, created), there, exact, once),
	}
}

// beyondUpstream are the same in another order, and writes.
func beyondUpstream() []harness.Case {
	return []harness.Case{
		perObject("random_write", "Write positions by id, in random order", sizes, looked,
			writeRandom, exact, "flatecs: by OpenWrite and At, which stamps as well; batch: by "+
				"AtN, 64 at a time"),
		perObject("delete2comp_random", "Delete objects with two components, in random order",
			sizes, singles, remove(both, randomly), exact, once),
		perObject("create2comp_random", "Create objects with two components, after others went in "+
			"random order", sizes, singles, create(both, randomly), exact, once),
		perObject("add_remove_random", "Add a velocity and remove it, in random order", sizes,
			singles, addRemove(Position, randomly), exact, once),
	}
}

// further are about how objects lie, and about marks.
func further() []harness.Case {
	return []harness.Case{
		perObject("mixed", "Add velocities to positions; every second object created has none",
			large, walkers, walk(RoomFor, alternating)),
		against("kernel alone", perObject("turnover", "Add velocities in a world nine tenths "+
			"full, after one in a hundred came and went 600 times", large,
			With(walkers, "kernel alone"), turnover)),
		perObject("marked", "Add velocities to positions but where one in ten has a mark", large,
			[]string{
				"flatecs", "flatecs as README", "flatecs row-wise", "Ark tables", "Donburi", "uot",
			}, marked),
		{
			Name: "set_marks", Title: "Mark one object in ten, and unmark it", Per: "mark",
			Sizes: large, Make: setMarks,
			Who: []string{"flatecs", "flatecs as README", "Ark", "Donburi", "uot"},
		},
	}
}

// sparse are about worlds of many kinds. Archetypes are no way to hold them: nearly every object
// would have one of its own, and Ark has room for 256 kinds.
func sparse() []harness.Case {
	one := func(name, title, per string, work maker) harness.Case {
		return harness.Case{
			Name: name, Title: title, Per: per, Sizes: []int{100_000}, Make: work,
			Who: []string{"flatecs", "maps"}, Against: []string{"maps"},
			How: []string{
				"n objects, 300 kinds of 16 bytes, each on a random hundredth of them",
				"maps: a Go map from object to row for each kind, and slices of values",
			},
		}
	}
	return []harness.Case{
		one("sparse_add", "Add the components of a sparse world, kind by kind", "component",
			sparseAdd),
		one("sparse_walk", "Walk the objects of one kind of a sparse world", "match", sparseWalk),
		one("sparse_dispose", "Dispose of objects of a sparse world, in random order", "object",
			sparseDispose),
	}
}
