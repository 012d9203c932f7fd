package hunt

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

// A Game describes the game to search. Several goroutines call its functions, each with its own
// worlds.
type Game struct {
	New func() (world.State, error) // the world before the first tick, always the same

	// Step plays a tick; if there are Jobs, it only passes the input to the world, before they run.
	Step   func(s world.State, input []byte) (world.State, error)
	Inputs int // bytes of a tick's input

	// Jobs returns the jobs of a tick, which run one after the other; nil: no jobs. It is called
	// once per world, so jobs may keep data outside the world, such as cells of space.
	Jobs func() []schedule.Job

	// Play writes the input of the next tick into zeroed memory; nil: random bytes.
	Play func(r *world.Stream, s world.State, input []byte)

	Always    []Property // hold after each tick
	Rarely    []Property // must hold too, but are checked rarely
	Sometimes []Property // each must hold after some tick; see [Result.Never]

	// Cover notes numbers that characterise a state, such as a hash of the carried items and their
	// positions: the hunt continues later from states with a new number. The magnitudes of the
	// values of Fields are noted too.
	Cover  func(s world.State, note func(uint64))
	Fields []layout.AnyField

	Over func(s world.State) bool // the match has ended; nil: never
}

// A Property holds in every state of a correct game.
type Property struct {
	name  string
	check func(s world.State) error
	same  func(s world.State) int64
}

// Check returns a property that holds if f returns nil.
func Check(name string, f func(s world.State) error) Property {
	return Property{name: name, check: made(name, f)}
}

// Holds returns a property that holds if f returns true.
func Holds(name string, f func(s world.State) bool) Property {
	made(name, f)
	return Check(name, func(s world.State) error {
		if f(s) {
			return nil
		}
		return errors.New("it does not hold")
	})
}

// Same returns a property that holds if f returns the same value as for the first world, such as
// the sum of all gold.
func Same(name string, f func(s world.State) int64) Property {
	return Property{name: name, same: made(name, f)}
}

func made[S, T any](name string, f func(S) T) func(S) T {
	if f == nil {
		panic("hunt: property " + name + " has a nil function; give it one that checks a state")
	}
	return f
}

// in returns an error if the property does not hold; want is its result for the first world.
func (p *Property) in(s world.State, want int64) error {
	if p.same == nil {
		return p.check(s)
	}
	if now := p.same(s); now != want {
		return fmt.Errorf("it is %d, and was %d", now, want)
	}
	return nil
}

// begin returns the value that must stay the same.
func (p *Property) begin(s world.State) int64 {
	if p.same == nil {
		return 0
	}
	return p.same(s)
}

// NoNaN is the property that no field of an object is NaN.
var NoNaN = Check("no NaN", func(s world.State) error {
	for id := range world.GameObjects(s) {
		for at := range placesOf(s, id) {
			if p, ok := firstNaN(at.field, at.value); ok {
				return fmt.Errorf("%s of object %v is not a number", at.field.Title(p), id)
			}
		}
	}
	return nil
})

// NoDangling is the property that no field refers to a disposed object. Games that call world.Alive
// before they follow a reference do not need it.
var NoDangling = Check("no dangling reference", func(s world.State) error {
	if n := world.Dangling(s); n > 0 {
		return fmt.Errorf("%d references are to objects that are gone", n)
	}
	return nil
})

func firstNaN(f *layout.FieldSpec, value []byte) (part layout.Part, found bool) {
	for p, value := range partsIn(f, value) {
		if p.Type != "float32" && p.Type != "float64" {
			continue
		}
		for b, size := p.Bytes(value), p.Size(); len(b) > 0; b = b[size:] {
			if math.IsNaN(tool.Number(p.Type, b[:size])) {
				return p, true
			}
		}
	}
	return part, false
}

