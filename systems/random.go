package systems

import (
	"math"
	"math/bits"

	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/random"
)

const noStream = "flatecs: this Stream is nil; hand in the address of one of NewStream or Random"

// A Stream generates random numbers: PCG-DXSM with 128 bits of state, as in math/rand/v2 (M. E.
// O'Neill, https://www.pcg-random.org). Equal seeds give equal numbers on every machine. A Stream
// is a plain value: a copy continues from the same state.
type Stream struct{ hi, lo uint64 }

// NewStream returns the stream with two seeds, equal to NewPCG of math/rand/v2.
func NewStream(seed1, seed2 uint64) Stream { return Stream{seed1, seed2} }

// Uint64 returns 64 random bits.
func (r *Stream) Uint64() uint64 {
	if r == nil {
		panic(noStream)
	}
	var number uint64
	r.hi, r.lo, number = random.Step(r.hi, r.lo)
	return number
}

// Uint64N returns a uniformly distributed number from 0 to n-1. It panics if n is 0.
func (r *Stream) Uint64N(n uint64) uint64 {
	if n == 0 {
		panic("flatecs: no number is below 0; call Uint64N or IntN with 1 or more")
	}
	if r == nil {
		panic(noStream)
	}
	var number uint64
	r.hi, r.lo, number = random.Step(r.hi, r.lo) // Uint64 itself would be a call
	if n&(n-1) == 0 {
		return number & (n - 1)
	}
	// Lemire's reduction: x×n/2⁶⁴, without the few x that would favour some results.
	hi, lo := bits.Mul64(number, n)
	if lo < n {
		for few := -n % n; lo < few; {
			hi, lo = bits.Mul64(r.Uint64(), n)
		}
	}
	return hi
}

// IntN returns a uniformly distributed number from 0 to n-1. It panics if n is not positive.
func (r *Stream) IntN(n int) int { return int(r.Uint64N(uint64(max(n, 0)))) }

// Float32 returns a number in [0, 1), a multiple of 2⁻²⁴.
func (r *Stream) Float32() float32 {
	return float32(float32(r.Uint64()>>32&(1<<24-1)) / (1 << 24)) // exact; not to be fused
}

// Float64 returns a number in [0, 1), a multiple of 2⁻⁵³.
func (r *Stream) Float64() float64 {
	return float64(float64(r.Uint64()&(1<<53-1)) / (1 << 53)) // exact; not to be fused
}

// Norm returns a normally distributed number, with mean 0 and standard deviation 1, by one draw;
// the larger the draw, the larger the number. It lies between -8.3 and 8.3. It uses + − × ÷ √
// alone, so that it is equal on every machine (M. J. Wichura, Algorithm AS 241, 1988).
func (r *Stream) Norm() float64 { return random.Normal(random.Open(r.Uint64())) }

// Exp returns an exponentially distributed number, with mean 1, by one draw. It lies between 10⁻¹⁶
// and 36.8. It uses + − × ÷ alone, so that it is equal on every machine.
func (r *Stream) Exp() float64 { return random.Exponential(r.Uint64()) }

// Range returns a number in [lo, hi), or lo if they are equal. It panics if hi is below lo, if
// hi-lo overflows a float32, or if either is NaN.
func (r *Stream) Range(lo, hi float32) float32 {
	size := hi - lo
	if !(size >= 0 && size <= math.MaxFloat32) {
		panic("flatecs: the bounds are not a range; pass the lower one to Range first")
	}
	x := lo + float32(r.Float32()*size)
	if x >= hi { // the sum was rounded up
		return math.Nextafter32(hi, lo)
	}
	return x
}

// Random returns the stream of random numbers for parts in this step. Choose parts to name the
// consumer, such as a number for the system and the id of an object. The stream depends only on the
// world's seed, its tick and parts: not on other draws, nor on the goroutine. Equal parts give
// equal numbers until [Advance]. It panics if the world has no random source.
func Random(s State, parts ...uint64) Stream {
	j := s.look()
	seed := *inRow(j.world.random(), randomSeed, 0)
	hi, lo := random.Start(seed, *j.world.arena.Tick, parts...)
	return Stream{hi, lo}
}

// NextStream returns a stream seeded by the world's sequence. It panics if the world has no random
// source, and in a task, where [Random] can be used.
func NextStream(s State) (State, Stream) {
	state := s.drawing().sequence()
	r := Stream{state[0], state[1]}
	stream := Stream{r.Uint64(), r.Uint64()}
	state[0], state[1] = r.hi, r.lo
	return s.done(), stream
}

// SetSeed restarts the world's random numbers, as if the world had been created with that seed. It
// panics if the world has no random source, and in a task.
func SetSeed(s State, seed uint64) State {
	s.drawing().seed(seed)
	return s.done()
}

// drawing returns the world, ready to draw from its sequence. It panics in a task.
func (s State) drawing() *world {
	j := s.use()
	j.mustBeOutside("the world's one sequence of random numbers is drawn from in a task; " +
		"take a stream by Random(state, …), with numbers that name it")
	return &j.world
}

func (w *world) seed(seed uint64) {
	state := w.sequence()
	state[0], state[1] = random.Start(seed, 0) // no step has tick 0
	*inRow(w.random(), randomSeed, 0) = seed
}

// sequence returns a pointer to the state of the world's sequence.
func (w *world) sequence() *[2]uint64 {
	m := w.random()
	m.Stamps.TouchRow(0)
	return inRow(m, randomState, 0)
}

// random returns the manager of the random source. It panics if the world has no random source.
func (w *world) random() *manager.Manager {
	if m := w.arena.Find(randomness.kind.Spec()); m != nil {
		return m
	}
	panic("flatecs: this world has no random source; set Counts.Seed, or Counts.Random where the " +
		"seed may be 0")
}
