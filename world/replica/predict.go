package replica

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// kept is the most inputs that a Predictor keeps.
const kept = 64

const (
	spawnsKept = 32 // predictions that wait for the server's objects
	grace      = 8  // ticks that the server has to send the objects that it spawned
)

// A Predictor applies a client's inputs to its own objects before the server has done so. When the
// server's values arrive, it sets the fields of own objects, and no others, to these values, and
// repeats the steps whose inputs the server had not used.
//
//	server's values at Tick, with inputs up to 7 ─▶ step(8) ─▶ step(9) ─▶ step(10) = shown
type Predictor struct {
	mirror *Mirror
	step   func(s world.State, input []byte) world.State
	size   int
	inputs [][]byte // a ring by number
	next   uint16   // number of the next input
	again  int

	number   uint16 // of the input of the current step
	spawns   uint8  // objects that the current step spawned
	stepping bool
	repeats  bool // the step is repeated
}

// NewPredictor returns a predictor for a mirror. An input has inputBytes bytes, equal to the
// server's Options.Input; step takes a step of own objects, which have the mark [Own] and which
// [Mirror.Own] yields. It is the server's step, and must depend only on own objects and on data
// that the client has exactly. It panics if inputBytes is not in [0, 256], or step is nil.
func NewPredictor(
	m *Mirror, inputBytes int, step func(s world.State, input []byte) world.State,
	soft ...Softening,
) *Predictor {
	if m.mustBeOpen(); inputBytes < 0 || inputBytes > maxInput || step == nil {
		panic(fmt.Sprintf("replica: NewPredictor with inputs of %d bytes; have 0 to %d, and a step",
			inputBytes, maxInput))
	}
	p := &Predictor{mirror: m, step: step, size: inputBytes, inputs: make([][]byte, kept), next: 1}
	for i := range p.inputs {
		p.inputs[i] = make([]byte, inputBytes)
	}
	m.guesses, m.soft = make([]guess, 0, spawnsKept), newSoftener(m.schema, len(m.slots), soft)
	return p
}

// Step applies the datagrams since the last call, and then takes a step with the next input. It
// panics if the input has another length.
func (p *Predictor) Step(s world.State, input []byte) world.State {
	if p.mustBeOpen(); len(input) != p.size {
		panic(fmt.Sprintf("replica: Predictor.Step with an input of %d bytes; have the %d of "+
			"NewPredictor", len(input), p.size))
	}
	s = p.age(p.reconcile(s))
	copy(p.inputs[p.next%kept], input)
	p.next++
	return p.take(s, p.next-1, input)
}

// Again returns the number of repeated steps.
func (p *Predictor) Again() int { return p.mustBeOpen().again }

func (p *Predictor) mustBeOpen() *Predictor {
	if p == nil || p.mirror == nil {
		panic("replica: this Predictor is nil or zero; make one by NewPredictor")
	}
	return p
}

func (p *Predictor) take(s world.State, number uint16, input []byte) world.State {
	p.number, p.spawns, p.stepping = number, 0, true
	defer func() { p.stepping = false }() // also after a panic
	s = p.step(s, input)
	if s == (world.State{}) {
		panic("replica: the step returned the zero State; return the one of its last call")
	}
	return s
}

// reconcile sets own objects to the server's values, and repeats the steps after them.
func (p *Predictor) reconcile(s world.State) world.State {
	m := p.mirror
	if !m.updated {
		return s
	}
	m.updated = false
	whole := false
	defer func() { m.updated, p.repeats = !whole, false }() // after a panic, repeat the steps
	w := &m.writer
	w.shown = w.shown[:0]
	for k := range m.slots {
		if e := &m.slots[k]; e.id != world.Nobody && e.own {
			w.shown = append(w.shown, shown{k: uint16(k), a: ringTicks, b: ringTicks})
			e.fresh = false
		}
	}
	if whole = len(w.shown) == 0; whole {
		return s
	}
	m.soft.remember(s, m.slots)
	s = p.hideAll(w.write(s, m), true)
	p.repeats = true
	for n := p.first(); n != p.next; n++ {
		s = p.take(s, n, p.inputs[n%kept])
		p.again++
	}
	p.repeats = false
	s = p.prune(s)
	m.soft.correct(s, m.slots, m.clock.now)
	whole = true
	return s
}

// first returns the number of the first kept input that the server may not have used.
func (p *Predictor) first() uint16 {
	first := p.mirror.used + 1
	if p.next-first > kept { // or the server is ahead of this client, which is new
		first = p.next - min(kept, p.next-1)
		if int16(p.mirror.used-p.next) >= 0 {
			first = p.next
		}
	}
	return first
}

