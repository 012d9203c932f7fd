package deterministic

import (
	crand "crypto/rand"
	"maps"
	"math"
	"math/cmplx"
	oldrand "math/rand"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

type speed float32

var (
	score    int
	scores   [3]int
	byName   = map[string]int{}
	total    struct{ hits int }
	pointer  = new(int)
	source   = rand.New(rand.NewPCG(1, 2))
	Position = layout.NewComponent[[3]float32]("position")
)

func draws(s world.State) (world.State, error) {
	start := time.Now() // want `time.Now reads the clock; take the time as an argument, such as dt float32`
	time.Since(start)   // want `time.Since reads the clock`
	time.Until(start)   // want `time.Until reads the clock`
	now := time.Now     // not called
	_, _ = start.Add(time.Second), now

	_ = rand.IntN(6)                      // want `rand.IntN draws numbers that are not in the world; write state, stream = world.NextStream\(state\), or draw from world.Random\(state, …\)`
	_ = oldrand.Float64()                 // want `oldrand.Float64 draws numbers that are not in the world`
	_ = rand.N[int64](6)                  // want `rand.N draws numbers that are not in the world`
	rand.Shuffle(3, func(_, _ int) {})    // want `rand.Shuffle draws`
	_, err := crand.Read(make([]byte, 3)) // want `crand.Read draws`
	_ = source.IntN(6)                    // want `source.IntN draws from a generator outside the world`
	seeded := rand.New(rand.NewPCG(world.Tick(s), 7))
	_ = seeded.IntN(6)
	return s, err
}

func order(s world.State, m map[string]int) world.State {
	sum := 0
	for _, n := range m { // want `the order of a map differs each time; walk slices.Sorted\(maps.Keys\(m\)\), or keep a slice`
		sum = sum*2 + n
	}
	for k := range maps.Keys(m) { // want `the order of a map differs each time`
		sum += len(k) + 1
	}
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	for k := range m {
		delete(m, k)
	}
	for range m {
		sum++
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		sum = sum*2 + m[k] + len(keys)
	}
	return s
}

func outside(s world.State, c chan int) world.State {
	go draws(s) // want `a goroutine runs at a different time in each run; register jobs that run side by side in a Schedule`
	c <- 1      // want `the values of a channel depend on when goroutines run; take it from the channel before the step, and hand it in as an argument`
	<-c         // want `the values of a channel`
	select {    // want `the values of a channel`
	default:
	}
	for range c { // want `the values of a channel`
	}

	score++                // want `score is outside the world, where snapshots and other players do not see it; keep it in a resource and write state = world.SetResource\(state, …\)`
	score = 3              // want `score is outside the world`
	scores[1] += 2         // want `scores is outside the world`
	byName["a"] = 1        // want `byName is outside the world`
	total.hits--           // want `total is outside the world`
	*pointer = 3           // want `pointer is outside the world`
	delete(byName, "a")    // want `byName is outside the world`
	clear(scores[:])       // want `scores is outside the world`
	func() { score = 3 }() // want `score is outside the world`
	mine := scores
	mine[1]++
	return s
}

func products(s world.State, a, b, c float32, d float64, v speed, i int) world.State {
	_ = a*b + c            // want `this product and a sum are rounded once on some machines and twice on others; write float32\(a \* b\)`
	_ = c - a*b            // want `write float32\(a \* b\)`
	_ = (a * b) + b*c      // want `write float32\(a \* b\)` `write float32\(b \* c\)`
	_ = -(a * b) + c       // want `write float32\(a \* b\)`
	c += a * b             // want `write float32\(a \* b\)`
	c -= a * 3             // want `write float32\(a \* 3\)`
	_ = d*d + 1            // want `write float64\(d \* d\)`
	_ = v*v + 1            // want `write speed\(v \* v\)`
	_ = 1.5*d + 1          // want `write float64\(1.5 \* d\)`
	_ = []float32{1 + a*b} // want `write float32\(a \* b\)`
	p := a * b             // want `write float32\(a \* b\)`
	_ = p + c

	// These are exact, however they are rounded, or no sum.
	const k = 3 * 1.5
	_, _, _ = 2*a+b, b-a*2, k*2+a
	c += float32(a * b)
	_, _, _ = float32(a*b)+c, i*i+i, a*b*c == 0
	_, _ = a/b*c, (a+b)*c
	q, r := a*b, a*b
	q /= 2
	_, _ = q+c, r*c
	return s
}

func inexact(s world.State, a float64) world.State {
	_ = math.Sin(a)              // want `the last bits of math.Sin differ between machines; use exact.Sin for float32 or double.Sin for float64, of buffer/exact`
	_ = math.Pow(a, 3)           // want `math.Pow differ`
	_ = math.Exp(a)              // want `math.Exp differ`
	_ = math.Log(a)              // want `math.Log differ`
	_, _ = math.Sincos(a)        // want `math.Sincos differ`
	_ = math.Hypot(a, a)         // want `math.Hypot differ`
	_ = math.Atan2(a, a)         // want `math.Atan2 differ`
	_ = math.Cbrt(a)             // want `math.Cbrt differ between machines; use exact.Cbrt for float32, of buffer/exact`
	_ = math.Gamma(a)            // want `math.Gamma differ between machines; use a polynomial or a table of \+ − × ÷ and math.Sqrt`
	_ = cmplx.Abs(complex(a, a)) // want `cmplx.Abs differ`
	_ = math.Sqrt(math.Abs(math.Floor(a) + math.Ceil(a) + math.Trunc(a) + math.Inf(1)))
	_ = math.Min(a, math.Max(a, math.Mod(a, 3)+math.Round(a)+math.FMA(a, a, a)))
	return s
}

// A literal is a system as well, and is looked at once.
var literals = func(s world.State) world.State {
	time.Now() // want `time.Now reads the clock`
	each := func(s world.State) world.State {
		time.Now() // want `time.Now reads the clock`
		return s
	}
	return each(s)
}

func above(s world.State) world.State {
	//flatecs:allow deterministic the page shows how long a frame took
	time.Now()
	time.Now() // want `time.Now reads the clock`
	return s
}

func beside(s world.State) world.State {
	time.Now() //flatecs:allow deterministic the page shows how long a frame took

	time.Now() // want `time.Now reads the clock`
	return s
}

// whole shows frame times.
//
//flatecs:allow deterministic the page shows how long a frame took
func whole(s world.State) world.State {
	time.Now()

	time.Now()
	return s
}

func wrong(s world.State) world.State {
	//flatecs:allow dropped that is another check
	time.Now() // want `time.Now reads the clock`

	/* want `deterministic finds nothing here; delete this comment` */ //flatecs:allow deterministic there is nothing

	//flatecs:allow deterministic
	time.Now() // want `time.Now reads the clock`

	//flatecs:allowed deterministic is another directive
	time.Now() // want `time.Now reads the clock`
	return s
}

// What is not a system is not looked at.

func run(s world.State) { time.Now(); score++ }

func makes() (s world.State) { time.Now(); return s }

func mean(a, b, c float32) float32 { return a*b + c }

func several(a, b world.State) world.State { time.Now(); return a }

func wanderer() func() { return func() { score = rand.IntN(3) } }

/* want `deterministic finds nothing here; delete this comment` */ //flatecs:allow deterministic there is nothing
