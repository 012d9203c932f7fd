package peers

// A shelf is a slice of structs for each sort of object: what a program without any library does.
// It knows no ids: objects are found by their index.
type shelf struct {
	bare
	movers []mover
	others []position
	order  []int
}

type mover struct {
	position position
	velocity speed
}

func newShelf(room Room) World { return &shelf{movers: make([]mover, 0, capacity)} }

func (s *shelf) Spawn(kinds Kinds, i int) {
	if kinds.Has(Velocity) {
		s.movers = append(s.movers, mover{velocity: speed(velocity(i))})
	} else {
		s.others = append(s.others, position{})
	}
}

func (s *shelf) Move() {
	for i := range s.movers {
		m := &s.movers[i]
		m.position.X += m.velocity.X
		m.position.Y += m.velocity.Y
	}
}

func (s *shelf) Positions() (r Result) {
	for _, m := range s.movers {
		addPosition(&r, m.position)
	}
	for _, p := range s.others {
		addPosition(&r, p)
	}
	return r
}

func (s *shelf) Create(n int, _ Kinds) {
	for range n {
		s.movers = append(s.movers, mover{})
	}
}

func (s *shelf) Delete()   { s.movers = s.movers[:0] }
func (s *shelf) Live() int { return len(s.movers) }

func (s *shelf) Shuffle(order []int) { s.order = order }

func (s *shelf) Read() (sum float64) {
	for _, i := range s.order {
		sum += s.others[i].X
	}
	return sum
}

func (s *shelf) Write() {
	for _, i := range s.order {
		s.others[i].X++
	}
}

// A pointers is a slice of pointers to structs, as programs with objects have.
type pointers struct {
	bare
	shelf []*mover
}

func newPointers(Room) World { return &pointers{} }

func (p *pointers) Spawn(_ Kinds, i int) {
	p.shelf = append(p.shelf, &mover{velocity: speed(velocity(i))})
}

func (p *pointers) Move() {
	for _, m := range p.shelf {
		m.position.X += m.velocity.X
		m.position.Y += m.velocity.Y
	}
}

func (p *pointers) Positions() (r Result) {
	for _, m := range p.shelf {
		addPosition(&r, m.position)
	}
	return r
}

// A nothing keeps no objects; it counts them.
type nothing struct {
	bare
	n int
}

func newNothing(Room) World { return &nothing{} }

func (n *nothing) Spawn(Kinds, int)  { n.n++ }
func (n *nothing) Positions() Result { return Result{Count: n.n} }
