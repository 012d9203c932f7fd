package replica

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

const (
	keysKept   = 32 // of a client, at the server
	spawnsKept = 32 // predicted and not met yet
	keySize    = 3  // bytes: the number of an input, and which object of it
	grace      = 8  // ticks that the server may need to send what it spawned
)

// A key says of which input of a client an object was made, and which one of those.
type key struct {
	number uint16
	count  uint8 // from 1; 0: no key
}

// A keyed is an object that has a key.
type keyed struct {
	id world.GameObject
	key
}

// Spawned reports that an object, such as a rocket, was spawned for an input of c. The object of
// the n-th call for an input replaces the n-th object that the client's step spawned by
// [Predictor.Spawn] for it, when the client sees it. Call it in the tick of the input.
func (c *Conn) Spawned(in Input, id world.GameObject) {
	last := &c.made().keys[c.lastKey%keysKept]
	k := key{in.Number, 1}
	if last.number == in.Number && last.count != 0 {
		k.count = last.count + 1
	}
	c.lastKey++
	c.keys[c.lastKey%keysKept] = keyed{id, k}
}

// keyOf returns the key of an object for the client.
func (c *Conn) keyOf(id world.GameObject) key {
	for i := range c.keys {
		if c.keys[i].id == id {
			return c.keys[i].key
		}
	}
	return key{}
}

// keysOf appends the keys of a group.
func (c *Conn) keysOf(b []byte, slots []uint16) []byte {
	for _, k := range slots {
		b = le.AppendUint16(b, c.slots[k].key.number)
		b = append(b, c.slots[k].key.count)
	}
	return b
}

// readKey reads the key of the i-th slot of a group.
func readKey(b []byte, i int) key {
	b = b[i*keySize:]
	return key{le.Uint16(b), b[2]}
}

// A guess is an object that a step spawned and that the server did not send yet.
type guess struct {
	keyed
	left   int  // ticks until it goes, when the server has used its input
	hidden bool // a replay is before its input
}

// Spawn spawns an object, such as a rocket, in the step of p: the schema's recipe, with values, and
// with the mark [Own]. The object is a prediction until the server sends its own object, for which
// it called [Conn.Spawned]; then the object becomes the mirror's. Without that it is disposed 8
// ticks after the server used the input. In a repeated step, the same call returns the same object,
// with these values: pass all values that steps change. It returns Nobody if 32 predictions wait,
// and outside of a step.
func (p *Predictor) Spawn(
	s world.State, values ...layout.FieldValue,
) (world.State, world.GameObject) {
	p.made()
	if !p.stepping {
		return s, world.Nobody
	}
	p.spawns++
	k := key{p.number, p.spawns}
	for i := range p.guesses {
		if g := &p.guesses[i]; g.key == k && world.Alive(s, g.id) {
			s = p.show(s, g)
			return p.reset(s, g.id, values), g.id
		}
	}
	if len(p.guesses) == cap(p.guesses) || p.repeats {
		return s, world.Nobody
	}
	next, id, err := world.Spawn(s, p.mirror.schema.recipe, values...)
	if err != nil {
		return next, world.Nobody
	}
	p.guesses = append(p.guesses, guess{keyed: keyed{id, k}, left: grace})
	return setKind(next, id, Own, true), id
}

// reset gives a guess its first values again.
func (p *Predictor) reset(
	s world.State, id world.GameObject, values []layout.FieldValue,
) world.State {
	parts := p.mirror.schema.parts[1:]
	for _, v := range values {
		for i := range parts {
			if parts[i].spec == v.Field {
				s, _ = parts[i].puts(s, []world.GameObject{id}, v.Bytes())
				break
			}
		}
	}
	return s
}

func (p *Predictor) show(s world.State, g *guess) world.State {
	if g.hidden {
		g.hidden = false
		s = setKind(s, g.id, Own, true)
	}
	return s
}

// hide takes the guesses out of the steps that are taken again; each comes back with its own.
func (p *Predictor) hide(s world.State) world.State {
	for i := range p.guesses {
		if g := &p.guesses[i]; !g.hidden && world.Alive(s, g.id) {
			g.hidden = true
			s = setKind(s, g.id, Own, false)
		}
	}
	return s
}

// prune ends a replay: guesses of earlier inputs are there again; those whose steps did not spawn
// them again are gone.
func (p *Predictor) prune(s world.State) world.State {
	kept := p.guesses[:0]
	for _, g := range p.guesses {
		used := int16(p.mirror.used-g.number) >= 0
		switch {
		case !world.Alive(s, g.id):
			continue
		case g.hidden && !used:
			s = p.mirror.dispose(s, g.id)
			continue
		}
		s = p.show(s, &g)
		kept = append(kept, g)
	}
	p.guesses = kept
	return s
}

// age disposes guesses that the server did not send in time.
func (p *Predictor) age(s world.State) world.State {
	kept := p.guesses[:0]
	for _, g := range p.guesses {
		if int16(p.mirror.used-g.number) >= 0 {
			g.left--
		}
		if g.left < 0 || !world.Alive(s, g.id) {
			if world.Alive(s, g.id) {
				s = p.mirror.dispose(s, g.id)
			}
			continue
		}
		kept = append(kept, g)
	}
	p.guesses = kept
	return s
}

// met returns the guess for a key, which is one no more.
func (m *Mirror) met(s world.State, k key) (world.State, world.GameObject) {
	if m.me == nil || k.count == 0 {
		return s, world.Nobody
	}
	for i, g := range m.me.guesses {
		if g.key == k && world.Alive(s, g.id) {
			last := len(m.me.guesses) - 1
			m.me.guesses[i] = m.me.guesses[last]
			m.me.guesses = m.me.guesses[:last]
			return setKind(s, g.id, Own, false), g.id
		}
	}
	return s, world.Nobody
}
