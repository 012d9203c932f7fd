package systems

import (
	"math"
	"math/bits"

	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/random"
)

const noStream = "systems: this Stream is nil; hand in the address of one of NewStream or Random"

// A Stream is a source of random numbers: PCG-DXSM with 128 bits of state, as math/rand/v2 has it
// (M. E. O'Neill, https://www.pcg-random.org). The same start gives the same numbers on every
// machine. It is a plain value: a copy of it goes on from where it was.
type Stream struct{ hi, lo uint64 }

// NewStream returns the stream that starts from two numbers: the one of math/rand/v2's NewPCG.
func NewStream(seed1, seed2 uint64) Stream { return Stream{seed1, seed2} }

// Uint64 returns a number of 64 random bits.
func (r *Stream) Uint64() uint64 {
	if r == nil {
		panic(noStream)
	}
	var number uint64
	r.hi, r.lo, number = random.Step(r.hi, r.lo)
	return number
}

// Uint64N returns a number from 0 to n-1, each as likely as the others. It panics when n is 0.
func (r *Stream) Uint64N(n uint64) uint64 {
	if n == 0 {
		panic("systems: there is no number below 0; give Uint64N or IntN 1 at least")
	}
	if n&(n-1) == 0 {
		return r.Uint64() & (n - 1)
	}
	// Lemire's reduction: x×n/2⁶⁴, without the few x that would favour some results.
	hi, lo := bits.Mul64(r.Uint64(), n)
	if lo < n {
		for few := -n % n; lo < few; {
			hi, lo = bits.Mul64(r.Uint64(), n)
		}
	}
	return hi
}

// IntN returns a number from 0 to n-1, each as likely as the others. It panics when n is not
// positive.
func (r *Stream) IntN(n int) int { return int(r.Uint64N(uint64(max(n, 0)))) }

// Float32 returns a number in [0, 1), a multiple of 2⁻²⁴.
func (r *Stream) Float32() float32 { return float32(r.Uint64()>>32&(1<<24-1)) / (1 << 24) }

// Range returns a number in [lo, hi), or lo when they are equal. It panics when hi is below lo, or
// farther from it than a float32 says, or one is NaN.
func (r *Stream) Range(lo, hi float32) float32 {
	size := hi - lo
	if !(size >= 0 && size <= math.MaxFloat32) {
		panic("systems: this is no range of random numbers; give Range the lower one first")
	}
	x := lo + float32(r.Float32()*size)
	if x >= hi { // the sum was rounded up
		return math.Nextafter32(hi, lo)
	}
	return x
}

// Random returns the stream of random numbers that parts name in this step: numbers of your
// choice, such as one for the system and the id of an object, or the number of a job and the first
// object of its range. It depends on the world's seed and tick and on parts alone, not on what
// else was drawn, nor on which goroutine asks: the same parts give the same numbers until
// [Advance]. It panics when the world has no random source.
func Random(s State, parts ...uint64) Stream {
	j := s.look()
	seed := *at(j.random(), randomSeed, 0)
	hi, lo := random.Start(seed, *j.Tick, parts...)
	return Stream{hi, lo}
}

// NextRandom returns 64 random bits, the next of the world's one sequence. It panics when the world
// has no random source, and in a task, which has [Random].
func NextRandom(s State) (State, uint64) {
	state := s.use().sequence()
	r := Stream{state[0], state[1]}
	n := r.Uint64()
	state[0], state[1] = r.hi, r.lo
	return s.done(), n
}

// NextStream is NextRandom for a stream of numbers: the next of the world's sequence start it.
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
	state := j.sequence()
	state[0], state[1] = random.Start(seed, 0) // no step has tick 0
	*at(j.random(), randomSeed, 0) = seed
}

// sequence returns the state of the world's sequence, to be written.
func (j *job) sequence() *[2]uint64 {
	j.checkOutside("the world's one sequence of random numbers is drawn from in a task; " +
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
