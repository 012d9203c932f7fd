package main

import (
	"cmp"
	"fmt"
	"runtime"
	"time"

	"github.com/flatecs/flatecs/cmd/shard/crowd"
	"github.com/flatecs/flatecs/cmd/shard/tanks"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/loop"
	"github.com/flatecs/flatecs/world/shard"
)

// The scenes, and how large they are if nobody says.
const (
	theCrowd = "crowd"
	theTanks = "tanks"

	usualPeople = 100_000
	usualTanks  = 2_000
)

// sized returns the simulation with its scene and number of objects.
func (f simulation) sized() simulation {
	f.Scene = cmp.Or(f.Scene, theCrowd)
	switch {
	case f.Objects != 0:
	case f.Scene == theTanks:
		f.Objects = usualTanks
	default:
		f.Objects = usualPeople
	}
	return f
}

// options returns those of a shard, with a schedule to be closed.
func (f *simulation) options(i int) (o shard.Options, err error) {
	workers := max(1, min(f.Workers, runtime.NumCPU()))
	o = shard.Options{
		Shard: i, Partition: f.partition(), Position: world.Position,
		Every: f.Every, Charter: f.charter(),
	}
	if f.Scene == theTanks {
		scene := f.tanks()
		o.Name, o.Counts, o.Populate = theTanks, scene.Counts(), scene.Populate
		o.Pipeline, o.Radius, o.Seen = tanks.Pipeline, tanks.Radius, tanks.Seen
		o.MaxStep = tanks.MaxStep
		o.Schedule, err = scene.Schedule(workers)
	} else {
		scene := f.crowd()
		o.Name, o.Counts, o.Populate = theCrowd, scene.Counts(f.Shards), scene.Populate
		o.Pipeline, o.Radius, o.Seen = crowd.Pipeline, crowd.Radius, crowd.Seen
		o.MaxStep = scene.MaxStep()
		o.Schedule, err = scene.Schedule(workers)
	}
	if err == nil {
		o.Schedule.Clock = loop.Clock(time.Now) // for the inspector
	}
	return o, err
}

// charter returns the flags that decide what happens, in words.
func (f simulation) charter() []byte {
	f = f.sized()
	text := fmt.Sprintf("scene=%s objects=%d seed=%d", f.Scene, f.Objects, f.Seed)
	if f.Scene == theCrowd {
		text += fmt.Sprintf(" speed=%g", f.Speed)
	}
	return []byte(text)
}

func (f simulation) crowd() crowd.Scene {
	f = f.sized()
	return crowd.Scene{Objects: f.Objects, Seed: f.Seed, Speed: f.Speed}
}

func (f simulation) tanks() tanks.Scene {
	f = f.sized()
	return tanks.Scene{Tanks: f.Objects, Seed: f.Seed}
}

// wide returns how far the scene reaches along x, from 0, in world units.
func (f *simulation) wide() float32 {
	if f.Scene == theTanks {
		return f.tanks().Wide()
	}
	return f.crowd().Side()
}

// partition returns the regions that shards begin with.
func (f *simulation) partition() shard.Partition { return shard.Strips(f.Shards, 0, f.wide()) }
