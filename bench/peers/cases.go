package peers

import "github.com/flatecs/flatecs/bench/harness"

// Subject returns the comparison with other libraries.
func Subject() *harness.Subject {
	s := &harness.Subject{
		Name: "peers", About: "what a world does, beside other entity component systems",
	}
	for _, some := range [][]harness.Case{cases(), sparse(), memory(), acts()} {
		for _, c := range some {
			c.Against = append(c.Against, harness.BestPeer)
			s.Cases = append(s.Cases, c)
		}
	}
	return s
}

type maker = func(who string, n int) harness.Work

var (
	sizes = []int{1, 16, 1_024, 16_000, 256_000}
	large = []int{10_000, 100_000}
)

// perObject returns a case with a figure per object.
func perObject(name, title string, who []string, work maker) harness.Case {
	return harness.Case{Name: name, Title: title, Per: "object", Sizes: sizes, Who: who, Make: work}
}

// perTurnover returns a case whose runs return to their initial state. A run with one object would
// be shorter than the clock's resolution.
func perTurnover(name, title string, who []string, work maker) harness.Case {
	c := perObject(name, title, who, work)
	c.Sizes = sizes[1:]
	return c
}

// cases are the cases of github.com/mlange-42/go-ecs-benchmarks, and some in random order.
// Everything is done once before it is timed. Velocities are multiples of a half instead of 1, so
// that sums are exact and differ. Filters of Ark are not registered, as upstream, unless the name
// says so.
func cases() []harness.Case {
	walkers := with("Ark tables", "Ark tables, registered")
	move := perObject("query2comp", "Add velocities to positions, beside 10 n without",
		append(walkers, "kernel alone", "slices"), walk(beside))
	move.Against = []string{"kernel alone"}
	return []harness.Case{
		move,
		perObject("query32arch", "Add velocities to positions, over 32 sorts of objects", walkers,
			walk(sorts32)),
		perObject("random", "Read positions by id, in random order", with("slices"), readRandom),
		perTurnover("create2comp", "Create objects with two components", with("slices"),
			create(both, created)),
		perTurnover("create2comp_values", "Create objects with two components and their values",
			[]string{"flatecs", "flatecs as README", "Ark", "slices"},
			creating(both, created, func(w World, n int) { spawnAll(w, uniform(n)...) })),
		perObject("first_walk", "Add velocities to positions once, in a new world", singles,
			firstWalk),
		perTurnover("create10comp", "Create objects with ten components", singles,
			create(ten, created)),
		perTurnover("delete2comp", "Delete objects with two components", singles,
			remove(both, created)),
		perTurnover("delete10comp", "Delete objects with ten components", singles,
			remove(ten, created)),
		perObject("add_remove", "Add a velocity and remove it", singles,
			addRemove(Position, created)),
		perObject("add_remove_large", "Add a velocity and remove it, beside ten other components",
			singles, addRemove(Position|ten, created)),
		perTurnover("delete2comp_random", "Delete objects with two components, in random order",
			singles, remove(both, randomly)),
		perTurnover("create2comp_random", "Create objects with two components, after others went "+
			"in random order", singles, create(both, randomly)),
		perObject("add_remove_random", "Add a velocity and remove it, in random order", singles,
			addRemove(Position, randomly)),
	}
}
