package peers

import (
	"math/rand/v2"
	"slices"

	"github.com/flatecs/flatecs/bench/harness"
)

// A spawning is n objects; the i-th has kinds(i).
type spawning struct {
	n     int
	kinds func(i int) Kinds
}

func always(k Kinds) func(int) Kinds { return func(int) Kinds { return k } }

// uniform returns n objects with a position and a velocity.
func uniform(n int) []spawning { return []spawning{{n, always(both)}} }

// sorts32 returns n objects; the bits of i % 32 are the further kinds of the i-th.
func sorts32(n int) []spawning {
	return []spawning{{n, func(i int) Kinds { return both | Kinds(i%32)*C1 }}}
}

// beside returns n moving objects, after 10 n objects that do not move.
func beside(n int) []spawning {
	return []spawning{{10 * n, always(Position)}, {n, always(both)}}
}

// exactly returns room for exactly the given objects.
func exactly(all ...spawning) Room {
	room := Room{Of: map[Kinds]int{}}
	for _, s := range all {
		room.Objects += s.n
		for i := range s.n {
			k := s.kinds(i)
			if !slices.Contains(room.Sorts, k) {
				room.Sorts = append(room.Sorts, k)
			}
			for kind := Position; kind < 1<<kindCount; kind <<= 1 {
				if k.Has(kind) {
					room.Of[kind]++
				}
			}
		}
	}
	return room
}

// filled returns a contender's world with the given objects, and without further room.
func filled(who string, all ...spawning) World {
	w := makers[who](exactly(all...))
	spawnAll(w, all...)
	return w
}

// spawnAll spawns objects in turn.
func spawnAll(w World, all ...spawning) {
	for _, s := range all {
		for i := range s.n {
			w.Spawn(s.kinds(i), i)
		}
	}
}

// walk moves objects.
func walk(of func(n int) []spawning) maker {
	return func(who string, n int) harness.Work {
		w := filled(who, of(n)...)
		return harness.Work{Run: w.Move, Check: w.Positions, Close: w.Close}
	}
}

func randomOrder(n int) []int { return rand.New(rand.NewPCG(1, 2)).Perm(n) }

// readRandom reads positions in random order of ids.
func readRandom(who string, n int) harness.Work {
	w, sum := filled(who, spawning{n, always(Position)}), 0.
	w.Shuffle(randomOrder(n))
	return harness.Work{
		Run:   func() { sum = w.Read() },
		Check: func() Result { return Result{Count: n, Sum: sum} },
		Close: w.Close,
	}
}

// Orders of deletions and changes: the order of creation, or a random one.
const (
	created  = false
	randomly = true
)

// firstWalk moves new objects.
func firstWalk(who string, n int) harness.Work {
	w := filled(who, uniform(n)...)
	return harness.Work{
		Run:   func() { w.Move() },
		Reset: func() { w.Close(); w = filled(who, uniform(n)...) },
		Check: func() Result { return w.Positions() },
		Close: func() { w.Close() },
	}
}

func create(kinds Kinds, random bool) maker {
	return creating(kinds, random, func(w World, n int) { w.Create(n, kinds) })
}

// creating creates objects in a world from which equally many were deleted, in some order.
func creating(kinds Kinds, random bool, some func(w World, n int)) maker {
	return func(who string, n int) harness.Work {
		w := makers[who](exactly(spawning{n, always(kinds)}))
		reset := w.Clear
		if random {
			reset = func() {
				w.Shuffle(randomOrder(n))
				w.Delete()
			}
		}
		run := func() { some(w, n) }
		run() // commits the memory
		reset()
		return harness.Work{Run: run, Reset: reset, Close: w.Close, Check: func() Result {
			run()
			defer reset()
			return Result{Count: w.Live()}
		}}
	}
}

func remove(kinds Kinds, random bool) maker {
	return func(who string, n int) harness.Work {
		w := makers[who](exactly(spawning{n, always(kinds)}))
		reset := func() {
			w.Create(n, kinds)
			if random {
				w.Shuffle(randomOrder(n))
			}
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

func addRemove(kinds Kinds, random bool) maker {
	return func(who string, n int) harness.Work {
		objects := spawning{n, always(kinds)}
		room := exactly(objects)
		room.Of[Velocity] = n
		w := makers[who](room)
		spawnAll(w, objects)
		if random {
			w.Shuffle(randomOrder(n))
		}
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
