package abm

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/random"
)

// Flocking is the model of a flock: birds in a square without borders, who keep a distance from
// others, fly to where these are, and as they do.
type Flocking struct {
	Extent     float64 // of the space along each axis, world units
	Birds      int64
	Sight      float64 // distance that a bird sees, at most a third of the extent
	Speed      float64 // world units per step
	Cohere     float64 // weight of where the others are
	Separation float64 // distance that is kept
	Separate   float64 // weight of that
	Match      float64 // weight of how the others fly
}

// The sizes that the comparison declares.
var (
	FlockingSmall = Flocking{100, 200, 5, 1, .03, 1, .015, .05}
	FlockingLarge = Flocking{150, 400, 15, 1, .03, 1, .015, .05}
)

type bird struct {
	At, Flight  vector   // the flight has length 1
	Patch, Next uint32   // of the space; row of the next bird there, from 1; 0: none
	Traits      Flocking // as declared
}

type patch struct {
	First  uint32    // row of the first bird here, from 1; 0: none
	Around [9]uint32 // patches: itself, and those beside it
}

var (
	flyers  = layout.NewField[bird]("bird")
	wing    = layout.NewField[uint32]("wing") // row of the bird that acts in this turn
	winged  = layout.NewKind("birds", flyers, wing)
	flyer   = world.NewRecipe("flyer", winged)
	patches = layout.NewComponent[patch]("patch")
	meadow  = world.NewRecipe("meadow", patches)
	skies   = layout.NewField[Flocking]("flocking")
	sky     = world.NewResource("sky", skies)
)

// side returns the patches along each axis; none is narrower than a bird sees.
func (p Flocking) side() int { return int(min(max(p.Extent/p.Sight, 1), 1000)) }

// Counts returns the room that the model takes.
func (p Flocking) Counts() world.Counts {
	n, m := int(p.Birds), p.side()*p.side()
	return counts(n+m, sky, layout.Kinds(winged.Count(n), patches.Count(m)), flyer, meadow)
}

func (p Flocking) setup(s world.State) world.State {
	s = spawn(world.SetResource(s, skies, p), flyer, int(p.Birds))
	s = spawn(s, meadow, p.side()*p.side())
	f, r, turns := flockOf(s), world.Random(s), world.View(s, wing)
	number(turns)
	for i := range f.patches {
		for k := range 9 {
			x, y := (i+k%3+f.side-1)%f.side, (i/f.side+k/3+f.side-1)%f.side
			f.patches[i].Around[k] = uint32(y*f.side + x)
		}
	}
	for i := range f.birds {
		at := vector{float64(r.Float64() * p.Extent), float64(r.Float64() * p.Extent)}
		flight := vector{float64(2*r.Float64()) - 1, float64(2*r.Float64()) - 1}
		f.birds[i] = bird{At: at, Flight: flight, Traits: p}
		f.enter(uint32(i))
	}
	return touch(touch(s, flyers, f.birds), patches, f.patches)
}

// A flock is the columns of a world.
type flock struct {
	birds   []bird
	patches []patch
	side    int     // patches along each axis
	extent  float64 // of the space
}

func flockOf(s world.State) flock {
	p := world.Resource(s, skies)
	return flock{world.View(s, flyers), world.View(s, patches), p.side(), p.Extent}
}

func (f *flock) patchOf(v vector) uint32 {
	x, y := int(v[0]/f.extent*float64(f.side)), int(v[1]/f.extent*float64(f.side))
	return uint32(min(y, f.side-1)*f.side + min(x, f.side-1))
}

// enter puts a bird in front of the others in its patch.
func (f *flock) enter(i uint32) {
	b := &f.birds[i]
	b.Patch = f.patchOf(b.At)
	b.Next, f.patches[b.Patch].First = f.patches[b.Patch].First, i+1
}

// StepFlocking lets each bird, in a new random order, turn and fly.
func StepFlocking(s world.State) world.State {
	f, r, turns := flockOf(s), world.Random(s), world.View(s, wing)
	random.Shuffle(turns, &r)
	for _, i := range turns {
		b := &f.birds[i]
		b.Flight = f.turned(b)
		for k, v := range b.Flight {
			b.At[k] = within(b.At[k]+float64(v*b.Traits.Speed), f.extent)
		}
		if f.patchOf(b.At) != b.Patch {
			link := &f.patches[b.Patch].First
			for *link != i+1 {
				link = &f.birds[*link-1].Next
			}
			*link = b.Next
			f.enter(i)
		}
	}
	return world.Advance(touch(touch(s, flyers, f.birds), patches, f.patches))
}

// turned returns how a bird flies, by what it sees.
func (f *flock) turned(b *bird) vector {
	n, sumX, sumY, t, half := 0.0, 0.0, 0.0, &b.Traits, float64(f.extent/2)
	sight, near := float64(t.Sight*t.Sight), float64(t.Separation*t.Separation)
	for _, p := range f.patches[b.Patch].Around {
		for i := f.patches[p].First; i != 0; {
			o := &f.birds[i-1]
			i = o.Next
			x := within(o.At[0]-b.At[0]+half, f.extent) - half // the shorter way
			y := within(o.At[1]-b.At[1]+half, f.extent) - half
			far, to := float64(x*x)+float64(y*y), t.Cohere
			if far > sight || o == b {
				continue
			}
			if n++; far < near {
				to -= t.Separate
			}
			sumX += float64(x*to) + float64(o.Flight[0]*t.Match)
			sumY += float64(y*to) + float64(o.Flight[1]*t.Match)
		}
	}
	v := vector{b.Flight[0] + sumX/max(n, 1), b.Flight[1] + sumY/max(n, 1)}
	if l := length(v); l > 0 {
		return vector{v[0] / l, v[1] / l}
	}
	return v
}

// within returns x in a space that closes: what leaves it comes back on the other side.
func within(x, extent float64) float64 {
	if x < 0 {
		x += extent
	}
	if x >= extent { // also by rounding
		x -= extent
	}
	return x
}
