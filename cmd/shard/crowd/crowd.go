// Package crowd is a scene for shards: people walk over a square, turn when it gets crowded, and
// are replaced by children at times. Their behaviour depends only on their own numbers and on the
// number of people nearby, so it is the same for any number of shards.
//
// [Scene] has the size. A shard needs [Scene.Counts], [Scene.Schedule], [Scene.Populate],
// [Scene.MaxStep] and [Scene.Side], with [Radius], [Seen] and [Pipeline]. [Scene.Places] counts
// people for a map.
package crowd

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/space"
)

const (
	// Radius is the range of vision, in world units.
	Radius = 3

	// Pipeline is the name of the pipeline in [Scene.Schedule].
	Pipeline = "tick"

	perObject = 10 // square world units
	many      = 5  // people in a crowd, including oneself
	rare      = 4096
)

var (
	pace  = layout.NewComponent[[2]float32]("pace") // world units per tick; x, y
	heat  = layout.NewComponent[uint32]("heat")     // hash of all crowds that a person has seen
	ammo  = layout.NewField[[3]uint16]("ammo")
	gun   = layout.NewKind("gun", ammo)
	brave = layout.NewMark("brave")

	walking = world.NewQuery(
		world.Write(heroes.Position, pace, heat), world.Read(pack.Global),
		world.Without(shard.Ghost))
	shooting = world.NewQuery(world.Write(ammo), world.Read(heat), world.Without(shard.Ghost))
	standing = world.NewQuery(world.Read(heroes.Position), world.Without(shard.Ghost))
	old      = world.NewQuery(world.Read(heat, pack.Global), world.Without(shard.Ghost))
)

// Seen lists the kinds that shards show each other.
var Seen = []layout.AnyKind{heroes.Position}

// A Scene is a crowd of a size.
type Scene struct {
	Objects int
	Seed    uint64
	Speed   float32 // world units per tick
}

// MaxStep returns the longest step in a tick, along x or y, in world units.
func (c Scene) MaxStep() float32 { return max(c.Speed, -c.Speed, 1) }

// Side returns the edge of the square, in world units.
func (c Scene) Side() float32 {
	return float32(math.Ceil(math.Sqrt(float64(c.Objects) * perObject)))
}

// Counts returns the room that one of several shards needs.
func (c Scene) Counts(shards int) world.Counts {
	n := c.Objects + 64
	if shards > 1 {
		n = min(n, 2*c.Objects/shards) + c.Objects/4 + 1000
	}
	return world.Counts{
		GameObjects: n, Names: n/16 + 64, Globals: n, Seed: c.Seed, Random: true,
		Kinds: layout.Kinds(heroes.Position, pace, heat, gun, brave, shard.Ghost),
	}
}

