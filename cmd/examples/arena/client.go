package main

import (
	"time"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica"
)

const known = 64 // tanks that a client sees at most, as the server has it

// A Player is a client: a world with what it sees, and its own tank ahead of the server's.
type Player struct {
	state  world.State
	link   link.Link
	mirror *replica.Mirror
	me     *replica.Predictor
}

// NewPlayer returns a client by a link to the server.
func NewPlayer(l link.Link) *Player {
	p := &Player{link: l, state: world.Must(world.CreateState(Shown.Counts(known)))}
	p.mirror = replica.NewMirror(p.state, Shown, known, replica.Show{})
	p.me = replica.NewPredictor(p.mirror, 1, func(s world.State, input []byte) world.State {
		for tank := range p.mirror.Own() {
			s, _ = Steer(s, tank, input[0]) // what a shot hits, the server says
		}
		return s
	})
	return p
}

// Frame is called as often as is drawn, with what the player does then.
func (p *Player) Frame(now time.Duration, act func(world.State, world.GameObject) byte) error {
	for datagram, ok := p.link.Receive(); ok; datagram, ok = p.link.Receive() {
		var err error
		if p.state, err = p.mirror.Apply(p.state, datagram); err != nil {
			return err // the server is another build
		}
	}
	for p.mirror.Due(now) {
		input := byte(0)
		for own := range p.mirror.Own() {
			input = act(p.state, own)
		}
		p.state = p.me.Step(p.state, []byte{input})
		p.link.Send(p.mirror.Append(nil, p.me))
	}
	p.state = p.mirror.Present(p.state, now) // draw it
	return nil
}
