package save_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/save"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func Example() {
	folder, err := os.MkdirTemp("", "flatecs")
	check(err)
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "game.flat")

	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(100))})
	check(err)
	state, hero, err := world.Create(state)
	check(err)
	state, position, err := world.Ensure(state, hero, heroes.Position)
	check(err)
	state = world.SetRow(state, heroes.Position, position, [3]float32{1, 2, 3})

	check(save.Save(path, state, save.Options{}))

	counts := world.Counts{Kinds: layout.Kinds(heroes.Position.Count(5_000))} // more room
	later, report, err := save.Load(path, counts, save.Options{})
	check(err)
	fmt.Println("tick", report.Tick, world.Alive(later, hero), world.Equal(state, later))

	file, err := save.Open(path) // no column is copied
	check(err)
	positions, err := save.FileColumn(file, heroes.Position)
	check(err)
	fmt.Println(positions)
	check(file.Close())
	// Output:
	// tick 1 true false
	// [[1 2 3]]
}

func ExampleNewSaver() {
	folder, err := os.MkdirTemp("", "flatecs")
	check(err)
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "game.flat")
	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(100))})
	check(err)

	saver, err := save.NewSaver(path, state, save.Options{})
	check(err)
	for frame := range 600 {
		state = world.Advance(state)
		if frame%60 != 0 {
			continue
		}
		if err := saver.Offer(state); !errors.Is(err, save.ErrLate) { // a late one is left out
			check(err)
		}
	}
	check(saver.Close())
	n := saver.Counts()
	fmt.Println(n.Saved+n.Late, "of 10")
	// Output:
	// 10 of 10
}

// Today's kinds. When the file was saved, mist was called "fog", and a cloud had a "speed", one
// number, and a "shade".
var (
	wind  = layout.NewField[[2]float32]("wind")
	cloud = layout.NewKind("cloud", wind)
	mist  = layout.NewMark("mist")
)

func ExampleMigrate() {
	speed, shade := layout.NewField[uint16]("speed"), layout.NewField[uint8]("shade")
	former, fog := layout.NewKind("cloud", speed, shade), layout.NewMark("fog")
	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(former, fog)})
	check(err)
	state, id, err := world.CreateWith(state, former, fog)
	check(err)
	state, err = world.Set(state, id, speed, 7)
	check(err)
	folder, err := os.MkdirTemp("", "flatecs")
	check(err)
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "cloud.flat")
	check(save.Save(path, state, save.Options{}))

	counts := world.Counts{Kinds: layout.Kinds(cloud, mist)}
	options := save.Options{Migrations: []save.Migration{
		save.Migrate("cloud.speed", wind, func(speed uint16) [2]float32 {
			return [2]float32{float32(speed), 0}
		}),
		save.MigrateKind("fog", mist), // renamed
		save.Drop("cloud.shade"),      // not needed any more
	}}
	state, report, err := save.Load(path, counts, options)
	check(err)
	winds, err := world.Get(state, id, wind)
	check(err)
	fmt.Println(report.Migrated, report.Dropped, winds, world.Has(state, id, mist))
	// Output:
	// [cloud.speed → cloud.wind fog → mist] [cloud.shade] [7 0] true
}

// A program that recovers from a panic saves the world, and goes on.
func ExampleSave_recovered() {
	folder, err := os.MkdirTemp("", "flatecs")
	check(err)
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "crash.flat")

	state, err := world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(100))})
	check(err)
	Step := func(s world.State) world.State {
		if s = world.Advance(s); world.Tick(s) == 2 {
			panic("a bug")
		}
		return s
	}
	func() {
		defer func() {
			if fault := recover(); fault != nil {
				var err error
				if state, err = world.Recovered(state); err == nil {
					err = save.Save(path, state, save.Options{})
				}
				fmt.Println(fault, err)
			}
		}()
		state = Step(state)
	}()
	saved, _, err := save.Load(path, world.CountsOf(state), save.Options{})
	check(err)
	fmt.Println("tick", world.Tick(saved))
	world.Close(saved)
	world.Close(state)
	// Output:
	// a bug <nil>
	// tick 2
}
