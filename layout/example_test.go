package layout_test

import (
	"fmt"

	"github.com/x448/float16"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
)

// A program declares its kinds once, in package-level variables.
func Example() {
	type Vec2 struct{ X, Y float32 }
	type Item struct{ What, Count uint32 }
	var (
		position = layout.NewComponent[Vec2]("position")    // a kind of one field
		health   = layout.NewField[uint16]("health", 100)   // its default
		lean     = layout.NewField[float16.Float16]("lean") // half precision
		body     = layout.NewKind("body", health, lean)
		asleep   = layout.NewMark("asleep")
		bag      = layout.NewList[Item]("bag")
		title    = layout.NewText("title")
		knight   = world.NewRecipe("knight", position, body, bag, title)
	)
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 100, Recipes: []world.Recipe{knight},
		Kinds: layout.Kinds(position, body, asleep, bag.Count(100, 500), title),
	}))
	s, id := world.Must2(world.Spawn(s, knight, position.Value(Vec2{X: 3}), health.Value(90),
		bag.Value(Item{What: 7, Count: 2}), title.Value("Sir Rowan")))
	fmt.Println(world.Must(list.Text(s, id, title)), world.Has(s, id, asleep))
	fmt.Println(world.Must(world.Get(s, id, position)), world.Must(world.Get(s, id, health)))
	fmt.Println(world.Must(list.Of(s, id, bag)))
	// Output:
	// Sir Rowan false
	// {3 0} 90
	// [{7 2}]
}
