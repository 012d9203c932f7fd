package peers

import (
	"math/rand/v2"

	"github.com/flatecs/flatecs/bench/harness"
)

// A Spawning is n objects, the i-th with kinds(i).
type Spawning struct {
	n     int
	kinds func(i int) Kinds
}

func always(k Kinds) func(int) Kinds { return func(int) Kinds { return k } }

// mixed gives the i-th object the further kinds that the bits of i % sorts say.
func mixed(k Kinds, sorts int) func(int) Kinds {
	return func(i int) Kinds { return k | Kinds(i%sorts)<<2 }
}

// alternate gives every second object a further kind in place of a velocity.
func alternate(i int) Kinds {
	if i%2 == 0 {
		return both
	}
	return Position | C1
}

// Uniform is n objects with a position and a velocity.
func Uniform(n int) []Spawning     { return []Spawning{{n, always(both)}} }
func sorts32(n int) []Spawning     { return []Spawning{{n, mixed(both, 32)}} }
func alternating(n int) []Spawning { return []Spawning{{2 * n, alternate}} }

// beside is n objects that move, after 10 n that do not.
func beside(n int) []Spawning {
	return []Spawning{{10 * n, always(Position)}, {n, always(both)}}
}

func sorts256(n int) []Spawning {
	return []Spawning{{n, always(both)}, {4 * n, mixed(Position, 256)}}
}

// exactly counts what is spawned: room for that, and for nothing more.
func exactly(all ...Spawning) Room {
	room := Room{Of: map[Kinds]int{}}
	var seen [1 << 16]bool // of each set of kinds
	for _, s := range all {
		room.Objects += s.n
		for i := range s.n {
			k := s.kinds(i)
			if !seen[k] {
				seen[k], room.Sorts = true, append(room.Sorts, k)
			}
			room.Kinds |= k
			for kind := Position; kind <= Mark; kind <<= 1 {
				if k.Has(kind) {
					room.Of[kind]++
				}
			}
		}
	}
	return room
}

// RoomFor counts what is spawned, and some more, as a program does that does not know.
func RoomFor(all ...Spawning) Room {
	room := exactly(all...)
	room.Objects, room.Of = max(capacity, withSlack(room.Objects, len(room.Sorts))), nil
	return room
}

// withSlack returns the room that n objects need in slabs: an eighth more, and a block of 64 for
// each sort.
func withSlack(n, sorts int) int { return n + n/8 + 64*sorts }

// SpawnAll spawns objects in turn.
func SpawnAll(w World, all []Spawning) {
	for _, s := range all {
		for i := range s.n {
			w.Spawn(s.kinds(i), i)
		}
	}
}

// walk moves objects in a world with some more room, or in one with room for just those.
func walk(room func(...Spawning) Room, of func(n int) []Spawning) func(string, int) harness.Work {
	return func(who string, n int) harness.Work {
		w := New(who, room(of(n)...))
		SpawnAll(w, of(n))
		return harness.Work{Run: w.Move, Check: w.Positions, Close: w.Close}
	}
}

// turnover has 2 n objects, of which every second moves.
func turnover(who string, n int) harness.Work {
	room := RoomFor(alternating(n)...)
	room.Objects = 2 * n * 10 / 9
	w := New(who, room)
	SpawnAll(w, alternating(n))
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 * 2 * n / 100 {
		i := r.IntN(2 * n)
		w.Replace(alternate(i), i)
	}
	return harness.Work{Run: w.Move, Check: w.Positions, Close: w.Close}
}

// oneInTen returns the numbers of one in ten of n objects.
func oneInTen(n int) (objects []int) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		if r.IntN(10) == 0 {
			objects = append(objects, i)
		}
	}
	return objects
}

// newMarker makes a world in which one object in ten is to be marked.
func newMarker(who string, n int) World {
	room := RoomFor(Uniform(n)...)
	room.Kinds |= Mark
	w := New(who, room)
	SpawnAll(w, Uniform(n))
	w.Choose(oneInTen(n))
	return w
}

func marked(who string, n int) harness.Work {
	w := newMarker(who, n)
	w.Mark()
	return harness.Work{Run: w.MoveUnmarked, Check: w.Positions, Close: w.Close}
}

func setMarks(who string, n int) harness.Work {
	w := newMarker(who, n)
	run := func() {
		w.Mark()
		w.Unmark()
	}
	return harness.Work{Run: run, Close: w.Close, Of: len(oneInTen(n)), Check: func() Result {
		w.Mark()
		w.MoveUnmarked()
		w.Unmark()
		return w.Positions()
	}}
}

// inRandomOrder is n objects with a position, whose ids are in random order.
func inRandomOrder(who string, n int) World {
	objects := []Spawning{{n, always(Position)}}
	w := New(who, exactly(objects...))
	SpawnAll(w, objects)
	w.Shuffle(randomOrder(n))
	return w
}

func randomOrder(n int) []int { return rand.New(rand.NewPCG(1, 2)).Perm(n) }

func readRandom(who string, n int) harness.Work {
	w := inRandomOrder(who, n)
	var sum float64
	return harness.Work{
		Run:   func() { sum = w.Read() },
		Check: func() Result { return Result{Count: n, Sum: sum} },
		Close: w.Close,
	}
}

func writeRandom(who string, n int) harness.Work {
	w := inRandomOrder(who, n)
	return harness.Work{Run: w.Write, Check: w.Positions, Close: w.Close}
}
