package arena

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
)

const sides = 2

// Queries of the server.
var (
	actors   = world.NewQuery(world.Read(place, side, part, armour))
	standing = world.NewQuery(world.Write(place, heading, armour, wait, told), world.Read(side),
		world.Without(Fading))
	spying  = world.NewQuery(world.Read(place, side), world.Without(Fading))
	flying  = world.NewQuery(world.Write(place), world.Read(heading), world.With(Shell))
	shells  = world.NewQuery(world.Read(place), world.With(Shell))
	fading  = world.NewQuery(world.Write(left))
	driving = world.NewQuery(world.Read(who, seat))
)

// A field is the derived data that a step needs besides the world.
type field struct {
	all     *space.Cells[[2]float32] // of all actors
	flying  *space.Cells[[2]float32] // of shells
	players []world.GameObject       // tanks by client number
	spotted [sides][]uint64          // one bit per object that a side sees
}

func (f *field) open(s world.State, players int) (err error) {
	f.players = make([]world.GameObject, players)
	for n := range f.spotted {
		f.spotted[n] = make([]uint64, (world.CountsOf(s).GameObjects+63)/64)
	}
	cells := space.Options{Size: 64, Query: actors}
	if f.all, err = space.NewCells(s, place, cells); err != nil {
		return err
	}
	cells.Query = shells
	f.flying, err = space.NewCells(s, place, cells)
	return err
}

// find finds the players' tanks, and their drivers. It returns false if there is no room for a
// driver.
func (f *field) find(s world.State, ids []uint64) bool {
	clear(f.players)
	for b := range driving.In(s) {
		of, at := world.Column(b, who), world.Column(b, seat)
		for i := range of {
			if int(at[i]) >= len(f.players) {
				return false
			}
			f.players[at[i]] = b.ID(i)
			if ids != nil {
				ids[at[i]] = of[i]
			}
		}
	}
	return true
}

// moves are the actions of players in a tick.
type moves struct {
	came    []arrival
	went    []uint16 // seats
	pressed []press
}

// An arrival is a player who takes a seat.
type arrival struct {
	seat uint16
	who  uint64
}

// A press is the input of a seat.
type press struct {
	seat  uint16
	input Input
}

func (t *moves) reset() { t.came, t.went, t.pressed = t.came[:0], t.went[:0], t.pressed[:0] }

// step takes a tick, after Advance. The result depends only on the world and the moves.
func (f *field) step(s world.State, t *moves) world.State {
	for _, a := range t.came {
		if !world.Alive(s, f.players[a.seat]) {
			s, f.players[a.seat] = enter(s, a)
		}
	}
	for _, n := range t.went {
		if world.Alive(s, f.players[n]) {
			s = world.Must(world.Dispose(s, f.players[n]))
		}
	}
	for _, p := range t.pressed {
		if world.Alive(s, f.players[p.seat]) {
			s = play(s, f.players[p.seat], p.input)
		}
	}
	s = fly(s)
	return f.spot(f.hit(s))
}

// enter creates the tank of a seat at its side's edge of the field.
func enter(s world.State, of arrival) (world.State, world.GameObject) {
	s, r := world.NextStream(s)
	team := uint8(of.seat % sides)
	at, angle := edge(&r, team)
	return world.Must2(world.Spawn(s, driven, who.Value(of.who), seat.Value(of.seat),
		side.Value(team), place.Value(at), heading.Value(angle),
		told.Value(world.Resource(s, score))))
}

// edge returns a place at a side's edge of the field, and the angle towards the field.
func edge(r *world.Stream, of uint8) (at [2]float32, angle float32) {
	at = [2]float32{r.Range(margin, fieldWide/5), r.Range(margin, fieldHigh-margin)}
	if of != 0 {
		return [2]float32{fieldWide - at[0], at[1]}, -3.1415
	}
	return at, 0
}

