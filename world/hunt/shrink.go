package hunt

import (
	"bytes"
	"slices"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A shrinker reduces a failure while the same property keeps failing.
type shrinker struct {
	game    *Game
	found   *fault
	inputs  []byte             // the shortest found so far
	without []world.GameObject // objects that the first world does not need
	player  *player            // its first world lacks them
	until   time.Time
	marks   []*world.Snapshot // states at equal distances along inputs
	every   int
}

const marks = 16 // most stored states

// shrink returns the failure after inputs, reduced as far as the options allow.
func shrink(g *Game, found *fault, inputs []byte, o *Options) (*Failure, error) {
	s := &shrinker{
		game: g.strict(found), found: found, inputs: inputs, until: time.Now().Add(o.Shrink),
	}
	failure := &Failure{
		Property: found.property, Err: found.err, Inputs: inputs, Played: len(inputs) / g.size(),
		size: g.size(),
	}
	var err error
	if s.player, err = newPlayer(s.game, nil, 1, all); err != nil {
		return nil, err
	}
	defer func() { s.dropMarks(); s.player.close() }()
	failure.Again = s.repeats(inputs)
	if more := s.hunt(o, failure.Again); !more && !failure.Again {
		return failure, nil
	}
	failure.Again = true
	for again := true; again && s.time(); {
		again = s.leaveOut(g.size()) || s.clear() || s.wander() || !o.Whole && s.leaveObjectsOut()
	}
	failure.Inputs, failure.Without, failure.Err = s.inputs, s.without, s.found.err
	failure.Short = !s.time()
	if !s.found.deep && s.found.property != noError && s.found.property != noPanic {
		failure.blame(s)
	}
	return failure, nil
}

// strict returns the game with the property of a deep check moved to the checks after each tick.
func (g *Game) strict(found *fault) *Game {
	at := slices.IndexFunc(g.Rarely, func(p Property) bool { return p.name == found.property })
	if !found.deep || at < 0 {
		return g
	}
	strict := *g
	strict.Always = append(slices.Clone(g.Always), g.Rarely[at])
	found.deep = false
	return &strict
}

func (s *shrinker) time() bool { return time.Now().Before(s.until) }

// try reports whether the property fails with other inputs, whose first same bytes are unchanged.
// If so, it adopts them.
func (s *shrinker) try(inputs []byte, same int) bool {
	size := s.game.size()
	from := min(same/size, len(inputs)/size)
	p := s.player
	at := 0
	if p.restore(p.first); s.every > 0 && from >= s.every && len(s.marks) > 0 {
		n := min(from/s.every, len(s.marks))
		p.restore(s.marks[n-1])
		at = n * s.every
	}
	f := p.fails(inputs[at*size:], s.found)
	if f == nil {
		return false
	}
	if f.tick += at; f.deep {
		f.tick = len(inputs) / size
	}
	s.inputs, s.found = slices.Clone(inputs[:f.tick*size]), f
	s.mark()
	return true
}

// repeats reports whether the property fails with other inputs, perhaps by chance. If so, it adopts
// them.
func (s *shrinker) repeats(inputs []byte) bool {
	const chances = 20
	for range chances {
		if s.try(inputs, 0) {
			return true
		}
	}
	return false
}

// mark stores states along inputs; a try that changes later inputs starts from there.
func (s *shrinker) mark() {
	size := s.game.size()
	s.dropMarks()
	s.every = max(len(s.inputs)/size/marks, 4)
	p := s.player
	p.restore(p.first)
	for n := 1; n*s.every < len(s.inputs)/size; n++ {
		if p.play(s.inputs[(n-1)*s.every*size:n*s.every*size]) != nil {
			return // not repeatable
		}
		here, err := program.Snapshot(p.state)
		if err != nil {
			return
		}
		s.marks = append(s.marks, here)
	}
}

// dropMarks removes the marks.
func (s *shrinker) dropMarks() {
	for _, m := range s.marks {
		m.Close()
	}
	s.marks = s.marks[:0]
}

// fails plays inputs from the current state, and returns the fault if it is like another one.
func (p *player) fails(inputs []byte, like *fault) *fault {
	f := p.play(inputs)
	if f == nil && like.deep {
		f, _ = p.deeply()
	}
	if f == nil || !f.like(like) {
		return nil
	}
	return f
}

// leaveOut removes ticks, long ranges first; it tries short ranges at almost every position.
func (s *shrinker) leaveOut(size int) (smaller bool) {
	const few = 16
	for span := len(s.inputs) / size; span > 0; span /= 2 {
		step := span
		if span <= few {
			step = max(1, span/4)
		}
		for at := 0; at+span*size <= len(s.inputs) && s.time(); {
			if s.try(slices.Concat(s.inputs[:at], s.inputs[at+span*size:]), at) {
				smaller = true
			} else {
				at += step * size
			}
		}
	}
	return smaller
}

// clear zeros bytes and then bits, long ranges first.
func (s *shrinker) clear() (smaller bool) {
	for span := len(s.inputs); span > 0; span /= 2 {
		for at := 0; at+span <= len(s.inputs) && s.time(); at += span {
			smaller = s.change(at, span, 0) || smaller
		}
	}
	for at := 0; at < len(s.inputs) && s.time(); at++ {
		for bit := byte(1); bit != 0 && at < len(s.inputs); bit <<= 1 {
			if s.inputs[at]&bit != 0 {
				smaller = s.change(at, 1, s.inputs[at]&^bit) || smaller
			}
		}
	}
	return smaller
}

// change tries inputs with n bytes replaced.
func (s *shrinker) change(at, n int, to byte) bool {
	want := bytes.Repeat([]byte{to}, n)
	if bytes.Equal(s.inputs[at:at+n], want) {
		return false
	}
	return s.try(slices.Concat(s.inputs[:at], want, s.inputs[at+n:]), at)
}

// leaveObjectsOut removes objects from the first world, many at first.
func (s *shrinker) leaveObjectsOut() (smaller bool) {
	ids := slices.Collect(world.GameObjects(s.player.first.State()))
	for span := len(ids); span > 0; span /= 2 {
		for at := 0; at+span <= len(ids) && s.time(); {
			if s.tryWithout(ids[at : at+span]) {
				smaller = true
				ids = slices.Delete(ids, at, at+span)
			} else {
				at += span
			}
		}
	}
	return smaller
}

func (s *shrinker) tryWithout(ids []world.GameObject) bool {
	without := slices.Concat(s.without, ids)
	p, err := newPlayer(s.game, without, 1, all)
	if err != nil {
		return false // for example disposed with another object, or no match can start without it
	}
	if p.fails(s.inputs, s.found) == nil || !p.playsOn(s.found) {
		p.close()
		return false
	}
	s.dropMarks()
	s.player.close()
	s.player, s.without = p, without
	return s.try(s.inputs, 0)
}

// playsOn reports whether matches from the first world can be played, apart from failures like this
// one. A game may need the removed objects; a regression test without them would always fail.
func (p *player) playsOn(like *fault) bool {
	const matches, long = 4, 100 // ticks
	r, input := systems.NewStream(2, 3), make([]byte, p.game.size())
	for range matches {
		p.restore(p.first)
		f := p.caught(func(*int) *fault {
			for range long {
				clear(input)
				p.game.draw(&r, p.state, input)
				if f := p.tickChecked(input); f != nil {
					return f
				}
			}
			return nil
		})
		if f != nil && (f.property == noPanic || f.property == noError) && !f.like(like) {
			return false
		}
	}
	p.restore(p.first)
	return true
}

// Limits of a shrinker: tries, and ticks, without progress.
const (
	mostTries = 4_000
	mostTicks = 60_000
)

// wander edits inputs at random, without making them longer: even if each remaining input is
// needed, other inputs may be shorter. It reports whether it found shorter ones.
func (s *shrinker) wander() bool {
	size := s.game.size()
	r := systems.NewStream(3, 5) // the same sequence each time
	inputs, found, least := s.inputs, s.found, effort(s.inputs, size)
	stop, tries := s.player.ticks+mostTicks, mostTries
	if found.deep {
		tries /= repeats // repetitions take longer
	}
	for try := 0; try < tries && s.player.ticks < stop && len(s.inputs) > size; try++ {
		edited, same := s.edited(&r)
		if len(edited) == 0 || effort(edited, size) > least {
			continue
		}
		if s.try(edited, same); !s.time() {
			break
		}
		if effort(s.inputs, size) < least {
			return true
		}
	}
	s.inputs, s.found = inputs, found // cleared afterwards
	s.dropMarks()
	return false
}

// hunt searches for the same fault in other matches, which may need fewer inputs. It reports
// whether it found one; if has is set, the inputs must be shorter. It takes at most a third of the
// time.
func (s *shrinker) hunt(o *Options, has bool) (found bool) {
	const matches, most = 8, 200_000 // ticks, in all
	again := *o
	again.Workers, again.Ticks = 1, most
	until := time.Now().Add(o.Shrink / 3)
	for n := 1; n <= matches && again.Ticks > 0 && time.Now().Before(until); n++ {
		h := &hunt{options: again, until: until, came: make([]atomic.Bool, len(s.game.Sometimes))}
		w, err := newWorker(h, s.game, -n) // workers use other numbers
		if err != nil {
			break
		}
		w.work()
		again.Ticks -= h.played.Load()
		size := s.game.size()
		if h.found != nil && (!has || effort(h.inputs, size) < effort(s.inputs, size)) {
			found = s.repeats(h.inputs) || found
			has = has || found
		}
	}
	return found
}

// effort measures inputs in ticks; ticks with an input count more.
func effort(inputs []byte, size int) (sum int) {
	const press = 4 // ticks without input
	for input := range slices.Chunk(inputs, size) {
		sum++
		if slices.Max(input) > 0 {
			sum += press
		}
	}
	return sum
}

// edited returns inputs with a few changes, and the number of unchanged bytes at the beginning.
func (s *shrinker) edited(r *world.Stream) (inputs []byte, same int) {
	size := s.game.size()
	inputs, same = slices.Clone(s.inputs), len(s.inputs)
	tick := func() int { return r.IntN(len(inputs)/size) * size }
	for range 1 + r.IntN(3) {
		if len(inputs) == 0 {
			break
		}
		at, from := tick(), tick()
		here := inputs[at : at+size]
		switch r.IntN(8) {
		case 0, 1:
			most := min(4, (len(inputs)-at)/size)
			inputs = slices.Delete(inputs, at, at+(1+r.IntN(most))*size)
		case 2:
			copy(here, inputs[from:from+size])
		case 3:
			clear(here)
			s.game.draw(r, s.player.state, here)
		case 4:
			here[r.IntN(size)] ^= 1 << r.IntN(8)
		case 5: // moves a range
			moved := slices.Clone(here)
			inputs = slices.Delete(inputs, at, at+size)
			from = min(from, len(inputs))
			inputs = slices.Insert(inputs, from, moved...)
		case 6: // inserts pauses
			inputs = slices.Insert(inputs, at, make([]byte, size<<r.IntN(7))...)
		case 7: // a different match from here on
			clear(inputs[at:])
			for input := range slices.Chunk(inputs[at:], size) {
				s.game.draw(r, s.player.state, input)
			}
		}
		same = min(same, at, from)
	}
	return inputs, same
}
