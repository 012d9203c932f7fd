// Package tanks is a scene for shards with families: tanks of two sides that drive, aim and shoot.
//
//	hull ◀─ childOf ─ turret ◀─ childOf ─ gun
//	                     │                gun
//	                     └── target: the serial number of a hull of the other side
//
// A tank is in the region of its hull, and moves to another one as a whole. A turret refers to its
// hull, which is always in the same shard, and names its target by a number, because that may be in
// another one. When a hull breaks, its turret leaves it, flies off and burns out, and a new tank
// begins at the edge of the field.
//
// It does what the scene tanks of cmd/scene does, by the rules of package shard: each object has a
// serial number, which follows from that of the object that it was born by, and is its global id;
// random numbers are drawn by it; sums are of integers; the nearest of several at one distance is
// the one with the smallest number; and a tank that broke is replaced in its own region, where the
// other scene looks at all tanks and sends one to the side that has fewest.
//
//	Cells → Spot → Hit → Leave → Drive → Aim → Fire → Fly → Fade → Apply → Number → Place
//
// [Scene] has the size; [Scene.Counts], [Scene.Schedule], [Scene.Populate] and [Scene.Wide] are
// what a shard needs of it, with [Radius], [MaxStep], [Seen]
// and [Pipeline].
package tanks

import (
	"math"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/space"
)

const (
	// Radius is how far systems look from a hull or a shell, in world units: turrets see so far,
	// from a little beside the middle of their hull.
	Radius = reach + 8

	// MaxStep is how far a step takes an object from a region, in world units: a hull moves less
	// than a unit, and a shell comes out of the muzzle of a gun.
	MaxStep = 4 + gunAhead + muzzle

	// Pipeline is the name of a tick in [Scene.Schedule].
	Pipeline = "tick"

	hits     = 3   // that break a hull
	reach    = 160 // how far turrets see, world units
	speed    = .5  // of tanks, world units per tick
	bullet   = 4   // speed of shells, world units per tick
	flight   = 50  // ticks of a shell
	reload   = 80  // ticks between the shots of a gun, at most
	kick     = 4.0 // of a gun when it fires, world units
	spark    = 12  // ticks of the blast of a hit
	flame    = 40  // ticks of the blast of a hull that breaks
	burning  = 200 // ticks of a turret that has left its hull
	gunAhead = 7   // of the middle of a turret to that of a gun, world units
	muzzle   = 6   // ahead of the middle of a gun, world units
	margin   = 15  // of the field, in which no tank begins, world units
	room     = 16  // objects per tank: four, its shells, wrecks and blasts
	sides    = 2
)

// The kinds. Lengths are in world units, times in ticks.
var (
	serial = layout.NewComponent[uint64]("serial") // and global id

	goal   = layout.NewField[[2]float32]("goal")    // where it drives to
	armour = layout.NewField("armour", uint8(hits)) // hits until it breaks
	hull   = layout.NewKind("hull", goal, armour)

	target = layout.NewField[uint64]("target")   // serial number of a hull; 0: none
	spot   = layout.NewField[[2]float32]("spot") // where that is
	aimed  = layout.NewField[uint8]("aimed")     // 1: the turret points to its target
	turret = layout.NewKind("turret", target, spot, aimed)

	loading = layout.NewComponent[uint8]("loading") // of a gun, until it can fire

	velocity = layout.NewField[[2]float32]("velocity")   // a tick
	spin     = layout.NewField("spin", [2]float32{1, 0}) // rotation of a tick
	drag     = layout.NewField[float32]("drag", 1)       // part of the velocity left in a tick
	motion   = layout.NewKind("motion", velocity, spin, drag)

	left = layout.NewComponent[uint16]("left") // until it is disposed
	side = layout.NewComponent[uint8]("side")  // for whom it fights

	tank  = layout.NewMark("tank")  // a hull, or a ghost of one
	shell = layout.NewMark("shell") // or a ghost of one
)

// What objects are made of.
var (
	hulls = world.NewRecipe("hull", world.Position, pose.Local2, pose.Global2, serial, side, hull,
		tank)
	turrets = world.NewRecipe("turret", family.ChildOf, pose.Local2, pose.Global2, serial, side,
		turret).With(pose.Local2.Value(pose.At2(-1.5, 0)))
	guns = world.NewRecipe("gun", family.ChildOf, pose.Local2, pose.Global2, serial, side,
		loading)
	shells = world.NewRecipe("shell", world.Position, pose.Local2, pose.Global2, serial, side,
		motion, left, shell).With(left.Value(flight))
	blasts = world.NewRecipe("blast", world.Position, pose.Local2, pose.Global2, serial, left)
)