// Options are the options of a hunt.
type Options struct {
	Workers int           // goroutines; 0: GOMAXPROCS
	For     time.Duration // 0: a second, unless Ticks is set
	Ticks   int64         // of all workers, up to Length more each; 0: no limit
	Seed    uint64        // of the inputs
	Length  int           // ticks of a run from a kept state; 0: 600
	Deep    int           // ticks between the rare checks; 0: 1,000; -1: never
	Memory  int64         // bytes for kept states, of all workers; 0: 64 MB
	Shrink  time.Duration // time to shorten a failure; 0: 5 s
	Whole   bool          // the first world keeps all its objects

	// Corpus shares finds with the hunts of other parts, and of earlier runs; each part has its
	// own number, and so its own inputs. A hunt looks into it at first and each ten seconds, and
	// ends if another part found a failure. It replays what is new: the digests of finds by the
	// same Build are compared, so that a step that differs between machines is a failure.
	Corpus Corpus // nil: none
	Part   int    // from 0
	Build  string // of the program and its options; empty: a hash of the program's file
}

const forever = time.Duration(math.MaxInt64)

// filled returns o with defaults in place of zeros. It panics if an option is invalid.
func (o Options) filled() Options {
	if o.Workers < 0 || o.For < 0 || o.Ticks < 0 || o.Length < 0 || o.Deep < -1 || o.Memory < 0 ||
		o.Shrink < 0 || o.Part < 0 {
		panic(fmt.Sprintf("hunt: Options %+v: a number is negative; 0 is the usual one", o))
	}
	if o.For == 0 {
		o.For = time.Second
		if o.Ticks > 0 {
			o.For = forever
		}
	}
	o.Ticks = cmp.Or(o.Ticks, math.MaxInt64)
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.Length = cmp.Or(o.Length, 600)
	o.Deep = cmp.Or(o.Deep, 1000)
	o.Memory = cmp.Or(o.Memory, 64<<20)
	o.Shrink = cmp.Or(o.Shrink, 5*time.Second)
	return o
}

// size returns the bytes per tick in a list of inputs.
func (g *Game) size() int { return max(g.Inputs, 1) }

// check panics if the game is invalid.
func (g *Game) check() {
	switch {
	case g.New == nil:
		panic("hunt: Game.New is nil; it makes the world before the first tick")
	case g.Step == nil && g.Jobs == nil:
		panic("hunt: the Game has neither Step nor Jobs; it has no ticks")
	case g.Inputs < 0 || g.Inputs > 0 && g.Step == nil:
		panic(fmt.Sprintf("hunt: Game.Inputs is %d bytes, and Step is to hand them to the world; "+
			"have both, or neither", g.Inputs))
	}
	for _, list := range [][]Property{g.Always, g.Rarely, g.Sometimes} {
		for _, p := range list {
			if p.check == nil && p.same == nil {
				panic("hunt: a zero Property; make one by Check, Holds or Same")
			}
		}
	}
}

// same returns the digest of the first world. It returns an error if New creates different worlds,
// because failures would not be repeatable.
func (g *Game) same() (digest uint64, err error) {
	var digests [2]uint64
	for i := range digests {
		s, err := g.New()
		if err != nil {
			return 0, fmt.Errorf("hunt: Game.New: %w", err)
		}
		digests[i] = world.Digest(s)
		systems.Discard(s)
	}
	if digests[0] != digests[1] {
		return 0, errors.New("hunt: Game.New made two worlds that differ; have it depend on " +
			"nothing else, such as a clock, or a variable that it changes")
	}
	return digests[0], nil
}

// A place is a field of an object.
type place struct {
	field  *layout.FieldSpec
	object world.GameObject
	use    tool.ComponentUse
	value  []byte // in place
}

// placesOf yields the fields of an object's components.
func placesOf(s world.State, id world.GameObject) iter.Seq[place] {
	return func(yield func(place) bool) {
		uses, err := tool.ComponentsOf(s, id)
		if err != nil {
			return // disposed
		}
		for _, use := range uses {
			for _, f := range use.Kind.Spec().Fields {
				value, _ := tool.ValueOf(s, f, id)
				if value != nil && !yield(place{f, id, use, value}) {
					return
				}
			}
		}
	}
}
