package hunt

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

// How many tries, and ticks, a shrinker plays without finding less.
const (
	mostTries = 4_000
	mostTicks = 60_000
)

// wander edits inputs at random, as long as they do not become more: where each input that is left
// is needed, others may be fewer. It reports whether it found fewer.
func (s *shrinker) wander() bool {
	size := s.game.size()
	r := systems.NewStream(3, 5) // the same each time
	inputs, found, least := s.inputs, s.found, effort(s.inputs, size)
	stop, tries := s.player.ticks+mostTicks, mostTries
	if found.deep {
		tries /= repeats // which are longer
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
	s.inputs, s.found = inputs, found // which are cleared
	s.forget()
	return false
}

// hunt hunts the same again, in other matches: what needs many inputs in one of them may need few
// in another one. It reports whether it found it: less, if it has it already. It takes a third of
// the time at most.
func (s *shrinker) hunt(o *Options, has bool) (found bool) {
	const matches, most = 8, 200_000 // ticks, in all
	again := *o
	again.Workers, again.Ticks = 1, most
	until := time.Now().Add(o.Shrink / 3)
	for n := 1; n <= matches && again.Ticks > 0 && time.Now().Before(until); n++ {
		h := &hunt{
			options: again, until: until, came: make([]atomic.Bool, len(s.game.Sometimes)),
		}
		w, err := h.newWorker(s.game, -n) // none of the numbers that workers have
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

// effort says how much inputs are: ticks, of which those with an input count more.
func effort(inputs []byte, size int) (sum int) {
	const press = 4 // ticks without one
	for input := range slices.Chunk(inputs, size) {
		sum++
		if slices.Max(input) > 0 {
			sum += press
		}
	}
	return sum
}

// edited returns inputs with a few changes, and how many bytes at the beginning are the same.
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
		case 5: // moves it
			moved := slices.Clone(here)
			inputs = slices.Delete(inputs, at, at+size)
			from = min(from, len(inputs))
			inputs = slices.Insert(inputs, from, moved...)
		case 6: // gives it time
			inputs = slices.Insert(inputs, at, make([]byte, size<<r.IntN(7))...)
		case 7: // another match from here on
			clear(inputs[at:])
			for input := range slices.Chunk(inputs[at:], size) {
				s.game.draw(r, s.player.state, input)
			}
		}
		same = min(same, at, from)
	}
	return inputs, same
}
