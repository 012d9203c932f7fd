package replica

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// kept is how many inputs a Predictor keeps, at most.
const kept = 64

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

	guesses  []guess
	number   uint16 // of the input of the step that runs
	spawns   uint8  // objects that it spawned
	stepping bool
	repeats  bool // the step is taken again

	soft      []Softening
	worn      []float32 // per softened lane and seat: what is still to be worn off
	was       []float32 // per softened lane and seat: what was shown before a correction
	lanes     int
	corrected []time.Duration // per seat
}

// NewPredictor returns a predictor for a mirror. An input has inputBytes bytes, as Options.Input of
// the server says; step takes a step of own objects: those with the mark [Own], which [Mirror.Own]
// yields. It is the server's step, and must depend only on own objects and on data that the client
// has exactly. It panics if inputBytes is not in [0, 256], or step is nil.
func NewPredictor(
	m *Mirror, inputBytes int, step func(s world.State, input []byte) world.State,
	soft ...Softening,
) *Predictor {
	if m.made(); inputBytes < 0 || inputBytes > maxInput || step == nil {
		panic(fmt.Sprintf("replica: NewPredictor with inputs of %d bytes; have 0 to %d, and a step",
			inputBytes, maxInput))
	}
	p := &Predictor{
		mirror: m, step: step, size: inputBytes, inputs: make([][]byte, kept), next: 1,
		guesses: make([]guess, 0, spawnsKept), soft: soft,
	}
	p.makeSoft()
	for i := range p.inputs {
		p.inputs[i] = make([]byte, inputBytes)
	}
	m.me = p
	return p
}

// Step applies what the server sent since the last call, and then takes a step with the next input.
// It panics if the input has another length.
func (p *Predictor) Step(s world.State, input []byte) world.State {
	if p.made(); len(input) != p.size {
		panic(fmt.Sprintf("replica: Predictor.Step with an input of %d bytes; have the %d of "+
			"NewPredictor", len(input), p.size))
	}
	s = p.age(p.reconcile(s))
	copy(p.inputs[p.next%kept], input)
	p.next++
	return p.take(s, p.next-1, input)
}

// Again returns the number of repeated steps.
func (p *Predictor) Again() int { return p.made().again }

func (p *Predictor) made() *Predictor {
	if p == nil || p.mirror == nil {
		panic("replica: this Predictor is nil or zero; make one by NewPredictor")
	}
	return p
}

func (p *Predictor) take(s world.State, number uint16, input []byte) world.State {
	p.number, p.spawns, p.stepping = number, 0, true
	defer func() { p.stepping = false }() // also if it panics
	s = p.step(s, input)
	if s == (world.State{}) {
		panic("replica: the step returned the zero State; return the one of its last call")
	}
	return s
}

// reconcile sets own objects to what the server has, and takes the steps after that again.
func (p *Predictor) reconcile(s world.State) world.State {
	m := p.mirror
	if !m.news {
		return s
	}
	m.news = false
	whole := false
	defer func() { m.news, p.repeats = !whole, false }() // if a step panics, it is done again
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
	p.remember(s)
	s = p.hide(w.write(s, m))
	p.repeats = true
	for n := p.first(); n != p.next; n++ {
		s = p.take(s, n, p.inputs[n%kept])
		p.again++
	}
	p.repeats = false
	s = p.prune(s)
	p.correct(s)
	whole = true
	return s
}