// Schedule returns the schedule of a tick. It belongs to one world.
func (c Scene) Schedule(workers int) (*schedule.Schedule, error) {
	w := &walk{side: c.Side()}
	s := schedule.New(workers)
	err := s.Register(schedule.Pipeline{
		Name: Pipeline,
		Groups: []schedule.Group{
			{Name: "all", Elements: []string{"look", "walk", "shoot", "rejuvenate"}},
		},
		Jobs: []schedule.Job{
			{Name: "look", Do: w.look},
			{Name: "walk", Run: w.walk, Queries: []world.Query{walking}, Split: true, Part: 16},
			{Name: "shoot", Run: shoot, Queries: []world.Query{shooting}, Local: true},
			{Name: "rejuvenate", Do: rejuvenate},
		},
	})
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// A walk has the cells of one world, rebuilt each tick.
type walk struct {
	side  float32
	cells *space.Cells[[3]float32]
	view  space.View[[3]float32]
}

// look puts all people into cells, including ghosts.
func (w *walk) look(s world.State) (_ world.State, err error) {
	if w.cells == nil {
		w.cells, err = space.NewCells(s, heroes.Position, space.Options{
			Size: Radius, Axes: []string{"[0]", "[1]"},
			Low: []float64{0, 0}, High: []float64{float64(w.side), float64(w.side)},
		})
		if err != nil {
			return s, err
		}
	}
	s = w.cells.Build(s, nil)
	w.view = w.cells.In(s)
	return s, nil
}

// walk turns people in crowds, and moves all people.
func (w *walk) walk(s world.State) world.State {
	for b := range walking.In(s) {
		at, v, h := world.Column(b, heroes.Position), world.Column(b, pace), world.Column(b, heat)
		globals := pack.Globals(b)
		for i := range at {
			n := uint32(0) // people nearby, including oneself
			for range w.view.Near(at[i], Radius) {
				n++
			}
			h[i] = h[i]*31 + n
			if n > many {
				r := world.Random(s, globals[i])
				axis := r.IntN(2)
				v[i][axis] = -v[i][axis]
			}
			for axis := range 2 {
				to := at[i][axis] + v[i][axis]
				if to < 0 || to >= w.side {
					v[i][axis] = -v[i][axis]
				} else {
					at[i][axis] = to
				}
			}
		}
	}
	return s
}

func shoot(s world.State) world.State {
	for b := range shooting.In(s) {
		a, h := world.Column(b, ammo), world.Column(b, heat)
		for i := range a {
			a[i][h[i]%3] += uint16(h[i])
		}
	}
	return s
}

// rejuvenate replaces a few people by children, whose numbers derive from the parents' numbers.
func rejuvenate(s world.State) (world.State, error) {
	var parents []world.GameObject
	for b := range old.In(s) {
		h, globals := world.Column(b, heat), pack.Globals(b)
		for i := range h {
			if mix(uint64(h[i])^globals[i])%rare == 0 {
				parents = append(parents, b.ID(i))
			}
		}
	}
	var err error
	for _, id := range parents {
		if s, err = replace(s, id); err != nil {
			return s, err
		}
	}
	return s, nil
}

// replace disposes an object and creates its child at the same place.
func replace(s world.State, id world.GameObject) (world.State, error) {
	at, err := world.Get(s, id, heroes.Position)
	if err != nil {
		return s, err
	}
	v, err := world.Get(s, id, pace)
	if err != nil {
		return s, err
	}
	s, global, err := pack.NextGlobal(s, id)
	if err != nil {
		return s, err
	}
	if s, err = world.Dispose(s, id); err != nil {
		return s, err
	}
	return create(s, global, at, [2]float32{v[1], v[0]})
}

// Populate creates the people of a region.
func (c Scene) Populate(s world.State, owns func([3]float32) bool) (world.State, error) {
	steps := float64(c.Side()) * 64
	for g := uint64(1); g <= uint64(c.Objects); g++ {
		a := mix(g ^ mix(c.Seed))
		x, y := uint64(float64(a>>40)/(1<<24)*steps), uint64(float64(a>>16&0xffffff)/(1<<24)*steps)
		at := [3]float32{float32(x) / 64, float32(y) / 64, 0}
		if !owns(at) {
			continue
		}
		v := [2]float32{c.Speed, 1}
		for axis := range v {
			if a>>axis&1 == 0 {
				v[axis] = -v[axis]
			}
		}
		var err error
		if s, err = create(s, g, at, v); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Places returns the number of people in each cell of a map of the square, without ghosts: row by
// row, from the least y.
func (c Scene) Places(s world.State, width, height int) []uint16 {
	counts, side := make([]uint16, width*height), c.Side()
	for b := range standing.In(s) {
		for _, at := range world.Column(b, heroes.Position) {
			x, y := int(at[0]/side*float32(width)), int(at[1]/side*float32(height))
			if n := &counts[min(y, height-1)*width+min(x, width-1)]; *n < math.MaxUint16 {
				*n++
			}
		}
	}
	return counts
}

// create creates a person. All values except the place derive from its number.
func create(s world.State, global uint64, at [3]float32, v [2]float32) (world.State, error) {
	kinds := []layout.AnyKind{heroes.Position, pace, heat}
	if global%4 == 0 {
		kinds = append(kinds, gun)
	}
	if global%3 == 0 {
		kinds = append(kinds, brave)
	}
	s, id, err := world.CreateWith(s, kinds...)
	if err != nil {
		return s, err
	}
	if s, err = world.Set(s, id, heroes.Position, at); err != nil {
		return s, err
	}
	if s, err = world.Set(s, id, pace, v); err != nil {
		return s, err
	}
	if global%64 == 0 {
		if s, err = world.SetName(s, id, fmt.Sprint("somebody ", global)); err != nil {
			return s, err
		}
	}
	return pack.SetGlobal(s, id, global)
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
