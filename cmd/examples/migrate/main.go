// Command migrate saves a world, and loads the bytes in a later version of the program: a field
// is new, one is renamed, one has another type, one is gone, and a kind is renamed.
//
//	go run ./cmd/examples/migrate
package main

import (
	"bytes"
	"errors"
	"fmt"

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
func saveVersion1() []byte {
	state := world.Must(world.CreateState(world.Counts{
		Kinds: layout.Kinds(boat1, load1), Recipes: []world.Recipe{fleet1},
	}))
	defer func() { world.Close(state) }()
	for n := range uint16(3) {
		var id world.GameObject
		state, id = world.Must2(world.Spawn(state, fleet1, speed1.Value(10*n),
			course1.Value(float32(n)/2)))
		if n == 2 {
			state = world.Must(world.Add(state, id, load1))
		}
	}
	var file bytes.Buffer
	err := save.Write(&file, state, save.Options{}) // save.Save writes a file on the disk
	if err != nil {
		panic(err)
	}
	return file.Bytes()
}

// loadVersion2 is what the program does now.
func loadVersion2(file []byte) world.State {
	counts := world.Counts{Kinds: layout.Kinds(Boat, Cargo), Recipes: []world.Recipe{Fleet}}
	reader, size := bytes.NewReader(file), int64(len(file))
	_, _, err := save.Read(reader, size, counts, save.Options{})
	fmt.Println("refused without migrations:", errors.Is(err, save.ErrMigration))
	state, report := world.Must2(
		save.Read(reader, size, counts, save.Options{Migrations: migrations}))
	fmt.Println("migrated:", report.Migrated)
	fmt.Println("new:", report.New, "dropped:", report.Dropped)
	return state
}

func main() {
	state := loadVersion2(saveVersion1())
	defer func() { world.Close(state) }()

	for id := range world.NewQuery(world.With(Boat)).Objects(state) {
		speed := world.Must(world.Get(state, id, Speed))
		heading := world.Must(world.Get(state, id, Heading))
		crew := world.Must(world.Get(state, id, Crew))
		fmt.Printf("boat %s: speed %g, heading %g, crew %d, cargo: %v\n", id, speed, heading, crew,
			world.Has(state, id, Cargo))
	}
}
