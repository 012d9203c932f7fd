// Command mods reads components, recipes and trees from files at its start, and more of them later.
//
//	go run ./cmd/examples/mods
package main

import (
	"embed"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

//go:embed ships.json rust.json
var mods embed.FS

// Health is a kind that the program knows: it has a type.
var Health = layout.NewComponent("health", int32(100))

func main() {
	var kinds Kinds
	check(kinds.Read(mods, "ships.json"))
	counts := kinds.Counts(family.ChildOf, Health)
	state := world.Must(world.CreateState(counts))
	defer func() { world.Close(state) }()
	fleet := world.Must(kinds.Trees(counts))
	state, ship := world.Must2(family.Spawn(state, fleet["sloop"]))
	state = world.Must(world.Set(state, ship, Health, 80))         // by type
	state = world.Must(tool.Set(state, ship, "hull.planks", "31")) // by name
	show(state, ship, "health", "hull.planks")
	for gun := range family.Children(state, family.ChildOf, ship) {
		show(state, gun, "gun")
	}

	check(kinds.Read(mods, "rust.json")) // a mod that is added while the program runs
	counts = kinds.Counts(family.ChildOf, Health)
	next := world.Must(world.Resized(state, counts)) // the same objects, and room for more kinds
	world.Close(state)
	state = next
	fleet = world.Must(kinds.Trees(counts))
	state = world.Must(world.Add(state, ship, kinds.Named("rust")))
	state, wreck := world.Must2(family.Spawn(state, fleet["wreck"]))
	show(state, ship, "health", "hull.planks", "rust.depth")
	show(state, wreck, "hull.planks", "rust.depth", "rust.spots")
}

// show prints fields of an object, by their names.
func show(s world.State, id world.GameObject, fields ...string) {
	fmt.Print("object ", id)
	for _, field := range fields {
		fmt.Print(", ", field, " ", world.Must(tool.Get(s, id, field)))
	}
	fmt.Println()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
