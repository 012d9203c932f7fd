package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/flatecs/flatecs/cmd/shard/crowd"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/stage"
)

// theCrowd is the name of the simulation.
const theCrowd = "crowd"

// options returns the options of a shard. The caller closes the schedule.
func (f *simulation) options(i int) (shard.Options, error) {
	const most = 1024 // a process each
	if f.Shards < 1 || f.Shards > most || f.Objects < 1 {
		return shard.Options{}, fmt.Errorf("shard: --shards %d and --count %d; give 1 to %d "+
			"shards, and 1 object or more", f.Shards, f.Objects, most)
	}
	scene := f.crowd()
	s, err := scene.Schedule(max(1, min(f.Workers, runtime.NumCPU())))
	if err != nil {
		return shard.Options{}, err
	}
	s.Clock = stage.Clock(time.Now) // for the inspector
	return shard.Options{
		Name: theCrowd, Shard: i, Partition: f.partition(), Counts: scene.Counts(f.Shards),
		Position: heroes.Position, Schedule: s, Pipeline: crowd.Pipeline, Populate: scene.Populate,
		Reach: shard.Reach{Radius: crowd.Radius, MaxStep: scene.MaxStep()}, Seen: crowd.Seen,
		Every: f.Every, Charter: fmt.Appendf(nil, "scene=%s objects=%d seed=%d speed=%g",
			theCrowd, f.Objects, f.Seed, f.Speed),
	}, nil
}

func (f *simulation) crowd() crowd.Scene {
	return crowd.Scene{Objects: f.Objects, Seed: f.Seed, Speed: f.Speed}
}

// partition returns the initial regions.
func (f *simulation) partition() shard.Partition {
	return shard.Strips(f.Shards, 0, f.crowd().Side())
}
