package arena

import (
	"errors"
	"fmt"
	"time"

	"github.com/flatecs/flatecs/buffer/exact"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica"
)

// A Player is a client of an arena. It belongs to one goroutine.
type Player struct {
	state  world.State
	link   link.Link
	mirror *replica.Mirror
	me     *replica.Predictor
	out    []byte
	ticks  uint32 // played
	bytes  int    // received
	silent int    // ticks since the server was last heard
	seed   uint64
}

// NewPlayer returns a player whose server is at the other end of a link. The seed selects the
// places that its pilot drives to.
func NewPlayer(l link.Link, seed uint64) (*Player, error) {
	s, err := world.CreateState(Schema.Counts(Known))
	if err != nil {
		return nil, err
	}
	p := &Player{state: s, link: l, seed: seed}
	p.mirror = replica.NewMirror(s, Schema, Known, replica.Show{
		Tick: time.Second / Ticks, Patience: 3 * Ticks,
	})
	p.me = replica.NewPredictor(p.mirror, 1, func(s world.State, input []byte) world.State {
		for id := range p.mirror.Own() {
			s = Steer(s, id, input[0])
		}
		return s
	})
	return p, nil
}

// Close releases the player's memory. The player may be nil.
func (p *Player) Close() {
	if p != nil {
		world.Close(p.state)
	}
}

// Frame advances the time to now, measured from any moment: it processes received datagrams, and
// takes the due ticks, each with the input that press returns. It returns the error of
// [replica.Mirror.Apply] for another build of the game; other invalid datagrams are dropped.
func (p *Player) Frame(now time.Duration, press func(p *Player) Input) error {
	for d, ok := p.link.Receive(); ok; d, ok = p.link.Receive() {
		p.bytes += len(d)
		var err error
		p.state, err = p.mirror.Apply(p.state, d)
		if err != nil && !errors.Is(err, replica.ErrDamaged) {
			return err
		}
		if err == nil {
			p.silent = 0
		}
	}
	for p.mirror.Due(now) {
		p.ticks++
		p.silent++
		p.state = p.me.Step(p.state, []byte{press(p)})
		p.out = p.mirror.Append(p.out[:0], p.me)
		p.link.Send(p.out)
	}
	p.state = p.mirror.Present(p.state, now)
	return nil
}

// Tank returns the player's own tank, if it has one.
func (p *Player) Tank() (id world.GameObject, ok bool) {
	for id := range p.mirror.Own() {
		return id, true
	}
	return 0, false
}

// Pilot returns a bot's input: it drives from place to place, turns to the nearest visible enemy,
// and fires. It uses only what its player sees.
func (p *Player) Pilot() Input {
	own, ok := p.Tank()
	if !ok {
		return 0
	}
	s := p.state
	at, angle := world.Must(world.Get(s, own, place)), world.Must(world.Get(s, own, heading))
	mine := world.Must(world.Get(s, own, side))
	goal, input := p.goal(), Forward
	best := float32(Sight * Sight)
	for b := range actors.In(s) {
		places, of, what := world.Column(b, place), world.Column(b, side), world.Column(b, part)
		strong := world.Column(b, armour)
		for i := range places {
			enemy := what[i] == Tank && of[i] != mine && strong[i] > 0
			if d := square(at, places[i]); enemy && d < best {
				best, goal, input = d, places[i], Fire
			}
		}
	}
	if best > 90*90 {
		input |= Forward
	}
	off := wrapAngle(exact.Atan2(goal[1]-at[1], goal[0]-at[0]) - angle)
	switch {
	case off > turn:
		input |= Right
	case off < -turn:
		input |= Left
	}
	return input
}

// goal returns the destination of a bot that sees no enemy: another place every ten seconds.
func (p *Player) goal() [2]float32 {
	x := p.seed*0x9e3779b97f4a7c15 + uint64(p.ticks/(10*Ticks))*0xbf58476d1ce4e5b9
	x ^= x >> 29
	x *= 0x94d049bb133111eb
	return [2]float32{
		float32(fieldWide/5 + x>>32%(3*fieldWide/5)),
		float32(fieldHigh/10 + x&0xffff%(4*fieldHigh/5)),
	}
}

// A Status is the state of a player for display.
type Status struct {
	Tick   uint32 // of the displayed world
	Sees   int    // actors, without the own tank
	Side   int    // 0, 1; -1 without a tank
	At     [2]float32
	Angle  float32 // of its heading, in radians
	Armour int
	Load   int    // ticks until the tank can fire
	Wait   int    // ticks until a wreck is repaired
	Score  Score  // of both sides, and ticks until the next game
	Silent int    // ticks since the server was last heard
	Late   int    // ticks that arrived late, from Mirror.Late
	Again  int    // repeated steps
	Bytes  int    // received
	Own    uint64 // digest of the own tank; equals the server's when nothing is predicted
}

// Tank returns the digest of the own tank, as pages show it.
func (s Status) Tank() string { return fmt.Sprintf("%016x", s.Own) }

// Status returns the current status.
func (p *Player) Status() Status {
	s := Status{
		Tick: p.mirror.Tick(), Side: -1, Late: p.mirror.Late(), Again: p.me.Again(), Bytes: p.bytes,
		Silent: p.silent,
	}
	if own, ok := p.Tank(); ok {
		s.Sees = world.Len(p.state) - 1
		s.of(p.state, own)
	}
	return s
}

// of sets the fields about a tank.
func (s *Status) of(in world.State, own world.GameObject) {
	s.Own = digest(in, own)
	s.Side = int(world.Must(world.Get(in, own, side)))
	s.Armour = int(world.Must(world.Get(in, own, armour)))
	s.At, s.Angle = world.Must(world.Get(in, own, place)), world.Must(world.Get(in, own, heading))
	s.Wait = int(world.Must(world.Get(in, own, wait)))
	s.Load = int(world.Must(world.Get(in, own, loading)))
	s.Score = world.Must(world.Get(in, own, told))
}
