package world_test

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// Components of a bird that flaps and of a floor.
var (
	liteXY       = layout.NewField[[2]float32]("xy")    // pixels; x, y
	liteVxVyG    = layout.NewField[[3]float32]("vxvyg") // pixels per frame; vx, vy, and g per frame
	liteZ        = layout.NewField[int32]("z-index")
	litePosition = layout.NewKind("Position", liteXY)
	liteVelocity = layout.NewKind("Velocity", liteVxVyG)
	liteRender   = layout.NewKind("Render", liteZ)

	// world.view(Position, Velocity)
	liteMoving = world.NewQuery(world.Write(litePosition, liteVelocity))
)

// LiteVelocity is the velocity system's update.
func LiteVelocity(s world.State) world.State {
	for b := range liteMoving.In(s) {
		p, v := world.Column(b, liteXY), world.Column(b, liteVxVyG)
		for i := range p {
			v[i][1] += v[i][2]
			p[i][0] += v[i][0]
			p[i][1] += v[i][1]
		}
	}
	return s
}

// Where the words of a small ECS went: entities with their components, three indexes, view.
func Example_ecsLite() {
	w, err := world.CreateState(world.Counts{Kinds: []layout.Count{
		litePosition.Count(100), liteVelocity.Count(100), liteRender.Count(100),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	// world.addEntity(new Entity('floor', new Position(0, 90), new Render(1)))
	w, floor, _ := world.CreateWith(w, litePosition, liteRender)
	w, _ = world.Set(w, floor, liteXY, [2]float32{0, 90})
	w, bird, _ := world.CreateWith(w, litePosition, liteRender)

	// entity.addComponent(new Velocity(2, -8, 1)); another would be an error
	w, _ = world.Add(w, bird, liteVelocity)
	w, _ = world.Set(w, bird, liteVxVyG, [3]float32{2, -8, 1})
	_, err = world.Add(w, bird, liteVelocity)
	fmt.Println("a second one:", errors.Is(err, world.ErrTwice))

	for range 3 { // the loop, and the systems in their order
		w = LiteVelocity(w)
	}
	for b := range liteMoving.In(w) { // view: entities and their components
		p := world.Column(b, liteXY)
		for i := range p {
			fmt.Println("entity", b.ID(i), "is at", p[i])
		}
	}
	components, _ := tool.KindsOf(w, floor)
	fmt.Println("the floor has", components)
	// Output:
	// a second one: true
	// entity 1 is at [6 -18]
	// the floor has [Position Render]
}
