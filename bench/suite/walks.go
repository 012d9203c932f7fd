package suite

import (
	"math/rand/v2"
	"slices"
)

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

// alternate gives every second object a further kind in place of a velocity.
func alternate(i int) Kinds {
	if i%2 == 0 {
		return both
	}
	return Position | C1
}

func uniform(n int) []spawning     { return []spawning{{n, always(both)}} }
func sorts32(n int) []spawning     { return []spawning{{n, mixed(both, 32)}} }
func alternating(n int) []spawning { return []spawning{{2 * n, alternate}} }

func sorts256(n int) []spawning {
	return []spawning{{n, always(both)}, {4 * n, mixed(Position, 256)}}
}

// roomFor counts what is spawned.
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
	room.Objects = max(capacity, withSlack(room.Objects, len(room.Sorts)))
	return room
}

// withSlack returns the room that n objects need in slabs: an eighth more, and a block of 64 for
// each sort.
func withSlack(n, sorts int) int { return n + n/8 + 64*sorts }

func spawnAll(w World, all []spawning) {
	for _, s := range all {
		for i := range s.n {
			w.Spawn(s.kinds(i), i)
		}
	}
}

func doubleWorld(c Contender, room Room) World { return c.New(room) }
func singleWorld(c Contender, room Room) World { return c.New32(room) }

func walk(world func(Contender, Room) World, of func(n int) []spawning) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		w := world(c, roomFor(of(n)...))
		spawnAll(w, of(n))
		return Case{Run: w.Move, Check: w.Positions, Close: w.Close}
	}
}

// turnover has 2 n objects, of which every second moves.
func turnover(c Contender, n int) Case {
	room := roomFor(alternating(n)...)
	room.Objects = 2 * n * 10 / 9
	w := c.New(room).(Churner)
	spawnAll(w, alternating(n))
	r := rand.New(rand.NewPCG(1, 2))
	for range 600 * 2 * n / 100 {
		i := r.IntN(2 * n)
		w.Replace(alternate(i), i)
	}
	return Case{Run: w.Move, Check: w.Positions, Close: w.Close}
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

func newMarker(c Contender, n int) Marker {
	room := roomFor(uniform(n)...)
	room.Kinds |= Mark
	w := c.New(room).(Marker)
	spawnAll(w, uniform(n))
	return w
}

func marked(c Contender, n int) Case {
	w := newMarker(c, n)
	w.Mark(oneInTen(n))
	return Case{Run: w.MoveUnmarked, Check: w.Positions, Close: w.Close}
}

func setMarks(c Contender, n int) Case {
	w, objects := newMarker(c, n), oneInTen(n)
	return Case{
		Run: func() {
			w.Mark(objects)
			w.Unmark(objects)
		},
		Check: func() Result {
			w.Mark(objects)
			w.MoveUnmarked()
			w.Unmark(objects)
			return w.Positions()
		},
		Close: w.Close,
		Of:    len(objects),
	}
}

func readRandom(c Contender, n int) Case {
	objects := []spawning{{n, always(Position)}}
	w := c.New(roomFor(objects...)).(Reader)
	spawnAll(w, objects)
	w.Shuffle(rand.New(rand.NewPCG(1, 2)).Perm(n))
	var sum float64
	return Case{
		Run:   func() { sum = w.Read() },
		Check: func() Result { return Result{n, sum} },
		Close: w.Close,
	}
}
