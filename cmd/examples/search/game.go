package main

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// The game: two tanks on a field of 13 × 13 cells with walls, which move or fire once a tick.

// A Tank stands in a cell and looks in a direction.
type Tank struct {
	X, Y, DX, DY int32
	Hits, Wait   int32 // hits until it breaks; ticks until it can fire
}

// A Shell flies two cells per tick.
type Shell struct{ X, Y, DX, DY int32 }

const size = 13

// Orders of a tank for a tick: stay, move by a cell, or fire.
const (
	stay = iota
	east
	west
	north
	south
	fire
	orders
)

var (
	Tanks  = layout.NewComponent[Tank]("tank")
	Shells = layout.NewComponent[Shell]("shell")
	tank   = world.NewRecipe("tank", Tanks)
	shell  = world.NewRecipe("shell", Shells)
	driven = world.NewQuery(world.Write(Tanks))
	flying = world.NewQuery(world.Write(Shells))
	seen   = world.NewQuery(world.Read(Tanks))
)

func newDuel() (world.State, error) {
	s, err := world.CreateState(world.Counts{
		GameObjects: 32, Recipes: []world.Recipe{tank, shell},
		Queries: []world.Query{driven, flying, seen}, Commands: 32, Seed: 1,
	})
	if err != nil {
		return s, err
	}
	return world.SpawnN(s, tank, 2, func(b world.Batch) {
		copy(world.Column(b, Tanks), []Tank{{1, 1, 1, 0, 3, 0}, {11, 11, -1, 0, 3, 0}})
	})
}

func wall(x, y int32) bool {
	return x < 0 || y < 0 || x >= size || y >= size || x%4 == 2 && y%4 == 2
}

// Step takes a tick with an order for each tank.
func Step(s world.State, order [2]byte) (world.State, error) {
	s = world.Advance(s)
	for b := range driven.In(s) {
		tanks := world.Column(b, Tanks)
		for i := range tanks {
			drive(s, &tanks[i], &tanks[1-i], order[i])
		}
		for flight := range flying.In(s) {
			shells := world.Column(flight, Shells)
			for i := range shells {
				if fly(&shells[i], tanks) {
					flight.Dispose(i)
				}
			}
		}
	}
	return world.Apply(s)
}

// drive carries out an order.
func drive(s world.State, t, other *Tank, order byte) {
	t.Wait = max(t.Wait-1, 0)
	switch way := [orders][2]int32{east: {1, 0}, west: {-1, 0}, north: {0, -1}, south: {0, 1}}; {
	case t.Hits <= 0 || order == stay:
	case order == fire && t.Wait == 0:
		t.Wait = 6
		world.Record(s).Spawn(shell, Shells.Value(Shell{t.X, t.Y, t.DX, t.DY}))
	case order != fire:
		t.DX, t.DY = way[order][0], way[order][1]
		if x, y := t.X+t.DX, t.Y+t.DY; !wall(x, y) && (x != other.X || y != other.Y) {
			t.X, t.Y = x, y
		}
	}
}

// fly moves a shell, and reports whether it has ended.
func fly(f *Shell, tanks []Tank) bool {
	for range 2 {
		f.X, f.Y = f.X+f.DX, f.Y+f.DY
		if wall(f.X, f.Y) {
			return true
		}
		for i := range tanks {
			if t := &tanks[i]; t.X == f.X && t.Y == f.Y && t.Hits > 0 {
				t.Hits--
				return true
			}
		}
	}
	return false
}

// Score returns the success of a tank, from -1 to 1.
func Score(s world.State, of int) float32 {
	for b := range seen.In(s) {
		tanks := world.Column(b, Tanks)
		return float32(tanks[of].Hits-tanks[1-of].Hits) / 3
	}
	return 0
}

// Over reports whether a tank is broken.
func Over(s world.State) bool {
	for b := range seen.In(s) {
		tanks := world.Column(b, Tanks)
		return tanks[0].Hits <= 0 || tanks[1].Hits <= 0
	}
	return true
}

// Scripted returns the order of a scripted tank: it moves into a line with the other tank, turns to
// it, and fires when no wall is between them.
func Scripted(s world.State, of int) byte {
	for b := range seen.In(s) {
		me, other := world.Column(b, Tanks)[of], world.Column(b, Tanks)[1-of]
		dx, dy := other.X-me.X, other.Y-me.Y
		along, across := byte(east), byte(south)
		if dx < 0 {
			along = west
		}
		if dy < 0 {
			across = north
		}
		switch free := open(me, other); {
		case dy == 0 && free:
			return shoot(me, along, sign(dx), 0)
		case dx == 0 && free:
			return shoot(me, across, 0, sign(dy))
		case dx != 0 && (abs(dx) <= abs(dy) || dy == 0) && !wall(me.X+sign(dx), me.Y):
			return along
		case dy != 0 && !wall(me.X, me.Y+sign(dy)):
			return across
		default:
			return along
		}
	}
	return stay
}

// shoot returns the order to turn, or to fire if the tank points in the direction.
func shoot(me Tank, turn byte, dx, dy int32) byte {
	if me.DX != dx || me.DY != dy {
		return turn
	}
	return fire
}

// open reports whether there is no wall between two tanks in a line.
func open(a, b Tank) bool {
	for a.X != b.X || a.Y != b.Y {
		if wall(a.X, a.Y) {
			return false
		}
		a.X, a.Y = a.X+sign(b.X-a.X), a.Y+sign(b.Y-a.Y)
	}
	return true
}

func sign(x int32) int32 { return min(max(x, -1), 1) }
func abs(x int32) int32  { return max(x, -x) }
