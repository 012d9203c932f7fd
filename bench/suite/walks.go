package suite

import "math/rand/v2"

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

// beside is n objects that move, after 10 n that do not.
func beside(n int) []spawning {
	return []spawning{{10 * n, always(Position)}, {n, always(both)}}
}

func sorts256(n int) []spawning {
	return []spawning{{n, always(both)}, {4 * n, mixed(Position, 256)}}
}

// exactly counts what is spawned: room for that, and for nothing more.
func exactly(all ...spawning) Room {
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

// roomFor counts what is spawned, and some more, as a program does that does not know.
func roomFor(all ...spawning) Room {
	room := exactly(all...)
	room.Objects, room.Of = max(capacity, withSlack(room.Objects, len(room.Sorts))), nil
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

// walk moves objects in a world with some more room.
func walk(world func(Contender, Room) World, of func(n int) []spawning) func(Contender, int) Case {
	return walkIn(world, roomFor, of)
}

// walkExactly moves objects in a world with room for just those.
func walkExactly(of func(n int) []spawning) func(Contender, int) Case {
	return walkIn(doubleWorld, exactly, of)
}

func walkIn(
	world func(Contender, Room) World, room func(...spawning) Room, of func(n int) []spawning,
) func(Contender, int) Case {
	return func(c Contender, n int) Case {
		w := world(c, room(of(n)...))
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

// inRandomOrder is n objects with a position, whose ids are in random order.
func inRandomOrder(c Contender, n int) Shuffler {
	objects := []spawning{{n, always(Position)}}
	w := c.New(exactly(objects...)).(Shuffler)
	spawnAll(w, objects)
	w.Shuffle(randomOrder(n))
	return w
}

func randomOrder(n int) []int { return rand.New(rand.NewPCG(1, 2)).Perm(n) }

func readRandom(c Contender, n int) Case {
	w := inRandomOrder(c, n).(Reader)
	var sum float64
	return Case{
		Run:   func() { sum = w.Read() },
		Check: func() Result { return Result{n, sum} },
		Close: w.Close,
	}
}

func writeRandom(c Contender, n int) Case {
	w := inRandomOrder(c, n).(Writer)
	return Case{Run: w.Write, Check: w.Positions, Close: w.Close}
}
