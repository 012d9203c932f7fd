package pose_test

import (
	"fmt"
	"math"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
)

var part = world.NewRecipe("part", family.ChildOf, pose.Local2, pose.Global2)

// A turret sits on a tank, and its muzzle is ahead of it.
func Example() {
	s := world.Must(world.CreateState(world.Counts{
		Kinds:   layout.Kinds(family.ChildOf, pose.Local2, pose.Global2),
		Recipes: []world.Recipe{part},
		Queries: []world.Query{pose.Placing2},
	}))
	defer func() { world.Close(s) }()

	onTop := pose.At2(0, 2)
	onTop.Rotation = pose.Turn2(math.Pi / 2)
	var ids []world.GameObject
	for _, local := range []pose.Pose2{pose.At2(10, 0), onTop, pose.At2(3, 0)} {
		var id world.GameObject
		var err error
		if s, id, err = world.Spawn(s, part); err != nil {
			panic(err)
		}
		s = world.Must(world.Set(s, id, pose.Local2, local))
		if len(ids) > 0 {
			s = world.Must(world.Set(s, id, family.ChildOf, ids[len(ids)-1]))
		}
		ids = append(ids, id)
	}
	tank, turret, muzzle := ids[0], ids[1], ids[2]
	where := func(id world.GameObject) [2]float32 {
		return world.Must(world.Get(s, id, pose.Global2)).Position()
	}

	s = pose.Update2(s)
	fmt.Println("turret", where(turret), "muzzle", where(muzzle))

	s = world.Must(world.Set(s, tank, pose.Local2, pose.At2(20, 0)))
	s = pose.Update2(s)
	fmt.Println("turret", where(turret), "muzzle", where(muzzle))

	// The turret comes off, and stays where it is when the tank drives on.
	s = world.Must(pose.Reparent2(s, turret, 0))
	s = world.Must(world.Set(s, tank, pose.Local2, pose.At2(30, 0)))
	s = pose.Update2(s)
	fmt.Println("turret", where(turret), "muzzle", where(muzzle))

	// Output:
	// turret [10 2] muzzle [10 5]
	// turret [20 2] muzzle [20 5]
	// turret [20 2] muzzle [20 5]
}
