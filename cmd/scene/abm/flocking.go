package abm

import (
	"math"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/random"
)

// Flocking is the model of a flock: birds in a square without borders that keep a distance from
// others, fly towards them, and align with them.
type Flocking struct {
	Extent     float64 // of the space along each axis, world units
	Birds      int64
	Sight      float64 // distance that a bird sees, at most a third of the extent
	Speed      float64 // at most the extent, world units per step
	Cohere     float64 // weight of flying towards others
	Separation float64 // distance to keep
	Separate   float64 // weight of keeping it
	Match      float64 // weight of alignment
}

// The sizes that the comparison declares.
var (
	FlockingSmall = Flocking{100, 200, 5, 1, .03, 1, .015, .05}
	FlockingLarge = Flocking{150, 400, 15, 1, .03, 1, .015, .05}
)

type bird struct {
	At, Flight   vector   // the flight has length 1
	Patch, Entry uint32   // of this step
	Traits       Flocking // as declared
}

// An entry is the part of a bird that others see. Entries are ordered by the birds' patches at the
// beginning of the step, so that potential neighbours are contiguous.
type entry struct {
	X, Y             uint64 // in 1/2⁶⁴ of the extent: differences wrap around, like the space
	FlightX, FlightY float64
}

var (
	flyers  = layout.NewField[bird]("bird")
	wing    = layout.NewField[uint32]("wing") // row of the bird that acts at this turn
	entries = layout.NewField[entry]("entry")
	winged  = layout.NewKind("birds", flyers, wing, entries)
	flyer   = world.NewRecipe("flyer", winged)
	patches = layout.NewComponent[uint32]("patch") // its first entry, and the end
	lawn    = world.NewRecipe("lawn", patches)
	skies   = layout.NewField[Flocking]("flocking")
	sky     = world.NewResource("sky", skies)
)

// side returns the number of patches along each axis. A patch is at least as wide as the sum of
// sight and speed: a bird that is visible at another bird's turn was in the same or an adjacent
// patch at the beginning of the step.
func (p Flocking) side() int { return int(min(max(p.Extent/(p.Sight+math.Abs(p.Speed)), 3), 1000)) }

// Counts returns the counts for the model.
func (p Flocking) Counts() world.Counts {
	if p.check() != nil { // Setup returns the error
		return FlockingSmall.Counts()
	}
	n, m := int(p.Birds), p.side()*p.side()+1
	return counts(n+m, sky, layout.Kinds(winged.Count(n), patches.Count(m)), flyer, lawn)
}

func (p Flocking) setup(s world.State) world.State {
	s = spawn(spawn(world.SetResource(s, skies, p), flyer, int(p.Birds)), lawn, p.side()*p.side()+1)
	birds, r := world.View(s, flyers), world.Random(s)
	number(world.View(s, wing))
	for i := range birds {
		at := vector{float64(r.Float64() * p.Extent), float64(r.Float64() * p.Extent)}
		flight := vector{float64(2*r.Float64()) - 1, float64(2*r.Float64()) - 1}
		birds[i] = bird{At: at, Flight: flight, Traits: p}
	}
	return touch(s, flyers, birds)
}

// A flock is the columns of a world.
type flock struct {
	birds   []bird
	entries []entry
	patches []uint32
	side    int     // patches along each axis
	extent  float64 // of the space
}

// StepFlocking lets each bird turn and fly, in a new random order.
func StepFlocking(s world.State) world.State {
	p, birds, turns := world.Resource(s, skies), world.View(s, flyers), world.View(s, wing)
	f := flock{birds, world.View(s, entries), world.View(s, patches), p.side(), p.Extent}
	r := world.Random(s)
	random.Shuffle(turns, &r)
	f.sort()
	for _, i := range turns {
		b := &f.birds[i]
		b.Flight = f.turned(b)
		for k, v := range b.Flight {
			b.At[k] += float64(v * b.Traits.Speed)
			b.At[k] -= float64(math.Floor(b.At[k]/f.extent) * f.extent) // the space wraps around
		}
		f.show(b)
	}
	return world.Advance(touch(touch(s, flyers, f.birds), patches, f.patches))
}

// sort sorts the birds' entries by patch.
func (f *flock) sort() {
	clear(f.patches)
	for i := range f.birds {
		b := &f.birds[i]
		x, y := int(b.At[0]/f.extent*float64(f.side)), int(b.At[1]/f.extent*float64(f.side))
		b.Patch = uint32(min(y, f.side-1)*f.side + min(x, f.side-1))
		f.patches[b.Patch]++
	}
	for i, n := range f.patches[1:] {
		f.patches[i+1] = f.patches[i] + n
	}
	for i := range f.birds {
		b := &f.birds[i]
		f.patches[b.Patch]--
		b.Entry = f.patches[b.Patch]
		f.show(b)
	}
}

// show sets the entry of a bird.
func (f *flock) show(b *bird) {
	x, y := int64(b.At[0]/f.extent*(1<<62)), int64(b.At[1]/f.extent*(1<<62))
	f.entries[b.Entry] = entry{uint64(x) << 2, uint64(y) << 2, b.Flight[0], b.Flight[1]}
}

// A run is a range of entries.
type run struct{ first, end uint32 }

// around appends the entries of a patch and of its neighbours: two runs per row; the second run is
// beyond the border, and empty away from borders.
func (f *flock) around(runs []run, patch int) []run {
	n, west := f.side, (patch+f.side-1)%f.side
	for k := range 3 {
		row := f.patches[(patch/n+k+n-1)%n*n:]
		runs = append(runs, run{row[west], row[min(west+3, n)]}, run{row[0], row[max(west+3-n, 0)]})
	}
	return runs
}

// turned returns a bird's new direction.
func (f *flock) turned(b *bird) vector {
	t, e, unit := &b.Traits, f.entries[b.Entry], f.extent/(1<<64)
	sight, near := squared(t.Sight/unit), squared(t.Separation/unit)
	n, sumX, sumY, flightX, flightY := -1.0, 0.0, 0.0, -e.FlightX, -e.FlightY // without itself
	for _, r := range f.around(make([]run, 0, 6), int(b.Patch)) {
		for _, o := range f.entries[r.first:r.end] {
			x, y := float64(int64(o.X-e.X)), float64(int64(o.Y-e.Y))
			far, to := squared(x)+squared(y), t.Cohere
			if far < near {
				to -= t.Separate
			}
			w := weight(far, sight)
			n, sumX, sumY = n+w, sumX+float64(x*(to*w)), sumY+float64(y*(to*w))
			flightX, flightY = flightX+float64(o.FlightX*w), flightY+float64(o.FlightY*w)
		}
	}
	x := e.FlightX + (float64(sumX*unit)+float64(flightX*t.Match))/max(n, 1)
	y := e.FlightY + (float64(sumY*unit)+float64(flightY*t.Match))/max(n, 1)
	l := max(length(vector{x, y}), math.SmallestNonzeroFloat64)
	return vector{x / l, y / l}
}

func squared(x float64) float64 { return float64(x * x) }

// weight returns 1 if a ≤ b, and 0 otherwise. A branch would often be mispredicted, which takes
// longer than adding zeros.
func weight(a, b float64) float64 {
	return math.Float64frombits(math.Float64bits(1) &^ uint64(int64(math.Float64bits(b-a))>>63))
}
