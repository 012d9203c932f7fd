package suite

import "github.com/mlange-42/ark/ecs"

type (
	place3 struct{ X, Y, Z float32 }
	pace1  struct{ V float32 }
)

// step is what every loop over structs of float32 does.
func step(p *place3, v float32) {
	p.X += v
	p.Y += v
	p.Z += v
}

func (r *Result) count(p place3) {
	r.Count++
	r.Sum += float64(p.X) + 2*float64(p.Y) + 4*float64(p.Z)
}

// An ark32 is an ark of float32.
type ark32 struct {
	arkWay
	world  *ecs.World
	kinds  [kindCount]ecs.ID
	speeds *ecs.Map1[pace1]
	placed *ecs.Filter1[place3]
	moving *ecs.Filter2[place3, pace1]
}

func newArk32(way arkWay) func(Room) World {
	return func(Room) World {
		w := ecs.NewWorld(capacity)
		a := &ark32{
			arkWay: way, world: w, kinds: arkKinds(w),
			speeds: ecs.NewMap1[pace1](w),
			placed: ecs.NewFilter1[place3](w),
			moving: ecs.NewFilter2[place3, pace1](w),
		}
		a.kinds[0], a.kinds[1] = ecs.ComponentID[place3](w), ecs.ComponentID[pace1](w)
		if way.cached {
			a.moving.Register()
		}
		return a
	}
}

func (a *ark32) Close() {}

func (a *ark32) Spawn(kinds Kinds, i int) {
	entity := arkSpawn(a.world, &a.kinds, kinds)
	if kinds.Has(Velocity) {
		a.speeds.Get(entity).V = float32(velocity(i).X)
	}
}

func (a *ark32) Move() {
	query := a.moving.Query()
	if a.tables {
		for query.NextTable() {
			places, paces := query.GetColumns()
			for i := range places {
				step(&places[i], paces[i].V)
			}
		}
		return
	}
	for query.Next() {
		p, v := query.Get()
		step(p, v.V)
	}
}

func (a *ark32) Positions() (r Result) {
	for query := a.placed.Query(); query.Next(); {
		r.count(*query.Get())
	}
	return r
}

// A shelf32 is a shelf of float32.
type shelf32 struct {
	movers []mover32
	others []place3
}

type mover32 struct {
	place place3
	pace  float32
}

func newShelf32(Room) World { return &shelf32{} }

func (s *shelf32) Close() {}

func (s *shelf32) Spawn(kinds Kinds, i int) {
	if kinds.Has(Velocity) {
		s.movers = append(s.movers, mover32{pace: float32(velocity(i).X)})
	} else {
		s.others = append(s.others, place3{})
	}
}

func (s *shelf32) Move() {
	for i := range s.movers {
		step(&s.movers[i].place, s.movers[i].pace)
	}
}

func (s *shelf32) Positions() (r Result) {
	for i := range s.movers {
		r.count(s.movers[i].place)
	}
	for _, p := range s.others {
		r.count(p)
	}
	return r
}