// Append appends the datagram for the server to dst: acknowledgements, the moment that is shown,
// and the inputs of p, if p is not nil, that the server may not have used. Send it once per tick of
// the client.
func (m *Mirror) Append(dst []byte, p *Predictor) []byte {
	m.mustBeOpen().clock.silent++
	up := wire.Up{
		Schema: m.schema.wire.Hash, Last: m.acks.last, Before: m.acks.before,
		Seen: uint32(uint64(float64(m.clock.shown * 256))),
	}
	if m.acks.any {
		up.Flags |= wire.Acks
	}
	if p != nil {
		up.First = p.mustBeOpen().first()
		up.Inputs = uint8(min(int(p.next-up.First), waiting,
			(link.MaxDatagram-wire.UpSize)/max(p.size, 1)))
	}
	n := len(dst)
	dst = up.Append(dst)
	for i := range uint16(up.Inputs) {
		dst = append(dst, p.inputs[(up.First+i)%kept]...)
	}
	wire.Seal(dst[n:])
	return dst
}

// Spawn spawns an object, such as a rocket, in the step of p: the schema's recipe, with values, and
// with the mark [Own]. The object is a prediction until the server sends its own object, for which
// it called [Conn.Spawned]; then the object becomes the mirror's. Without a call of Spawned it is
// disposed 8 ticks after the server used the input. In a repeated step, the same call returns the
// same object, with these values: pass all values that steps change. It returns Nobody if 32
// predictions wait, and outside of a step.
func (p *Predictor) Spawn(
	s world.State, values ...layout.FieldValue,
) (world.State, world.GameObject) {
	p.mustBeOpen()
	if !p.stepping {
		return s, world.Nobody
	}
	p.spawns++
	k := wire.Key{Number: p.number, Count: p.spawns}
	for i := range p.mirror.guesses {
		if g := &p.mirror.guesses[i]; g.Key == k && world.Alive(s, g.id) {
			s = p.hide(s, g, false)
			return p.reset(s, g.id, values), g.id
		}
	}
	if len(p.mirror.guesses) == cap(p.mirror.guesses) || p.repeats {
		return s, world.Nobody
	}
	next, id, err := world.Spawn(s, p.mirror.schema.recipe, values...)
	if err != nil {
		return next, world.Nobody
	}
	p.mirror.guesses = append(p.mirror.guesses, guess{id: id, Key: k, left: grace})
	return setKind(next, id, Own, true), id
}

// reset sets a guess to its first values.
func (p *Predictor) reset(
	s world.State, id world.GameObject, values []layout.FieldValue,
) world.State {
	for _, v := range values {
		for _, part := range p.mirror.schema.parts[1:] {
			if part.Spec == v.Field {
				s, _ = part.puts(s, []world.GameObject{id}, v.Bytes())
				break
			}
		}
	}
	return s
}

// hide hides a guess during a replay of earlier steps, or shows it again.
func (p *Predictor) hide(s world.State, g *guess, hidden bool) world.State {
	if g.hidden != hidden {
		g.hidden = hidden
		s = setKind(s, g.id, Own, !hidden)
	}
	return s
}

func (p *Predictor) hideAll(s world.State, hidden bool) world.State {
	for i := range p.mirror.guesses {
		s = p.hide(s, &p.mirror.guesses[i], hidden)
	}
	return s
}

// prune ends a replay: it shows guesses of earlier inputs, and disposes guesses that the repeated
// steps did not spawn again.
func (p *Predictor) prune(s world.State) world.State {
	s = p.drop(s, func(g guess) bool { return g.hidden && !p.used(g) })
	return p.hideAll(s, false)
}

// used reports whether the server has used the input of a guess.
func (p *Predictor) used(g guess) bool { return int16(p.mirror.used-g.Number) >= 0 }

// drop disposes the selected guesses, and removes dead ones.
func (p *Predictor) drop(s world.State, which func(g guess) bool) world.State {
	p.mirror.guesses = slices.DeleteFunc(p.mirror.guesses, func(g guess) bool {
		if !world.Alive(s, g.id) {
			return true
		}
		drop := which(g)
		if drop {
			s = p.mirror.dispose(s, g.id)
		}
		return drop
	})
	return s
}

// age disposes guesses that the server did not send in time.
func (p *Predictor) age(s world.State) world.State {
	for i := range p.mirror.guesses {
		if g := &p.mirror.guesses[i]; p.used(*g) {
			g.left--
		}
	}
	return p.drop(s, func(g guess) bool { return g.left < 0 })
}
