package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// randomness is the random source of a world: a resource of its own.
var (
	randomSeed  = layout.NewField[uint64]("seed")
	randomState = layout.NewField[[2]uint64]("state") // of the sequence: high, low
	randomness  = NewResource("random source", randomSeed, randomState)
)

// Random returns the stream of random numbers that parts name in this step: numbers of your
// choice, such as one for the system and the id of an object, or the number of a job and the first
// object of its range. It depends on the world's seed and tick and on parts alone, not on what
// else was drawn, nor on which goroutine asks: the same parts give the same numbers until
// [Advance]. It panics when the world has no random source.
func Random(s State, parts ...uint64) Stream {
	j := s.look()
	seed := *at(j.random(), randomSeed, 0)
	return streamOf(seed, *j.Tick, parts...)
}

// NextStream returns a stream of random numbers that the next of the world's one sequence start. It
// panics when the world has no random source, and in a task, which has [Random].
func NextStream(s State) (State, Stream) {
	state := s.use().sequence()
	r := Stream{state[0], state[1]}
	stream := Stream{r.Uint64(), r.Uint64()}
	state[0], state[1] = r.hi, r.lo
	return s.done(), stream
}

// SetSeed starts the world's random numbers anew, as [Counts] with that seed does. It panics when
// the world has no random source, and in a task.
func SetSeed(s State, seed uint64) State {
	s.use().seed(seed)
	return s.done()
}

func (j *job) seed(seed uint64) {
	state, start := j.sequence(), streamOf(seed, 0) // no step has tick 0
	*at(j.random(), randomSeed, 0) = seed
	state[0], state[1] = start.hi, start.lo
}

// sequence returns the state of the world's sequence, to be written.
func (j *job) sequence() *[2]uint64 {
	j.outside("the world's one sequence of random numbers is drawn from in a task; " +
		"take a stream by Random(state, …), with numbers that name it")
	m := j.random()
	m.Touch(0, 1)
	return at(m, randomState, 0)
}

// random returns the manager of the random source; it panics when the world has none.
func (j *job) random() *manager.Manager {
	if m := j.Find(randomness.kind.Spec()); m != nil {
		return m
	}
	panic("systems: this world has no random source; set Counts.Seed to a number other than 0")
}

// streamOf returns the stream of a step that parts name. Each half of its state is a hash of its
// own of everything.
func streamOf(seed, tick uint64, parts ...uint64) Stream {
	hi := scramble(seed)
	lo := scramble(^hi)
	hi, lo = scramble(hi+tick), scramble(lo+tick)
	for _, p := range parts {
		hi, lo = scramble(hi+p), scramble(lo+p)
	}
	return Stream{hi, lo}
}

// scramble is one step of SplitMix64 (Steele, Lea and Flood 2014): a bijection in which every bit
// of x decides about every bit of the result.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
