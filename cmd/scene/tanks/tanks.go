// Package tanks is a scene of tanks that shoot each other. A tank is a tree of objects, each of
// which goes where its parent goes:
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
	"github.com/flatecs/flatecs/world/pose"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/space"
)

// The kinds. Lengths are in world units, times in steps.
var (
	goal   = layout.NewField[[2]float32]("goal")    // where it drives to
	armour = layout.NewField("armour", uint8(hits)) // hits until it breaks
	Hull   = layout.NewKind("hull", goal, armour)

	aimed  = layout.NewField[uint8]("aimed") // 1: the turret points to its target
	Target = layout.NewRelation("target", layout.Relation{
		Disposed: layout.Clear, Fields: []layout.AnyField{aimed},
	})

	loading = layout.NewField[uint8]("loading") // until it can fire
	Gun     = layout.NewKind("gun", loading)

	velocity = layout.NewField[[2]float32]("velocity") // a step
	spin     = layout.NewField("spin", pose.Rotation2{1, 0})
	drag     = layout.NewField[float32]("drag", 1) // part of the velocity that is left in a step
	Motion   = layout.NewKind("motion", velocity, spin, drag)

	left   = layout.NewField[uint16]("left") // until it is disposed
	Fading = layout.NewKind("fading", left)

	side  = layout.NewField[uint8]("side") // for whom it fights
	part  = layout.NewField[uint8]("part") // which picture
	Looks = layout.NewKind("looks", side, part)

	Shell = layout.NewMark("shell")

	size  = layout.NewField[[2]float32]("size") // from the corner at 0, 0
	field = world.NewResource("field", size)
)

// Queries, one for each job.
var (
	hulls    = world.NewQuery(world.Read(pose.Global2), world.With(Hull))
	shells   = world.NewQuery(world.Read(pose.Global2), world.With(Shell))
	spotting = world.NewQuery(world.Read(pose.Global2, Target, side))
	bearing  = world.NewQuery(world.Write(armour), world.Read(pose.Global2, side))
	leaving  = world.NewQuery(world.Read(pose.Global2, family.ChildOf), world.With(Target))
	driving  = world.NewQuery(world.Write(pose.Local2, goal), world.With(Hull))
	aiming   = world.NewQuery(world.Write(pose.Local2, aimed), world.Read(pose.Global2, Target))
	firing   = world.NewQuery(world.Write(pose.Local2, loading),
		world.Read(pose.Global2, family.ChildOf, side))
	flying  = world.NewQuery(world.Write(pose.Local2, velocity), world.Read(spin, drag))
	fading  = world.NewQuery(world.Write(left))
	counted = world.NewQuery(world.Read(side), world.With(Hull))
	drawn   = world.NewQuery(world.Read(pose.Global2, side, part), world.Optional(left))
)

// Variants of the battle: how many sides there are.
const (
	Two  = "two"
	Four = "four"
)

// Scene is the battle.
var Scene = &scene.Scene{
	Name:      "tanks",
	About:     "Tanks drive, aim and shoot; those that are hit three times fall apart.",
	Behaviour: 1,
	Defaults:  scene.Options{Count: 60, Seed: 1},
	Variants: []scene.Variant{
		{Name: Two, About: "two sides"},
		{Name: Four, About: "four sides"},
	},
	Make: open,
	Look: look,
	Draw: draw,

	DrawGizmos: drawTargets,
}

// A battle is what the systems know of it beside the world.
type battle struct {
	hulls, shells *space.Cells[pose.Pose2]
	workers       *systems.Workers
	tanks, sides  int
	size          [2]float32 // of the field, world units
}

// Room for objects, per tank: four of its own, two shells and a blast, and wrecks and blasts of
// tanks before it. Tanks are replaced when half of it is left.
const room = 20

// open makes the world and the jobs of a step.
func open(o scene.Options) (world.State, []schedule.Job, error) {
	f := &battle{workers: o.Crew, tanks: o.Count, sides: 2, size: sizeFor(o.Count)}
	if o.Variant == Four {
		f.sides = 4
	}
	s, err := world.CreateState(world.Counts{
		GameObjects: room*o.Count + 1,
		Kinds: layout.Kinds(pose.Local2, pose.Global2, family.ChildOf, Target,
			Hull, Gun, Motion, Fading, Looks, Shell),
		Recipes:   []world.Recipe{hull, turret, gun, shell, blast},
		Resources: []world.ResourceKind{field},
		Commands:  room * o.Count,
		Seed:      o.Seed,
	})
	if err != nil {
		return s, nil, err
	}
	s = world.SetResource(s, size, f.size)
	if s, err = f.create(s); err != nil {
		return s, nil, err
	}
	if f.hulls, err = f.cells(s, hulls, o.Workers); err != nil {
		return s, nil, err
	}
	f.shells, err = f.cells(s, shells, o.Workers)
	return s, f.jobs(), err
}

// sizeFor returns the size of a field for so many tanks.
func sizeFor(tanks int) [2]float32 {
	const room = 600 // world units², a sixth of what there is for each
	edge := float32(math.Sqrt(float64(max(tanks, 10)) * room))
	return [2]float32{3 * edge, 2 * edge}
}

// cells returns cells for the objects of a query, with their sides.
func (f *battle) cells(s world.State, q world.Query, workers int) (*space.Cells[pose.Pose2], error) {
	return space.NewCells(s, pose.Global2, space.Options{
		Size: reach / 4,
		Axes: []string{"Position[0]", "Position[1]"},
		Low:  []float64{0, 0}, High: []float64{float64(f.size[0]), float64(f.size[1])},
		Query: q,
		Carry: []space.Carried{space.Carry(side)},
		Parts: min(workers, 16),
	})
}

// jobs returns the jobs of a step. The cells are built at its beginning, so that a step needs
// nothing but the world.
func (f *battle) jobs() []schedule.Job {
	each := func(name string, run func(world.State) world.State, q world.Query) schedule.Job {
		return schedule.Job{
			Name: name, Run: run, Queries: []world.Query{q}, Split: true, Part: 32,
		}
	}
	return []schedule.Job{
		{Name: "Cells", Do: f.build},
		each("Spot", f.spot, spotting),
		each("Hit", f.hit, bearing),
		each("Leave", leave, leaving),
		each("Drive", f.drive, driving),
		each("Aim", aim, aiming),
		each("Fire", fire, firing),
		{Name: "Fly", Run: fly, Queries: []world.Query{flying}, Local: true},
		{Name: "Fade", Run: fade, Queries: []world.Query{fading}, Local: true},
		{Name: "Reinforce", Do: f.reinforce},
		{Name: "Apply", Do: world.Apply},
		{Name: "Place", Do: place},
	}
}