// first is the number of the first input that is kept and that the server is not known to have
// used.
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
// and the inputs of p, if p is not nil, that the server is not known to have used. Send it once per
// tick of the client.
func (m *Mirror) Append(dst []byte, p *Predictor) []byte {
	m.made().clock.silent++
	up := wire.Up{
		Schema: m.schema.wire.Hash, Last: m.last, Before: m.before,
		Seen: uint32(uint64(float64(m.clock.shown * 256))),
	}
	if m.any {
		up.Flags |= wire.Acks
	}
	if p != nil {
		up.First = p.made().first()
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

const (
	keysKept   = 32 // of a client, at the server
	spawnsKept = 32 // predicted and not met yet
	grace      = 8  // ticks that the server may need to send what it spawned
)

// A keyed is an object that has a key.
type keyed struct {
	id world.GameObject
	wire.Key
}

// Spawned reports that an object, such as a rocket, was spawned for an input of c. The object of
// the n-th call for an input replaces the n-th object that the client's step spawned by
// [Predictor.Spawn] for it, when the client sees it. Call it in the tick of the input.
func (c *Conn) Spawned(in Input, id world.GameObject) {
	last := &c.made().keys[c.lastKey%keysKept]
	k := wire.Key{Number: in.Number, Count: 1}
	if last.Number == in.Number && last.Count != 0 {
		k.Count = last.Count + 1
	}
	c.lastKey++
	c.keys[c.lastKey%keysKept] = keyed{id, k}
}

// keyOf returns the key of an object for the client.
func (c *Conn) keyOf(id world.GameObject) wire.Key {
	for i := range c.keys {
		if c.keys[i].id == id {
			return c.keys[i].Key
		}
	}
	return wire.Key{}
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
	k := wire.Key{Number: p.number, Count: p.spawns}
	for i := range p.guesses {
		if g := &p.guesses[i]; g.Key == k && world.Alive(s, g.id) {
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
			if parts[i].Spec == v.Field {
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
	s = p.drop(s, func(g guess) bool { return g.hidden && !p.used(g) })
	for i := range p.guesses {
		s = p.show(s, &p.guesses[i])
	}
	return s
}

// used reports whether the server has used the input of a guess.
func (p *Predictor) used(g guess) bool { return int16(p.mirror.used-g.Number) >= 0 }

// drop disposes guesses, and forgets those that are not alive.
func (p *Predictor) drop(s world.State, which func(g guess) bool) world.State {
	p.guesses = slices.DeleteFunc(p.guesses, func(g guess) bool {
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
	for i := range p.guesses {
		if g := &p.guesses[i]; p.used(*g) {
			g.left--
		}
	}
	return p.drop(s, func(g guess) bool { return g.left < 0 })
}

// met returns the guess for a key, which is one no more.
func (m *Mirror) met(s world.State, k wire.Key) (world.State, world.GameObject) {
	if m.me == nil || k.Count == 0 {
		return s, world.Nobody
	}
	for i, g := range m.me.guesses {
		if g.Key == k && world.Alive(s, g.id) {
			last := len(m.me.guesses) - 1
			m.me.guesses[i] = m.me.guesses[last]
			m.me.guesses = m.me.guesses[:last]
			return setKind(s, g.id, Own, false), g.id
		}
	}
	return s, world.Nobody
}

const (
	wearing = 100 * time.Millisecond       // how long a correction takes
	unseen  = time.Duration(math.MinInt64) // of one that was not shown yet
)

// A Softening is a field that shows another one softly: [Soften].
type Softening struct {
	truth, shown *layout.FieldSpec
	most         float32
	turns        bool
	lanes        int
	reads        func(s world.State, id world.GameObject, dst []float32) bool
	writes       func(s world.State, id world.GameObject, add []float32, share float32) world.State
}

// Soften makes [Mirror.Present] copy truth into shown, for all objects that the client sees. When
// the server corrects a predicted object, shown moves to the new value within 100 ms, while truth,
// with which steps continue, changes at once. A correction of more than most, in units of the
// field, on any axis is a jump, and shown at once. Angles turn the shorter way. The schema's recipe
// must have the kind of shown; the server's objects need not. It panics if the fields are not of
// float32, or most is not positive.
func Soften[T any](truth, shown layout.Field[T], most float32) Softening {
	elements, lanes := truth.Spec().Flat()
	if elements != "float32" || lanes > maxWidth/4 || !(most > 0) || truth.Spec() == shown.Spec() {
		panic(fmt.Sprintf("replica: Soften of %s in %s up to %v; have two fields of at most "+
			"16 float32, and a positive number", truth.Spec(), shown.Spec(), most))
	}
	return Softening{
		truth: truth.Spec(), shown: shown.Spec(), most: most, lanes: lanes,
		reads: func(s world.State, id world.GameObject, dst []float32) bool {
			v, err := world.Get(s, id, truth)
			if err != nil {
				return false
			}
			one := [1]T{v}
			copy(dst, layout.Flat[float32](truth, one[:]))
			return true
		},
		writes: func(
			s world.State, id world.GameObject, add []float32, share float32,
		) world.State {
			v, err := world.Get(s, id, truth)
			if err != nil {
				return s
			}
			one := [1]T{v}
			for i, x := range layout.Flat[float32](truth, one[:]) {
				if add != nil {
					layout.Flat[float32](truth, one[:])[i] = x + float32(add[i]*share)
				}
			}
			if p := world.WriterOf(s, shown).At(id); p != nil {
				*p = one[0]
			}
			return s
		},
	}
}

// makeSoft makes room for corrections.
func (p *Predictor) makeSoft() {
	lanes := 0
	for i := range p.soft {
		f := &p.soft[i]
		if f.reads == nil {
			panic("replica: NewPredictor with the zero Softening; make one by Soften")
		}
		for _, part := range p.mirror.schema.parts[1:] {
			f.turns = f.turns || part.Spec == f.truth && part.Form.IsAngle()
		}
		lanes += f.lanes
	}
	p.lanes = lanes
	p.worn = make([]float32, lanes*len(p.mirror.slots))
	p.was = make([]float32, lanes*len(p.mirror.slots))
	p.corrected = make([]time.Duration, len(p.mirror.slots))
}

// lanesOf returns the lanes of seat k.
func (p *Predictor) lanesOf(of []float32, k int) []float32 {
	return of[k*p.lanes:][:p.lanes:p.lanes]
}

// remember keeps where own objects are before a correction.
func (p *Predictor) remember(s world.State) {
	p.eachOwn(func(k int, id world.GameObject) {
		at := p.lanesOf(p.was, k)
		for i := range p.soft {
			f := &p.soft[i]
			if !f.reads(s, id, at[:f.lanes]) {
				at[0] = float32(math.NaN())
			}
			at = at[f.lanes:]
		}
	})
}

// correct notes by how much own objects are shown beside their truth, after a correction: what was
// left of earlier ones, and this one.
func (p *Predictor) correct(s world.State) {
	p.eachOwn(func(k int, id world.GameObject) {
		was, worn := p.lanesOf(p.was, k), p.lanesOf(p.worn, k)
		some := false
		for i, at := 0, 0; i < len(p.soft); i++ {
			f := &p.soft[i]
			off := was[at:][:f.lanes]
			some = f.correction(s, id, off) || some
			at += f.lanes
		}
		if !some {
			return
		}
		share := p.share(k)
		for l := range worn {
			worn[l] = float32(worn[l]*share) + was[l]
		}
		p.corrected[k] = unseen
	})
}

// correction subtracts what a field has now from what it had, and reports whether they differ. A
// jump is none.
func (f *Softening) correction(s world.State, id world.GameObject, was []float32) (some bool) {
	var now [maxWidth / 4]float32
	ok := f.reads(s, id, now[:f.lanes])
	for l := range was {
		was[l] -= now[l]
		if f.turns {
			was[l] = float32(math.Remainder(float64(was[l]), 2*math.Pi))
		}
		ok = ok && was[l] >= -f.most && was[l] <= f.most
		some = some || was[l] != 0
	}
	if !ok {
		clear(was)
	}
	return some
}

func (p *Predictor) eachOwn(each func(k int, id world.GameObject)) {
	for k := 0; len(p.soft) > 0 && k < len(p.mirror.slots); k++ {
		if e := &p.mirror.slots[k]; e.id != world.Nobody && e.own {
			each(k, e.id)
		}
	}
}

// forget has a seat without a correction: another object comes there.
func (p *Predictor) forget(k uint16) { clear(p.lanesOf(p.worn, int(k))) }

// share is how much of a correction is still to be worn off.
func (p *Predictor) share(k int) float32 {
	if p.corrected[k] == unseen {
		return 1
	}
	return 1 - min(1, float32(p.mirror.clock.now-p.corrected[k])/float32(wearing))
}

// presentSoft writes the fields that are shown softly.
func (p *Predictor) presentSoft(s world.State) world.State {
	for k := 0; len(p.soft) > 0 && k < len(p.mirror.slots); k++ {
		e := &p.mirror.slots[k]
		if e.id == world.Nobody {
			continue
		}
		if p.corrected[k] == unseen {
			p.corrected[k] = p.mirror.clock.now
		}
		add, share := p.lanesOf(p.worn, k), p.share(k)
		for i := range p.soft {
			f := &p.soft[i]
			if !e.own || share <= 0 {
				s = f.writes(s, e.id, nil, 0)
			} else {
				s = f.writes(s, e.id, add[:f.lanes], share)
			}
			add = add[f.lanes:]
		}
	}
	for i := range p.guesses {
		for j := 0; j < len(p.soft) && !p.guesses[i].hidden; j++ {
			s = p.soft[j].writes(s, p.guesses[i].id, nil, 0)
		}
	}
	return s
}
