// Command migrate saves a world, and loads the file in a later version of the program, in which a
// field is new, one is renamed, one has another type, one is gone, and a kind is renamed.
//
//	go run ./cmd/examples/migrate
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// Version 1: a boat has a speed, a course and a paint, and may have a load.
var (
	speed1  = layout.NewField[uint16]("speed")   // metres per second
	course1 = layout.NewField[float32]("course") // radians
	paint1  = layout.NewField[uint8]("paint")
	boat1   = layout.NewKind("boat", speed1, course1, paint1)
	load1   = layout.NewComponent[uint32]("load") // kilograms
	fleet1  = world.NewRecipe("boat", boat1)
)

// Version 2: the speed is a fraction, the course is called heading, nobody paints, there is a crew,
// and a load is called cargo.
var (
	Speed   = layout.NewField[float32]("speed")   // metres per second
	Heading = layout.NewField[float32]("heading") // radians
	Crew    = layout.NewField[uint8]("crew", 2)   // new: each boat of a file has 2
	Boat    = layout.NewKind("boat", Speed, Heading, Crew)
	Cargo   = layout.NewComponent[uint32]("cargo") // kilograms
	Fleet   = world.NewRecipe("boat", Boat)
)

// migrations say what becomes of what has no namesake any more. Without them the file is refused,
// with the names, except for loads: kinds that the program lacks are kept.
var migrations = []save.Migration{
	save.Migrate("boat.speed", Speed, func(speed uint16) float32 { return float32(speed) }),
	save.Migrate("boat.course", Heading, func(course float32) float32 { return course }),
	save.Drop("boat.paint"),
	save.MigrateKind("load", Cargo),
}

// saveVersion1 is what the program did before: it saves three boats, one with a load.
func saveVersion1(path string) error {
	state, err := world.CreateState(world.Counts{
		Kinds: layout.Kinds(boat1, load1), Recipes: []world.Recipe{fleet1},
	})
	if err != nil {
		return err
	}
	defer func() { world.Close(state) }()
	var id world.GameObject
	for n := range uint16(3) {
		if state, id, err = world.Spawn(state, fleet1); err != nil {
			return err
		}
		if state, err = world.Set(state, id, speed1, 10*n); err != nil {
			return err
		}
		if state, err = world.Set(state, id, course1, float32(n)/2); err != nil {
			return err
		}
	}
	if state, _, err = world.Add(state, id, load1.Kind()); err != nil {
		return err
	}
	if state, err = world.Set(state, id, load1, 500); err != nil {
		return err
	}
	return save.Save(path, state, save.Options{}) // replaces the file as a whole, or not at all
}

// loadVersion2 is what the program does now.
func loadVersion2(path string) (world.State, error) {
	counts := world.Counts{Kinds: layout.Kinds(Boat, Cargo), Recipes: []world.Recipe{Fleet}}
	_, _, err := save.Load(path, counts, save.Options{})
	fmt.Println("refused without migrations:", errors.Is(err, save.ErrMigration))
	state, report, err := save.Load(path, counts, save.Options{Migrations: migrations})
	if err != nil {
		return state, err
	}
	fmt.Println("migrated:", report.Migrated)
	fmt.Println("new:", report.New, "dropped:", report.Dropped)
	return state, nil
}

func main() {
	folder, err := os.MkdirTemp("", "migrate")
	check(err)
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "boats.flat")

	check(saveVersion1(path))
	state, err := loadVersion2(path)
	check(err)
	defer func() { world.Close(state) }()

	boats := world.NewQuery(world.With(Boat))
	for id := range boats.Objects(state) {
		speed := world.Must(world.Get(state, id, Speed))
		heading := world.Must(world.Get(state, id, Heading))
		crew := world.Must(world.Get(state, id, Crew))
		fmt.Printf("boat %s: speed %g, heading %g, crew %d, cargo: %v\n", id, speed, heading, crew,
			world.Has(state, id, Cargo.Kind()))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