// Queries. Ghosts have none of the kinds that jobs write.
var (
	tanks    = world.NewQuery(world.Read(world.Position), world.With(tank))
	flights  = world.NewQuery(world.Read(world.Position), world.With(shell))
	spotting = world.NewQuery(world.Write(target, spot), world.Read(pose.Global2, side))
	bearing  = world.NewQuery(world.Write(armour), world.Read(world.Position, side, serial))
	striking = world.NewQuery(
		world.Write(left), world.Read(world.Position, side, serial), world.With(shell))
	leaving = world.NewQuery(
		world.Read(pose.Global2, family.ChildOf, serial), world.With(turret))
	driving = world.NewQuery(world.Write(pose.Local2, goal), world.Read(serial))
	aiming  = world.NewQuery(
		world.Write(pose.Local2, aimed), world.Read(pose.Global2, target, spot))
	firing = world.NewQuery(world.Write(pose.Local2, loading),
		world.Read(pose.Global2, family.ChildOf, side, serial))
	flying     = world.NewQuery(world.Write(pose.Local2, velocity), world.Read(spin, drag))
	fading     = world.NewQuery(world.Write(left))
	numberless = world.NewQuery(world.Read(serial), world.Without(pack.Global, shard.Ghost))
	placing    = world.NewQuery(world.Write(world.Position), world.Read(pose.Global2))
)

// Seen lists what shards show each other, of hulls and shells.
var Seen = []layout.AnyKind{world.Position, serial, side, tank, shell}

// A Scene is a battle of a size.
type Scene struct {
	Tanks int
	Seed  uint64
}

// Wide returns the length of the field along x, in world units; a quarter of it is its height.
func (c Scene) Wide() float32 { return float32(math.Ceil(math.Sqrt(float64(c.Tanks)) * 120)) }

func (c Scene) high() float32 { return c.Wide() / 4 }

// Counts returns the room of a shard. It is enough for all tanks: what is not used costs nothing.
func (c Scene) Counts() world.Counts {
	n := room*c.Tanks + 1024
	return world.Counts{
		GameObjects: n, Globals: n, Commands: n / room, Seed: c.Seed,
		Kinds: layout.Kinds(world.Position, pose.Local2, pose.Global2, family.ChildOf, serial, hull,
			turret, loading, motion, left, side, tank, shell, shard.Ghost),
		Recipes: []world.Recipe{hulls, turrets, guns, shells, blasts},
	}
}

// A battle is what the jobs of one world know beside it.
type battle struct {
	Scene
	hulls, shells *space.Cells[[3]float32]
}

// Schedule returns what happens in a tick. It belongs to one world.
func (c Scene) Schedule(workers int) (*schedule.Schedule, error) {
	f := &battle{Scene: c}
	jobs := []schedule.Job{
		{Name: "Cells", Do: f.build},
		{Name: "Spot", Run: f.spot, Queries: []world.Query{spotting}},
		{Name: "Hit", Run: f.hit, Queries: []world.Query{bearing}},
		{Name: "Strike", Run: f.strike, Queries: []world.Query{striking}},
		{Name: "Leave", Run: leave, Queries: []world.Query{leaving}},
		{Name: "Drive", Run: f.drive, Queries: []world.Query{driving}},
		{Name: "Aim", Run: aim, Queries: []world.Query{aiming}},
		{Name: "Fire", Run: fire, Queries: []world.Query{firing}},
		{Name: "Fly", Run: fly, Queries: []world.Query{flying}},
		{Name: "Fade", Run: fade, Queries: []world.Query{fading}},
		{Name: "Apply", Do: world.Apply},
		{Name: "Number", Do: number},
		{Name: "Place", Do: place},
	}
	all := schedule.Group{Name: "all"}
	for i := range jobs {
		jobs[i].Split, jobs[i].Part = jobs[i].Run != nil, 8
		all.Elements = append(all.Elements, jobs[i].Name)
	}
	s := schedule.New(workers)
	err := s.Register(schedule.Pipeline{
		Name: Pipeline, Groups: []schedule.Group{all}, Jobs: jobs,
	})
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// build puts hulls and shells into cells, ghosts among them.
func (f *battle) build(s world.State) (_ world.State, err error) {
	if f.hulls == nil {
		o := space.Options{
			Size: reach / 4, Axes: []string{"[0]", "[1]"}, Query: tanks,
			Low: []float64{0, 0}, High: []float64{float64(f.Wide()), float64(f.high())},
		}
		if f.hulls, err = space.NewCells(s, world.Position, o); err != nil {
			return s, err
		}
		o.Query = flights
		if f.shells, err = space.NewCells(s, world.Position, o); err != nil {
			return s, err
		}
	}
	return f.shells.Build(f.hulls.Build(s, nil), nil), nil
}

// number makes the serial numbers of new objects their global ids.
func number(s world.State) (world.State, error) {
	type fresh struct {
		id     world.GameObject
		number uint64
	}
	var all []fresh
	for b := range numberless.In(s) {
		for i, n := range world.Column(b, serial) {
			all = append(all, fresh{b.ID(i), n})
		}
	}
	var err error
	for _, f := range all {
		if s, err = pack.SetGlobal(s, f.id, f.number); err != nil {
			return s, err
		}
	}
	return s, nil
}

// place places everything: children go where their parents are.
func place(s world.State) (world.State, error) {
	s = pose.Update2(s)
	for b := range placing.In(s) {
		p := world.Column(b, world.Position)
		for i, at := range world.Column(b, pose.Global2) {
			p[i] = solid(at.Position)
		}
	}
	return s, nil
}
