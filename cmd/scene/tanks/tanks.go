// Package tanks is a scene of tanks that shoot each other. A tank is a tree of objects; each object
// follows its parent:
//
//	hull ◀─ childOf ─ turret ◀─ childOf ─ gun
//	                     │                gun
//	                     └── target ──▶ a hull of another side
//
// A turret aims by reference: its target is a relation that is cleared when the target is disposed.
// A hull looks for shells in the cells around it. When it breaks, it is disposed; its turret leaves
// it, flies off, and burns out. Then the turret is disposed, and with it, by the policy of childOf,
// its guns.
//
//	Cells → Spot → Hit → Leave → Drive → Aim → Fire → Fly → Fade → Reinforce → Apply → Place
package tanks

import (
	"math"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/space"
)

// The kinds. Lengths are in world units, times in steps.
var (
	goal   = layout.NewField[[2]float32]("goal")    // destination
	armour = layout.NewField("armour", uint8(hits)) // hits until it breaks
	Hull   = layout.NewKind("hull", goal, armour)

	aimed  = layout.NewField[uint8]("aimed") // 1: the turret points to its target
	Target = layout.NewRelation("target", layout.Relation{
		Disposed: layout.Clear, Fields: []layout.AnyField{aimed},
	})

	loading = layout.NewField[uint8]("loading") // until it can fire
	Gun     = layout.NewKind("gun", loading)

	velocity = layout.NewField[[2]float32]("velocity")          // per step
	spin     = layout.NewField("spin", pose.Identity2.Rotation) // per step
	drag     = layout.NewField[float32]("drag", 1)              // of the velocity, per step
	Motion   = layout.NewKind("motion", velocity, spin, drag)

	left   = layout.NewField[float32]("left") // until disposal
	Fading = layout.NewKind("fading", left)

	side  = layout.NewField[uint8]("side") // for whom it fights
	part  = layout.NewField[uint8]("part") // index of the picture
	Looks = layout.NewKind("looks", side, part)

	Shell = layout.NewMark("shell")

	wide  = layout.NewField[float32]("wide") // from the corner at 0, 0; high: two thirds
	field = world.NewResource("field", wide)
)

// Queries, one for each job. Hulls and shells have world positions for the queries that search
// them.
var (
	hulls    = world.NewQuery(world.Read(heroes.Position, side), world.With(Hull))
	shells   = world.NewQuery(world.Read(heroes.Position), world.With(Shell))
	spotting = world.NewQuery(world.Read(pose.Global2, Target, side))
	bearing  = world.NewQuery(world.Write(armour), world.Read(heroes.Position, side))
	leaving  = world.NewQuery(world.Read(pose.Global2, family.ChildOf), world.With(Target))
	driving  = world.NewQuery(world.Write(pose.Local2, goal))
	aiming   = world.NewQuery(world.Write(pose.Local2, aimed), world.Read(pose.Global2, Target))
	firing   = world.NewQuery(world.Write(pose.Local2, loading),
		world.Read(pose.Global2, family.ChildOf, side))
	flying  = world.NewQuery(world.Write(pose.Local2, velocity), world.Read(spin, drag))
	fading  = world.NewQuery(world.Write(left))
	placing = world.NewQuery(world.Write(heroes.Position), world.Read(pose.Global2))
	drawn   = world.NewQuery(world.Read(pose.Global2, side, part), world.Optional(left))
)

// Variants of the battle, by the number of sides.
const (
	Two  = "two"
	Four = "four"
)

// Scene is the battle.
var Scene = &scene.Scene{
	Name:      "tanks",
	About:     "Tanks drive, aim and shoot; after three hits a tank falls apart.",
	Behaviour: 3,
	Defaults:  scene.Options{Count: 60, Seed: 1},
	Variants: []scene.Variant{
		{Name: Two, About: "two sides"},
		{Name: Four, About: "four sides"},
	},
	Make: open,
	Look: Look,
	Draw: draw,

	DrawGizmos: drawTargets,
	Called:     called,
}

// A battle is the systems' data outside of the world.
type battle struct {
	hulls, shells *space.Cells[[3]float32]
	workers       *systems.Workers
	trees         [most]family.Tree // tanks of each side
	tanks, sides  int
	wide, high    float32 // of the field, world units
}

const (
	most = 4 // sides

	// Room for objects, per tank: four of its own, two shells and a blast, and wrecks and blasts of
	// earlier tanks. Tanks are replaced while half of the room is free.
	room = 20
)

// open creates the world and the jobs of a step.
func open(o scene.Options) (world.State, []schedule.Job, error) {
	f := &battle{workers: o.Crew, tanks: o.Count, sides: 2}
	if o.Variant == Four {
		f.sides = most
	}
	unit := float32(math.Sqrt(float64(max(o.Count, 10)) * 600))
	f.wide, f.high = 3*unit, 2*unit // 3,600 world units² per tank
	s, err := world.CreateState(world.Counts{
		GameObjects: room*o.Count + 1,
		Kinds: layout.Kinds(heroes.Position, pose.Local2, pose.Global2, family.ChildOf, Target,
			Hull, Gun, Motion, Fading, Looks, Shell),
		Recipes:   []world.Recipe{hull, turret, gun, shell, blast},
		Resources: []world.ResourceKind{field},
		Commands:  room * o.Count,
		Seed:      o.Seed,
		Random:    true,
	})
	if err != nil {
		return s, nil, err
	}
	s = world.SetResource(s, wide, f.wide)
	if s, err = f.create(s); err != nil {
		return s, nil, err
	}
	cells := space.Options{
		Size: reach / 4,
		Axes: []string{"[0]", "[1]"},
		Low:  []float64{0, 0}, High: []float64{float64(f.wide), float64(f.high)},
		Query: hulls,
		Parts: min(o.Workers, 16),
	}
	if f.hulls, err = space.NewCells(s, heroes.Position, cells); err == nil {
		cells.Query = shells
		f.shells, err = space.NewCells(s, heroes.Position, cells)
	}
	return s, f.jobs(), err
}

// jobs returns the jobs of a step. The cells are built at the beginning, so that a step depends
// only on the world.
func (f *battle) jobs() []schedule.Job {
	jobs := []schedule.Job{
		{Name: "Cells", Do: func(s world.State) (world.State, error) {
			return f.shells.Build(f.hulls.Build(s, f.workers), f.workers), nil
		}},
		{Name: "Spot", Run: f.spot},
		{Name: "Hit", Run: f.hit},
		{Name: "Leave", Run: leave},
		{Name: "Drive", Run: f.drive},
		{Name: "Aim", Run: aim},
		{Name: "Fire", Run: fire},
		{Name: "Fly", Run: fly},
		{Name: "Fade", Run: fade},
		{Name: "Reinforce", Do: f.reinforce},
		{Name: "Apply", Do: world.Apply},
		{Name: "Place", Do: place},
	}
	for i, q := range []world.Query{
		1: spotting, bearing, leaving, driving, aiming, firing, flying, fading,
	} {
		if j := &jobs[i]; j.Run != nil {
			j.Queries, j.Split, j.Part = []world.Query{q}, true, 8
		}
	}
	return jobs
}
