// Package arena is a game with a server: tanks of two sides, driven by people and bots. Each player
// sees only what its side sees. The first side to break ten tanks wins, and the next game begins.
//
//	Player: keys ──▶ Predictor: own tank, at once ─────────────▶ Draw
//	         │                                     Mirror ─────▶
//	         ▼ input, each tick                      ▲ what its side sees
//	Host: Steer ─▶ Fly ─▶ Hit ─▶ Fade ─▶ Cells ─▶ Spot ─▶ Send
//
// A side sees what is near one of its tanks. The bytes for its players contain nothing else, so a
// modified client cannot reveal more.
package arena

import (
	"math"

	"github.com/flatecs/flatecs/buffer/exact"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/replica"
)

// The components of actors: tanks, shells and blasts. Lengths are in world units, times in ticks.
var (
	place   = layout.NewField[[2]float32]("place")
	heading = layout.NewField[float32]("heading") // radians
	part    = layout.NewField[uint8]("part")      // the kind of actor
	side    = layout.NewField[uint8]("side")
	armour  = layout.NewField[uint8]("armour")  // hits until it breaks
	loading = layout.NewField[uint8]("loading") // until it can fire
	wait    = layout.NewField[uint8]("wait")    // of a wreck, until it is repaired
	told    = layout.NewField[Score]("told")    // the score that the tank's player was told
	Actor   = layout.NewKind("actor", place, heading, part, side, armour, loading, wait, told)

	score = layout.NewField[Score]("score")
	game  = world.NewResource("arena game", score)

	left   = layout.NewField[uint16]("left") // until disposal
	Fading = layout.NewKind("fading", left)
	Shell  = layout.NewMark("arena shell")

	who    = layout.NewField[uint64]("who")  // the client's ID of the driver
	seat   = layout.NewField[uint16]("seat") // the number of its Conn
	Driven = layout.NewKind("driven", who, seat)
)

// A Score is the number of tanks that each side has broken, and the ticks until the next game: 0
// during a game.
type Score = [sides + 1]uint8

// The recipes of actors. Mirrors create all actors by the first recipe.
var (
	tank  = world.NewRecipe("tank", Actor).With(part.Value(Tank), armour.Value(hits))
	shell = world.NewRecipe("arena shell", Actor, Fading, Shell).
		With(part.Value(Bullet), left.Value(flight))
	driven = world.NewRecipe("driven tank", Actor, Driven).
		With(part.Value(Tank), armour.Value(hits))
	blast = world.NewRecipe("arena blast", Actor, Fading).
		With(part.Value(Blast))
)

// Kinds of actors.
const (
	Tank = iota
	Bullet
	Blast
)

// Schema describes how actors travel. Players receive their own tank exactly, so that predictions
// are exact.
var Schema = replica.NewSchema(tank,
	replica.Field(place, replica.Fixed(0, far, 16).Delta().Smooth().Owner(replica.Raw())),
	replica.Field(heading, replica.Angle(8).Smooth().Owner(replica.Raw())),
	replica.Field(part, replica.Raw().Once()),
	replica.Field(side, replica.Raw().Once()),
	replica.Field(armour, replica.Raw()),
	replica.Field(loading, replica.Raw().OwnerOnly()),
	replica.Field(wait, replica.Raw().OwnerOnly()),
	replica.Field(told, replica.Raw().OwnerOnly()),
)

// An Input is the pressed buttons in a tick, one bit each.
type Input = uint8

// Bits of an Input.
const (
	Left Input = 1 << iota
	Right
	Forward
	Back
	Fire
)

const (
	fieldWide, fieldHigh = 1500, 1000 // of the field, from the corner at 0, 0
	far                  = 1536       // upper bound of all places
	margin               = 12         // border of the field that tanks do not enter

	// Sight is the distance that tanks see, in world units.
	Sight = 190
	view  = 330 // how far from its own tank a player is shown what its side sees; tanks by which
	// something is seen there are within view+Sight, and shown too
	turn   = .09  // of a tank in a tick, radians
	speed  = 2.2  // of a tank in a tick
	bullet = 13.0 // speed of shells
	muzzle = 20   // ahead of the middle of a tank
	near   = 11   // to a tank, of a shell that hits it
	hits   = 3
	reload = 18
	flight = 16 // ticks of a shell
	spark  = 5  // ticks of the blast of a hit
	flame  = 14 // and of a tank that breaks
	repair = 40 // ticks of a wreck
	goal   = 10 // tanks that a side breaks to win
	pause  = 5 * Ticks
)

// Ticks is how many there are in a second.
const Ticks = 20

// Steer drives a tank for a tick as an input says, on the server and in predictions alike. It
// depends on nothing but the tank and the input. A wreck stands still, and all tanks do between two
// games.
func Steer(s world.State, id world.GameObject, input Input) world.State {
	if !world.Has(s, id, Actor) {
		return s
	}
	if n := world.Must(world.Get(s, id, wait)); n > 0 {
		s = world.Must(world.Set(s, id, wait, n-1))
	}
	if world.Must(world.Get(s, id, armour)) == 0 || world.Must(world.Get(s, id, told))[sides] > 0 {
		return s
	}
	at, angle := world.Must(world.Get(s, id, place)), world.Must(world.Get(s, id, heading))
	if input&Left != 0 {
		angle -= turn
	}
	if input&Right != 0 {
		angle += turn
	}
	angle = wrapAngle(angle)
	forward := float32(0)
	if input&Forward != 0 {
		forward = speed
	} else if input&Back != 0 {
		forward = -speed / 2
	}
	way := ahead(angle, forward)
	at[0] = min(max(at[0]+way[0], margin), fieldWide-margin)
	at[1] = min(max(at[1]+way[1], margin), fieldHigh-margin)
	load := world.Must(world.Get(s, id, loading))
	switch {
	case load > 0:
		load--
	case input&Fire != 0:
		load = reload
	}
	s = world.Must(world.Set(s, id, place, at))
	s = world.Must(world.Set(s, id, heading, angle))
	return world.Must(world.Set(s, id, loading, load))
}

// wrapAngle returns an angle as one in [-π, π).
func wrapAngle(angle float32) float32 {
	const pi = 3.1415927
	switch {
	case angle >= pi:
		return angle - 2*pi
	case angle < -pi:
		return angle + 2*pi
	}
	return angle
}

// ahead returns the way of a length in a direction.
func ahead(angle, length float32) [2]float32 {
	return [2]float32{float32(exact.Cos(angle) * length), float32(exact.Sin(angle) * length)}
}

// square returns the square of the distance of two places.
func square(a, b [2]float32) float32 {
	x, y := a[0]-b[0], a[1]-b[1]
	return float32(x*x) + float32(y*y)
}

// digest returns a digest of where a tank is and of what it does: FNV-1a of the bits.
func digest(s world.State, id world.GameObject) uint64 {
	at, angle := world.Must(world.Get(s, id, place)), world.Must(world.Get(s, id, heading))
	sum := uint64(0xcbf29ce484222325)
	for _, x := range [...]uint32{
		math.Float32bits(at[0]), math.Float32bits(at[1]), math.Float32bits(angle),
		uint32(world.Must(world.Get(s, id, loading))),
	} {
		sum = (sum ^ uint64(x)) * 0x100000001b3
	}
	return sum
}
