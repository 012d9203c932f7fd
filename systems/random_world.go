package systems

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// randomness is the random source of a world, stored as a resource.
var (
	randomSeed  = layout.NewField[uint64]("seed")
	randomState = layout.NewField[[2]uint64]("state") // of the sequence: high, low
	randomness  = NewResource("random source", randomSeed, randomState)
)

// Random returns the stream of random numbers for parts in this step. Choose parts to name the
// consumer, such as a number for the system and the id of an object. The stream depends only on the
// world's seed, its tick and parts: not on other draws, nor on the goroutine. Equal parts give
// equal numbers until [Advance]. It panics if the world has no random source.
func Random(s State, parts ...uint64) Stream {
	j := s.look()
	seed := *at(j.random(), randomSeed, 0)
	return streamOf(seed, *j.Tick, parts...)
}

// NextStream returns a stream seeded by the world's sequence. It panics if the world has no random
// source, and in a task, where [Random] can be used.
func NextStream(s State) (State, Stream) {
	state := s.use().sequence()
	r := Stream{state[0], state[1]}
	stream := Stream{r.Uint64(), r.Uint64()}
	state[0], state[1] = r.hi, r.lo
	return s.done(), stream
}

// SetSeed restarts the world's random numbers, as if it was created with that seed in [Counts]. It
// panics if the world has no random source, and in a task.
func SetSeed(s State, seed uint64) State {
	s.use().seed(seed)
	return s.done()
}

func (j *job) seed(seed uint64) {
	state, start := j.sequence(), streamOf(seed, 0) // no step has tick 0
	*at(j.random(), randomSeed, 0) = seed
	state[0], state[1] = start.hi, start.lo
}

// sequence returns a pointer to the state of the world's sequence.
func (j *job) sequence() *[2]uint64 {
	j.outside("the world's one sequence of random numbers is drawn from in a task; " +
		"take a stream by Random(state, …), with numbers that name it")
	m := j.random()
	m.Touch(0, 1)
	return at(m, randomState, 0)
}

// random returns the manager of the random source. It panics if the world has none.
func (j *job) random() *manager.Manager {
	if m := j.Find(randomness.kind.Spec()); m != nil {
		return m
	}
	panic("flatecs: this world has no random source; set Counts.Seed to a number other than 0")
}

// streamOf returns the stream of parts in a step. Each half of its state is a separate hash of all
// inputs.
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
// of x affects every bit of the result.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
