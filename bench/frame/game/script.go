package game

import "math"

// A Hit is one damage.
type Hit struct {
	Slot   uint32
	Points int32
}

// A Script is what happens from outside, the same for every library. Its lists are those of the
// frame that is to be played.
type Script struct {
	Objects int
	Frame   uint32
	Hits    []Hit
	Freeze  []uint32 // slots that get the mark
	Thaw    []uint32 // slots that lose it
	Swaps   []uint32 // slots that exchange Burning and Chilled
	Side    int      // cells of the grid, along x and along y

	random    random
	vital     []uint32 // slots with Health
	freezable []uint32 // slots that move and are never disposed, in random order
	swappable []uint32 // slots with Burning or Chilled, in random order
}

// cellSize is the length of a cell of the grid, in world units.
const cellSize = 4

// life is the longest life of a bullet in frames; the mean is half.
const life = 99

// NewScript returns that of so many objects, 100 at least, before its first frame.
func NewScript(objects int) *Script {
	s := &Script{Objects: objects, random: random(objects)}
	bodies := 0
	for slot := range uint32(objects) {
		switch SortOf(slot) {
		case Rock:
			bodies++
		case Debris:
			s.freezable = append(s.freezable, slot)
		case Creature:
			bodies++
			s.vital, s.swappable = append(s.vital, slot), append(s.swappable, slot)
			s.freezable = append(s.freezable, slot)
		case Hunter:
			s.vital = append(s.vital, slot)
		case Drone:
			s.vital, s.swappable = append(s.vital, slot), append(s.swappable, slot)
		}
	}
	s.random.shuffle(s.freezable)
	s.random.shuffle(s.swappable)
	// m bodies in c cells are m²/2c pairs: a fifth as many as objects, where a quarter are bodies.
	s.Side = max(2, int(math.Sqrt(float64(bodies)*2.5/4)))
	return s
}

// Next prepares the lists of the next frame.
func (s *Script) Next() {
	s.Hits = s.Hits[:0]
	for range s.Objects / 5 {
		slot := s.vital[s.random.below(len(s.vital))]
		s.Hits = append(s.Hits, Hit{slot, int32(1 + s.random.below(8))})
	}
	half := s.Objects / 200
	s.Freeze = part(s.Freeze[:0], s.freezable, int(s.Frame)*half, half)
	s.Thaw = s.Thaw[:0]
	if s.Frame >= 2 {
		s.Thaw = part(s.Thaw, s.freezable, int(s.Frame-2)*half, half)
	}
	s.Swaps = part(s.Swaps[:0], s.swappable, int(s.Frame)*(s.Objects/50), s.Objects/50)
	s.Frame++
}

// part appends n elements of a ring.
func part(dst, ring []uint32, from, n int) []uint32 {
	for i := range n {
		dst = append(dst, ring[(from+i)%len(ring)])
	}
	return dst
}

// Object returns what is spawned into a slot in this frame.
func (s *Script) Object(slot uint32) (o Object) {
	r := random(uint64(slot)<<32 | uint64(s.Frame))
	size := float32(s.Side * cellSize)
	o.Sort, o.Slot.Number, o.Target = SortOf(slot), slot, Nobody
	o.Sprite = Sprite{0, uint16(1 + r.below(4))}
	o.Position = Position{r.float() * size, r.float() * size, r.float() * size}
	if o.Sort != Rock {
		o.Velocity = Velocity{r.float() - .5, r.float() - .5, r.float() - .5}
	}
	switch o.Sort {
	case Debris, Creature, Drone:
		o.Acceleration = Acceleration{r.float() - .5, r.float() - .5, r.float() - .5}
	case Bullet:
		o.Lifetime.Frames = int32(1 + r.below(life))
		if s.Frame == 0 { // what is left of a life that began before
			o.Lifetime.Frames = min(o.Lifetime.Frames, int32(1+r.below(life)))
		}
	case Hunter:
		o.Target = s.Pick(slot)
	}
	if o.Sort >= Creature {
		o.Health = Health{100, 100}
	}
	if o.Sort == Rock || o.Sort == Creature {
		o.Body.Radius = .25 + r.float()
	}
	o.IsBurning, o.IsChilled = o.Sort == Creature, o.Sort == Drone
	return o
}

// Pick returns the slot of the next target of the hunter in a slot.
func (s *Script) Pick(slot uint32) uint32 {
	r := random(uint64(slot) + uint64(s.Frame)<<33)
	return uint32(r.below(s.Objects))
}

// Cell returns the cell of the grid that a position is in; the grid repeats beyond its sides.
func (s *Script) Cell(p Position) int {
	const bias = 1 << 14 // cells, so that numbers stay positive
	x := uint32(int32(p.X*(1./cellSize)) + bias)
	y := uint32(int32(p.Y*(1./cellSize)) + bias)
	side := uint32(s.Side)
	return int(x%side*side + y%side)
}

// random is a source of numbers (splitmix64).
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (r *random) below(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }
func (r *random) float() float32  { return float32(r.next()>>40) / (1 << 24) }

func (r *random) shuffle(list []uint32) {
	for i := len(list) - 1; i > 0; i-- {
		j := r.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// A Grid has bodies by cell, as a program keeps them beside any library: what a body is known by
// goes in, is sorted by counting, and comes out cell by cell.
type Grid[ID any] struct {
	cells []int32 // of each body that was added
	ids   []ID
	first []int32 // of each cell, into sorted
	order []ID
}

// Clear empties a grid of so many cells.
func (g *Grid[ID]) Clear(cells int) {
	g.cells, g.ids = g.cells[:0], g.ids[:0]
	if len(g.first) != cells+1 {
		g.first = make([]int32, cells+1)
	}
	clear(g.first)
}

// Add puts a body into a cell.
func (g *Grid[ID]) Add(cell int, id ID) {
	g.cells, g.ids = append(g.cells, int32(cell)), append(g.ids, id)
	g.first[cell]++
}

// Cells yields what is in each cell in which there are two or more, once after it was added.
func (g *Grid[ID]) Cells(yield func([]ID) bool) {
	at := int32(0)
	for i, n := range g.first {
		at += n
		g.first[i] = at // the end, from which it goes down to the start
	}
	if cap(g.order) < len(g.ids) {
		g.order = make([]ID, len(g.ids)+len(g.ids)/8)
	}
	order := g.order[:len(g.ids)]
	for i, cell := range g.cells {
		g.first[cell]--
		order[g.first[cell]] = g.ids[i]
	}
	for i := range len(g.first) - 1 {
		if from, to := g.first[i], g.first[i+1]; to-from > 1 && !yield(order[from:to]) {
			return
		}
	}
}
