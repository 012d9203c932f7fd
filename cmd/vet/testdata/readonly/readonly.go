package readonly

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

type vec struct{ X, Y, Z float32 }

var (
	Position = layout.NewComponent[vec]("position")
	Lift     = layout.NewComponent[float32]("lift")
	Corners  = layout.NewComponent[[4]float32]("corners")

	Damage = layout.NewField[float32]("damage")
	Range  = layout.NewField[float32]("range")
	Gun    = layout.NewKind("gun", Damage, Range)

	rising  = world.NewQuery(world.Write(Position), world.Read(Lift))
	reading = world.NewQuery(world.Read(Position, Corners), world.Optional(Lift))
	guns    = world.NewQuery(world.Read(Gun))
	aiming  = world.NewQuery(world.Read(Position), world.Write(Gun))
	both    = reading.And(world.Write(Position))
	terms   = []world.Term{world.Write(Position)}
	frozen  = layout.NewMark("frozen")
	thawed  = world.NewQuery(world.Without(frozen), world.Read(Position), world.RowWise())
	foreign = world.NewQuery(world.Read(Position), writes())
	listed  = world.NewQuery(terms...)
	changed = world.NewQuery(world.Read(Position))
)

func writes() world.Term { return world.Write(Position) }

func columns(s world.State) {
	for b := range rising.In(s) {
		p, l := world.Column(b, Position), world.Column(b, Lift)
		for i := range p {
			p[i].Y += l[i]
			l[i]++    // want `the query rising only reads Lift; to write to it, declare Write\(Lift\) in the query`
			l[i] = 0  // want `the query rising only reads Lift`
			l[i] *= 2 // want `the query rising only reads Lift`
		}
		clear(l)   // want `the query rising only reads Lift`
		copy(l, l) // want `the query rising only reads Lift`
		part := l[1:]
		part[0] = 1 // want `the query rising only reads Lift`
		at := &l[0]
		*at = 1                      // want `the query rising only reads Lift`
		world.Column(b, Lift)[0] = 1 // want `the query rising only reads Lift`
	}
	for b := range reading.Since(s, 7) {
		p, c := world.Column(b, Position), world.Column(b, Corners)
		p[0].Y = 1  // want `the query reading only reads Position`
		c[0][1] = 1 // want `the query reading only reads Corners`
		corner := c[0][:]
		corner[1] = 1 // want `the query reading only reads Corners`
		at := &p[0]
		at.Y, _ = 1, 2                                                   // want `the query reading only reads Position`
		layout.Flat[float32](Position, world.Column(b, Position))[2] = 1 // want `the query reading only reads Position`
		if l := world.Column(b, Lift); l != nil {
			l[0] = 1 // want `Optional fields such as Lift are only read; to write to it, walk another query with Write\(Lift\)`
		}
	}
}

func queries(s world.State, id world.GameObject) {
	for b := range thawed.In(s) {
		world.Column(b, Position)[0].Y = 1 // want `the query thawed only reads Position`
	}
	for b := range guns.Of(s, id) {
		world.Column(b, Damage)[0] = 1 // want `the query guns only reads Damage`
	}
	for b := range aiming.In(s) {
		world.Column(b, Damage)[0] = 1
		world.Column(b, Position)[0] = vec{} // want `the query aiming only reads Position`
	}
	q := world.NewQuery(world.Read(Lift))
	for b := range q.In(s) {
		world.Column(b, Lift)[0] = 1 // want `the query q only reads Lift`
	}
	for b := range world.NewQuery(world.Read(Lift)).In(s) {
		world.Column(b, Lift)[0] = 1 // want `only reads Lift`
	}
}

// What is not reported.

func fine(s world.State, other, grown world.Query) {
	for b := range rising.In(s) {
		p, l := world.Column(b, Position), world.Column(b, Lift)
		for i, at := range p {
			at.Y += l[i] // a copy
			first := p[i]
			first.Y = 1 // a copy
			p[i] = first
			one := l[i]
			one++
		}
		l = make([]float32, len(p)) // another slice from here on
		l[0] = 1
		sums := append([]float32(nil), world.Column(b, Lift)...)
		sums[0] = 1
		copy(sums, world.Column(b, Lift))
	}
	for b := range both.In(s) {
		world.Column(b, Position)[0].Y = 1
	}
	for b := range other.In(s) {
		world.Column(b, Position)[0].Y = 1
	}
	for b := range foreign.In(s) {
		world.Column(b, Position)[0].Y = 1
	}
	for b := range listed.In(s) {
		world.Column(b, Position)[0].Y = 1
	}
	for b := range changed.In(s) {
		world.Column(b, Position)[0].Y = 1
	}
	for a := range rising.In(s) {
		for b := range reading.In(s) {
			world.Column(a, Position)[0] = world.Column(b, Position)[0]
		}
	}
	grown = grown.And(world.Read(Lift)) // made of itself
	for b := range grown.In(s) {
		world.Column(b, Lift)[0] = 1
	}
}

func init() { changed = both }

/* want `readonly finds nothing here; delete this comment` */ //flatecs:allow readonly there is nothing

var (
	Path    = layout.NewList[vec]("path")
	Stops   = layout.NewList[vec]("stops")
	walking = world.NewQuery(world.Write(Path), world.Read(Stops))
)

func lists(s world.State) {
	for b := range walking.In(s) {
		paths, stops := list.Column(b, Path), list.Column(b, Stops)
		for i := range paths.Len() {
			paths.At(i)[0].X = 1
			stops.At(i)[0].X = 1 // want `the query walking only reads Stops; to write to it, declare Write\(Stops\) in the query`
			last := stops.At(i)[1:]
			last[0] = vec{} // want `the query walking only reads Stops`
		}
	}
}

var (
	twice   = world.NewQuery(world.Write(Damage), world.Read(Gun))
	partly  = world.NewQuery(world.Read(Lift, shot()))
	unknown = world.NewQuery(world.Read(Lift), world.Write(shot()))
)

func shot() layout.Kind { return Gun }

func declared(s world.State, w systems.Watcher) {
	for b := range twice.In(s) {
		world.Column(b, Damage)[0] = 1
		world.Column(b, Range)[0] = 1 // want `the query twice only reads Range`
	}
	for b := range partly.In(s) {
		world.Column(b, Lift)[0] = 1 // want `the query partly only reads Lift`
	}
	for b := range unknown.In(s) {
		world.Column(b, Lift)[0] = 1
	}
	for b := range systems.NewQuery(systems.Read(Lift)).In(s) {
		systems.Column(b, Lift)[0] = 1 // want `only reads Lift`
	}
	for b := range w.Query().And(world.Read(Lift)).In(s) {
		world.Column(b, Lift)[0] = 1
	}
	for b := range reading.In(s) {
		corners := world.Column(b, Corners)[0]
		corners[1] = 1 // a copy
	}
}
