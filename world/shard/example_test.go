package shard_test

import (
	"context"
	"fmt"
	"os"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pack"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// Walkers go to and fro over a street 100 units long.
var (
	Position = layout.NewComponent[[3]float32]("position") // world units
	Speed    = layout.NewComponent[float32]("speed")       // world units per tick, along x

	walker = world.NewQuery(world.Write(Position, Speed), world.Without(shard.Ghost))
)

func walk(s world.State) (world.State, error) {
	for b := range walker.In(s) {
		at, speed := world.Column(b, Position), world.Column(b, Speed)
		for i := range at {
			if at[i][0] += speed[i]; at[i][0] < 0 || at[i][0] > 100 {
				speed[i] = -speed[i]
			}
		}
	}
	return s, nil
}

// populate creates the walkers of a region. Each has a global id, the same in every shard.
func populate(s world.State, owns func(at [3]float32) bool) (world.State, error) {
	for n := range 100 {
		at := [3]float32{float32(n)}
		if !owns(at) {
			continue
		}
		s2, id, err := world.CreateWith(s, Position, Speed)
		if err != nil {
			return s2, err
		}
		s = world.Must(world.Set(s2, id, Position, at))
		s = world.Must(world.Set(s, id, Speed, float32(n%7)-3))
		if s, err = pack.SetGlobal(s, id, uint64(n+1)); err != nil {
			return s, err
		}
	}
	return s, nil
}

// run runs shard i of n, and returns the digest of what it has at the end.
func run(ctx context.Context, url string, i, n int) (sum uint64, objects int, err error) {
	jobs := schedule.New(1)
	defer jobs.Close()
	err = jobs.Register(schedule.Pipeline{
		Name:   "tick",
		Groups: []schedule.Group{{Name: "all", Elements: []string{"walk"}}},
		Jobs:   []schedule.Job{{Name: "walk", Do: walk}},
	})
	if err != nil {
		return 0, 0, err
	}
	nc, err := shard.Connect(shard.Server{URL: url})
	if err != nil {
		return 0, 0, err
	}
	defer nc.Close()
	s, err := shard.Start(ctx, nc, shard.Options{
		Name: "street", Shard: i, Partition: shard.Strips(n, 0, 100),
		Position: Position, Schedule: jobs, Pipeline: "tick", Populate: populate,
		Reach: shard.Reach{Radius: 2, MaxStep: 3}, Every: 20,
		Counts: world.Counts{
			GameObjects: 200, Globals: 200,
			Kinds: layout.Kinds(Position, Speed, shard.Ghost),
		},
	})
	if err != nil {
		return 0, 0, err
	}
	defer s.Close()
	if err := s.Run(ctx, 60); err != nil {
		return 0, 0, err
	}
	return s.Digest()
}

// street runs n shards, here in one process, and adds what they have.
func street(n int) (sum uint64, objects int) {
	dir, err := os.MkdirTemp("", "street")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	at, err := server.Start(server.Options{Dir: dir})
	if err != nil {
		panic(err)
	}
	type result struct {
		sum     uint64
		objects int
		err     error
	}
	results := make(chan result)
	for i := range n {
		go func() {
			sum, objects, err := run(context.Background(), at.URL(), i, n)
			results <- result{sum, objects, err}
		}()
	}
	for range n {
		r := <-results
		if r.err != nil {
			panic(r.err)
		}
		sum, objects = sum+r.sum, objects+r.objects
	}
	if err := at.Stop(); err != nil {
		panic(err)
	}
	return sum, objects
}

func Example() {
	one, objects := street(1)
	three, _ := street(3)
	fmt.Println(objects, "walkers; one shard and three agree:", one == three)
	// Output: 100 walkers; one shard and three agree: true
}
