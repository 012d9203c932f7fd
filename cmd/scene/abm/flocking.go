package abm

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
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

type vector = [2]float64

var (
	at     = layout.NewField[vector]("at")
	flight = layout.NewField[vector]("flight")   // of length 1
	traits = layout.NewField[Flocking]("traits") // of each bird, as declared
	after  = layout.NewField[uint32]("after")    // rows of the next and the last bird
	before = layout.NewField[uint32]("before")   // in the same patch, from 1; 0: none
	wing   = layout.NewField[uint32]("wing")     // row of the bird that acts in this turn
	bird   = layout.NewKind("bird", at, flight, traits, after, before, wing)
	flyer  = world.NewRecipe("flyer", bird)

	first  = layout.NewField[uint32]("first") // row of the first bird here, from 1; 0: none
	patch  = layout.NewKind("patch", first)
	meadow = world.NewRecipe("meadow", patch)
	skies  = layout.NewField[Flocking]("flocking")
	sky    = world.NewResource("sky", skies)
)

// FlockingReports are how much the birds fly in one direction: 1 if all do.
var FlockingReports = []lab.Reporter{lab.Report("order", alignment)}

func alignment(s world.State) float64 {
	var sum vector
	all := world.View(s, flight)
	for _, v := range all {
		sum[0], sum[1] = sum[0]+v[0], sum[1]+v[1]
	}
	return length(sum) / float64(max(len(all), 1))
}

func length(v vector) float64 { return math.Sqrt(float64(v[0]*v[0]) + float64(v[1]*v[1])) }

// patches returns their number along each axis; none is narrower than a bird sees.
func (p Flocking) patches() int { return int(min(max(p.Extent/p.Sight, 1), 1000)) }

// Counts returns the room that the model takes.
func (p Flocking) Counts() world.Counts {
	patches := p.patches() * p.patches()
	return world.Counts{
		GameObjects: int(p.Birds) + patches, Resources: []world.ResourceKind{sky},
		Recipes: []world.Recipe{flyer, meadow},
		Kinds:   layout.Kinds(bird.Count(int(p.Birds)), patch.Count(patches)),
	}
}

// Setup puts the birds anywhere, flying anywhere.
func (p Flocking) Setup(s world.State) (world.State, error) {
	if !(p.Sight > 0 && p.Sight <= p.Extent/3) {
		return s, fmt.Errorf("abm: birds see %v of %v; give a sight above 0, at most a third of "+
			"the extent", p.Sight, p.Extent)
	}
	s, err := world.SpawnN(world.SetResource(s, skies, p), flyer, int(p.Birds), nil)
	if err != nil {
		return s, err
	}
	if s, err = world.SpawnN(s, meadow, p.patches()*p.patches(), nil); err != nil {
		return s, err
	}
	f, r := flockOf(s), world.Random(s)
	for i := range f.at {
		f.at[i] = vector{float64(r.Float64() * p.Extent), float64(r.Float64() * p.Extent)}
		f.flight[i] = vector{float64(2*r.Float64()) - 1, float64(2*r.Float64()) - 1}
		f.traits[i], f.wings[i] = p, uint32(i)
		f.enter(uint32(i+1), f.patchOf(f.at[i]))
	}
	return f.touched(s), nil
}

// A flock is the columns of a world.
type flock struct {
	at, flight           []vector
	traits               []Flocking
	after, before, wings []uint32
	first                []uint32
	side                 int     // patches along each axis
	extent, scale        float64 // of the space; patches per world unit
}

func flockOf(s world.State) *flock {
	p := world.Resource(s, skies)
	return &flock{
		at: world.View(s, at), flight: world.View(s, flight), traits: world.View(s, traits),
		after: world.View(s, after), before: world.View(s, before), wings: world.View(s, wing),
		first: world.View(s, first), side: p.patches(), extent: p.Extent,
		scale: float64(p.patches()) / p.Extent,
	}
}

func (f *flock) touched(s world.State) world.State {
	return tool.Touch(tool.Touch(s, bird, 0, len(f.at)), patch, 0, len(f.first))
}

func (f *flock) patchOf(v vector) int {
	x, y := int(float64(v[0]*f.scale)), int(float64(v[1]*f.scale))
	return min(y, f.side-1)*f.side + min(x, f.side-1)
}

// enter puts a bird, by its row from 1, in front of the others of a patch.
func (f *flock) enter(bird uint32, patch int) {
	next := f.first[patch]
	f.first[patch], f.after[bird-1], f.before[bird-1] = bird, next, 0
	if next != 0 {
		f.before[next-1] = bird
	}
}

func (f *flock) leave(bird uint32, patch int) {
	next, last := f.after[bird-1], f.before[bird-1]
	if last != 0 {
		f.after[last-1] = next
	} else {
		f.first[patch] = next
	}
	if next != 0 {
		f.before[next-1] = last
	}
}

// StepFlocking lets each bird, in a new random order, turn and fly.
func StepFlocking(s world.State) world.State {
	f, r := flockOf(s), world.Random(s)
	random.Shuffle(f.wings, &r)
	for _, i := range f.wings {
		f.turn(i)
		p, v, t := f.at[i], f.flight[i], f.traits[i].Speed
		from := f.patchOf(p)
		p = vector{f.within(p[0] + float64(v[0]*t)), f.within(p[1] + float64(v[1]*t))}
		f.at[i] = p
		if to := f.patchOf(p); to != from {
			f.leave(i+1, from)
			f.enter(i+1, to)
		}
	}
	return world.Advance(f.touched(s))
}

// within returns x in the space: what leaves it comes back on the other side.
func (f *flock) within(x float64) float64 {
	switch {
	case x >= f.extent:
		return x - f.extent
	case x < 0:
		return max(min(x+f.extent, math.Nextafter(f.extent, 0)), 0)
	}
	return x
}

// turn changes the flight of bird i by what it sees.
func (f *flock) turn(i uint32) {
	var cohere, separate, match vector
	n, t, p := 0.0, &f.traits[i], f.at[i]
	sight, near := float64(t.Sight*t.Sight), float64(t.Separation*t.Separation)
	home := f.patchOf(p)
	for _, y := range around(home/f.side, f.side) {
		for _, x := range around(home%f.side, f.side) {
			for b := f.first[y*f.side+x]; b != 0; b = f.after[b-1] {
				q := f.at[b-1]
				h := vector{wrapped(q[0]-p[0], f.extent), wrapped(q[1]-p[1], f.extent)}
				far := float64(h[0]*h[0]) + float64(h[1]*h[1])
				if far > sight || b == i+1 {
					continue
				}
				n++
				cohere = vector{cohere[0] + h[0], cohere[1] + h[1]}
				if far < near {
					separate = vector{separate[0] - h[0], separate[1] - h[1]}
				}
				v := &f.flight[b-1]
				match = vector{match[0] + v[0], match[1] + v[1]}
			}
		}
	}
	v := &f.flight[i]
	for k := range v {
		v[k] += (float64(cohere[k]*t.Cohere) + float64(separate[k]*t.Separate) +
			float64(match[k]*t.Match)) / max(n, 1)
	}
	if l := length(*v); l > 0 {
		*v = vector{v[0] / l, v[1] / l}
	}
}

// around returns x and its neighbours on a ring of n.
func around(x, n int) [3]int {
	return [3]int{(x + n - 1) % n, x, (x + 1) % n}
}

// wrapped returns the shorter way around a ring.
func wrapped(x, ring float64) float64 {
	half := float64(ring / 2)
	switch {
	case x > half:
		return x - ring
	case x < -half:
		return x + ring
	}
	return x
}