// play steers a tank by a player's input, and fires if it can.
func play(s world.State, id world.GameObject, input Input) world.State {
	ready := world.Must(world.Get(s, id, loading)) == 0
	s = Steer(s, id, input)
	if !ready || world.Must(world.Get(s, id, loading)) == 0 {
		return s
	}
	at, angle := world.Must(world.Get(s, id, place)), world.Must(world.Get(s, id, heading))
	way := ahead(angle, muzzle)
	s, _, err := world.Spawn(s, shell, side.Value(world.Must(world.Get(s, id, side))),
		place.Value([2]float32{at[0] + way[0], at[1] + way[1]}), heading.Value(angle))
	_ = err // without room for another shell, the tank does not fire
	return s
}

// fly moves shells, and disposes actors whose time is over.
func fly(s world.State) world.State {
	for b := range flying.In(s) {
		at, angles := world.Column(b, place), world.Column(b, heading)
		for i := range at {
			way := ahead(angles[i], bullet)
			at[i][0] += way[0]
			at[i][1] += way[1]
		}
	}
	for b := range fading.In(s) {
		n := world.Column(b, left)
		for i := range n {
			if n[i]--; n[i] == 0 {
				b.Dispose(i)
			}
		}
	}
	return world.Must(world.Apply(s))
}

// hit finds hits of shells of the other side. The last hit breaks a tank: it is a wreck for a time,
// and then starts again at the edge.
func (f *field) hit(s world.State) world.State {
	s = f.flying.Build(s, nil)
	cells, from, c := f.flying.In(s), world.ReaderOf(s, side), world.Record(s)
	points, ids, now := cells.Points(), cells.IDs(), world.Resource(s, score)
	for b := range standing.In(s) {
		at, of := world.Column(b, place), world.Column(b, side)
		strong, waits := world.Column(b, armour), world.Column(b, wait)
		for i := range at {
			if strong[i] == 0 && waits[i] == 0 && now[sides] == 0 {
				repairAt(s, b, i)
			}
			for k := range cells.Near(at[i], near) {
				if by, _ := from.Get(ids[k]); by == of[i] || strong[i] == 0 || now[sides] > 0 {
					continue
				}
				c.Dispose(ids[k])
				c.Spawn(blast, place.Value(points[k]), left.Value(spark))
				if strong[i]--; strong[i] == 0 {
					c.Spawn(blast, place.Value(at[i]), left.Value(flame))
					waits[i] = repair
					now[1-of[i]]++
				}
			}
		}
	}
	return f.tell(world.Must(world.Apply(s)), now)
}

// repairAt moves a repaired tank to its side's edge.
func repairAt(s world.State, b world.Batch, i int) {
	r := world.Random(s, uint64(b.ID(i)))
	to, angle := edge(&r, world.Column(b, side)[i])
	world.Column(b, place)[i], world.Column(b, heading)[i] = to, angle
	world.Column(b, armour)[i], world.Column(b, wait)[i] = hits, 0
}

// tell stores the score, and copies it to the tanks for their players. At the goal the game ends,
// and after a pause the next one begins.
func (f *field) tell(s world.State, now Score) world.State {
	again := false
	switch was := now[sides]; {
	case was > 0:
		if now[sides]--; was == 1 {
			now, again = Score{}, true
		}
	case max(now[0], now[1]) >= goal:
		now[sides] = pause
	}
	if now == world.Resource(s, score) {
		return s
	}
	for b := range standing.In(s) {
		tells := world.Column(b, told)
		for i := range tells {
			if tells[i] = now; again {
				repairAt(s, b, i)
			}
		}
	}
	return world.SetResource(s, score, now)
}

// spot marks what each side sees: its own actors, and actors near one of its tanks.
func (f *field) spot(s world.State) world.State {
	s = f.all.Build(s, nil)
	cells := f.all.In(s)
	ids := cells.IDs()
	for n := range f.spotted {
		clear(f.spotted[n])
	}
	for b := range spying.In(s) {
		mine := world.Column(b, side)
		for i, hit := range cells.NearEach(world.Column(b, place), Sight) {
			index := ids[hit.Entry].Index()
			f.spotted[mine[i]][index>>6] |= 1 << (index & 63)
		}
	}
	return s
}
