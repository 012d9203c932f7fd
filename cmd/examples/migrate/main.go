// Command migrate saves a world, and loads the file in a later version of the program, which has
// room for more, a field of another name and type, and a new kind.
//
//	go run ./cmd/examples/migrate
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// Version 1: a boat has a speed, a whole number.
var (
	speed1 = layout.NewField[uint16]("speed") // metres per second
	boat1  = layout.NewKind("boat", speed1)
)

// Version 2: a boat has a velocity in two directions instead, and may have a cargo.
var (
	Velocity = layout.NewField[[2]float32]("velocity") // metres per second; east, north
	Boat     = layout.NewKind("boat", Velocity)
	Cargo    = layout.NewComponent[uint32]("cargo") // kilograms
)

// migration says what becomes of a field of a file that has no namesake any more.
var migration = save.Migrate("boat.speed", Velocity, func(speed uint16) [2]float32 {
	return [2]float32{float32(speed), 0} // they all went east
})

// saveVersion1 is what the program did before: it saves three boats.
func saveVersion1(path string) error {
	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(boat1.Count(3))})
	if err != nil {
		return err
	}
	defer func() { world.Close(state) }()
	for n := range uint16(3) {
		var id world.GameObject
		if state, id, err = world.CreateWith(state, boat1); err != nil {
			return err
		}
		if state, err = world.Set(state, id, speed1, 10*n); err != nil {
			return err
		}
	}
	return save.Save(path, state, save.Options{}) // replaces the file as a whole, or not at all
}

// loadVersion2 is what the program does now. Counts say what this world has room for.
func loadVersion2(path string) (world.State, error) {
	counts := world.Counts{Kinds: layout.Kinds(Boat.Count(1_000), Cargo.Count(1_000))}
	state, report, err := save.Load(path, counts, save.Options{
		Migrations: []save.Migration{migration},
	})
	if err != nil {
		return state, err
	}
	fmt.Println("migrated:", report.Migrated)
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

	boats := world.NewQuery(world.Read(Velocity))
	for id := range boats.Objects(state) {
		velocity, err := world.Get(state, id, Velocity)
		check(err)
		loaded := world.Has(state, id, Cargo.Kind())
		fmt.Println("boat", id, "goes", velocity, "and has cargo:", loaded)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
