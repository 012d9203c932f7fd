package shard_test

import (
	"context"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// A shard that begins with something else than the first one is refused, and is told with what.
func TestShardsBeginWithTheSame(t *testing.T) {
	nc := connect(t, serve(t, server.Options{}))
	c, p := &scene{objects: 30}, shard.Strips(3, 0, side)
	first := c.options(t, 0, p)
	first.Charter = []byte("map 7")
	begun, populate := make(chan struct{}), first.Populate
	first.Populate = func(s world.State, owns func([3]float32) bool) (world.State, error) {
		close(begun)
		return populate(s, owns)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	work.Go(func() { _, _ = shard.Start(ctx, nc, first) }) // it waits for the others
	<-begun
	own := shard.Strips(3, 0, side)
	user := shard.Partition{
		Shards: 3, Width: own.Width, Of: own.Of, Distance: own.Distance, Neighbours: own.Neighbours,
	}
	for name, x := range map[string]struct {
		change func(o *shard.Options)
		says   []string
	}{
		"partition": {
			func(o *shard.Options) { o.Partition = shard.Strips(3, 0, side+3) },
			[]string{"X [40 80], not [41 82]", "Width 40, not 41"},
		},
		"a grid":       {func(o *shard.Options) { o.Partition = grid(1, 3) }, []string{"Y []"}},
		"a user's own": {func(o *shard.Options) { o.Partition = user }, []string{"X [40 80], not []"}},
		"shards":       {func(o *shard.Options) { o.Partition = shard.Strips(2, 0, side) }, []string{"Shards 3, not 2"}},
		"bytes":        {func(o *shard.Options) { o.Charter = []byte("map 8") }, []string{`Charter "map 7", not "map 8"`}},
		"no bytes":     {func(o *shard.Options) { o.Charter = nil }, []string{`Charter "map 7", not ""`}},
		"seed":         {func(o *shard.Options) { o.Counts.Seed = 8 }, []string{"Seed 7, not 8"}},
		"every":        {func(o *shard.Options) { o.Every = 7 }, []string{"Every 5, not 7"}},
		"border":       {func(o *shard.Options) { o.Border = 5 }, []string{"Border 4, not 5"}},
		"step":         {func(o *shard.Options) { o.MaxStep = 7 }, []string{"MaxStep 6, not 7"}},
	} {
		o := c.options(t, 1, p)
		o.Charter = []byte("map 7")
		x.change(&o)
		_, err := start(t, nc, o)
		require.ErrorIs(t, err, shard.ErrDiffers, name)
		for _, says := range x.says {
			assert.ErrorContains(t, err, says, name)
		}
	}
}

func grid(columns, rows int) shard.Partition {
	return shard.Grid(columns, rows, [2]float32{}, [2]float32{side, side})
}

// A charter is the same whenever a shard starts again, with borders that have moved, too.
func TestACharterStays(t *testing.T) {
	nc, c := connect(t, serve(t, server.Options{})), &scene{objects: 60}
	with := func(o *shard.Options) { o.Charter, o.Partition = []byte{0, 255, '"'}, grid(2, 1) }
	for _, s := range c.together(t, nc, grid(2, 1), 7, with) {
		s.Close()
	}
	propose(t, nc, 10, shard.Plan{X: []float32{33}, Y: []float32{}})
	for _, ticks := range []uint64{12, 17} {
		shards := c.together(t, nc, grid(2, 1), ticks, with)
		assert.Equal(t, c.alone(t, ticks), outcomeOf(t, shards...))
		for _, s := range shards {
			s.Close()
		}
	}
}

func TestChartersThatCannotBeStoredAreRefused(t *testing.T) {
	nc, c := connect(t, serve(t, server.Options{})), &scene{objects: 10}
	for name, change := range map[string]func(o *shard.Options){
		"long":         func(o *shard.Options) { o.Charter = make([]byte, 64<<10+1) },
		"borders":      func(o *shard.Options) { o.Partition = shard.Strips(2, 0, float32(math.Inf(1))) },
		"a step":       func(o *shard.Options) { o.MaxStep = float32(math.NaN()) },
		"a far step":   func(o *shard.Options) { o.MaxStep = float32(math.Inf(1)) },
		"replicas":     func(o *shard.Options) { o.Replicas = 6 },
		"no replicas":  func(o *shard.Options) { o.Replicas = -1 },
		"many servers": func(o *shard.Options) { o.Replicas = 3 }, // there is one
	} {
		o := c.options(t, 0, shard.Strips(1, 0, side))
		change(&o)
		_, err := start(t, nc, o)
		require.ErrorIs(t, err, shard.ErrOptions, name)
	}
	o := c.options(t, 0, shard.Strips(2, 0, side))
	o.MaxStep = side
	_, err := start(t, nc, o)
	assert.ErrorIs(t, err, shard.ErrNarrow)
}
