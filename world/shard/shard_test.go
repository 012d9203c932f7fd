package shard_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// together runs all shards of a partition, and returns them at the end.
func (c *scene) together(
	t *testing.T, nc *nats.Conn, p shard.Partition, ticks uint64, adjust func(*shard.Options),
) []*shard.Shard {
	t.Helper()
	numbers := make([]int, p.Shards)
	for i := range numbers {
		numbers[i] = i
	}
	return c.begin(t, nc, p, ticks, adjust, numbers...)()
}

// begin begins to run some shards, and returns a function that waits for them.
func (c *scene) begin(
	t *testing.T, nc *nats.Conn, p shard.Partition, ticks uint64, adjust func(*shard.Options),
	numbers ...int,
) (wait func() []*shard.Shard) {
	t.Helper()
	shards, errs := make([]*shard.Shard, len(numbers)), make([]error, len(numbers))
	var work sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	for n, i := range numbers {
		o := c.options(t, i, p)
		if adjust != nil {
			adjust(&o)
		}
		work.Go(func() {
			if shards[n], errs[n] = shard.Start(ctx, nc, o); errs[n] == nil {
				errs[n] = shards[n].Run(ctx, ticks)
			}
		})
	}
	t.Cleanup(func() {
		cancel()
		work.Wait()
		for _, s := range shards {
			if s != nil {
				s.Close()
			}
		}
	})
	return func() []*shard.Shard {
		work.Wait()
		require.NoError(t, errors.Join(errs...))
		return shards
	}
}

func TestLargeMessagesGoInParts(t *testing.T) {
	c := &scene{objects: 300}
	nc := connect(t, serve(t, server.Options{MaxPayload: 1024}))
	wide := func(o *shard.Options) { o.Reach.Border, o.Seen = 50, []layout.AnyKind{heroes.Position, pace, seen} }
	shards := c.together(t, nc, shard.Strips(2, 0, side), 12, wide)
	assert.Equal(t, c.alone(t, 12), outcomeOf(t, shards...))
	assert.Greater(t, shards[0].Stats().Sent, 12*2048)
}

// attempt runs a shard to the end, or until its context ends: then it is to be tried again.
func attempt(
	ctx context.Context, nc *nats.Conn, o shard.Options, ticks uint64,
) (again bool, out outcome, err error) {
	s, err := shard.Start(ctx, nc, o)
	if err == nil {
		defer s.Close()
		err = s.Run(ctx, ticks)
	}
	if err != nil {
		return ctx.Err() != nil, out, err
	}
	out.sum, out.objects, err = s.Digest()
	return false, out, err
}

func TestInputsAreSealedOnce(t *testing.T) {
	const ticks = 12
	c := &scene{objects: 150}
	input := func(tick uint64) []byte { return []byte{byte(tick)} }
	apply := func(s world.State, b []byte) (world.State, error) {
		if len(b) != 1 {
			return s, errors.New("not an input")
		}
		for b2 := range walking.In(s) {
			for i := range world.Column(b2, seen) {
				world.Column(b2, seen)[i] += uint32(b[0])
			}
		}
		return s, nil
	}
	with := func(input func(uint64) []byte) func(*shard.Options) {
		return func(o *shard.Options) { o.Input, o.Apply, o.Every, o.Holder = input, apply, 1000, "test" }
	}
	nc := connect(t, serve(t, server.Options{}))
	p := shard.Strips(2, 0, side)
	want := outcomeOf(t, c.together(t, nc, p, ticks, with(input))...)

	o := c.options(t, 0, shard.Strips(1, 0, side))
	with(input)(&o)
	s := world.Must(shard.Start(t.Context(), nil, o))
	defer s.Close()
	require.NoError(t, s.Run(t.Context(), ticks))
	assert.Equal(t, want, outcomeOf(t, s))

	// Again from the start, with other inputs: the stored ones count.
	other := func(uint64) []byte { return []byte{99} }
	assert.Equal(t, want, outcomeOf(t, c.together(t, nc, p, ticks, with(other))...))
}

// Without MaxStep it is unknown which regions are wide enough, so no borders are moved.
func TestBordersMoveByAKnownStepAlone(t *testing.T) {
	c, nc := &scene{objects: 30}, connect(t, serve(t, server.Options{}))
	o := c.options(t, 0, shard.Strips(1, 0, side))
	o.Reach.MaxStep = 0
	s := world.Must(start(t, nc, o))
	defer s.Close()
	_, err := shard.Propose(t.Context(), nc, "test", 0, shard.Plan{X: []float32{}})
	require.ErrorIs(t, err, shard.ErrPlan)
	require.ErrorContains(t, err, "Reach.MaxStep")
	_, err = shard.Propose(t.Context(), nc, "test", 0, shard.Plan{Behaviour: 2})
	assert.NoError(t, err)
}

// Plans of any borders are either refused, or carried out by all shards without a loss.
func TestAcceptedPlansAreCarriedOut(t *testing.T) {
	const ticks, shards = 60, 4
	r := rand.New(rand.NewPCG(2, 30))
	c := families()
	nc, p := connect(t, serve(t, server.Options{})), shard.Strips(shards, 0, side)
	e := endurance{partition: p, ticks: ticks, nc: nc, planned: make(chan struct{})}
	e.options = func(i int, _ uint32) shard.Options { return c.options(t, i, p) }
	wait := e.begin(t)
	refused, accepted := 0, 0
	for after := uint64(5); after < ticks; after += 5 {
		for proposeAny(t, nc, r, after, shards) != after {
			refused++
		}
		accepted++
	}
	close(e.planned)
	assert.Equal(t, c.alone(t, ticks), wait())
	assert.Positive(t, accepted)
	assert.Greater(t, refused, 5)
}

// anyBorders returns borders, many of them as near as allowed, and many nearer.
func anyBorders(r *rand.Rand, n int) []float32 {
	list := []float32{float32(r.IntN(side))}
	for len(list) < n {
		gap := []float32{0, radius + .5, radius + reach - .1, radius + reach + .01, 20}[r.IntN(5)]
		list = append(list, list[len(list)-1]+gap)
	}
	return list
}

// Who takes more than the step that regions are made for is named, wherever he goes.
func TestLongStepsAreNamed(t *testing.T) {
	jump := &scene{objects: 60, change: func(s world.State, now uint64) (world.State, error) {
		id, ok := walking.First(s)
		if !ok || now != 8 {
			return s, nil
		}
		at := world.Must(world.Get(s, id, heroes.Position))
		if at[0] >= side/2 {
			return s, nil
		}
		return world.Set(s, id, heroes.Position, [3]float32{side/2 + 2*reach, at[1]})
	}}
	for name, x := range map[string]struct {
		step float32
		want error
	}{"too long": {reach, shard.ErrFar}, "long enough": {side/4 - radius, nil}} {
		t.Run(name, func(t *testing.T) {
			p := shard.Strips(2, 0, side)
			a, b := jump.options(t, 0, p), jump.options(t, 1, p)
			a.Reach.MaxStep, b.Reach.MaxStep = x.step, x.step
			errA, errB := pair(t, a, b)
			if x.want == nil {
				require.NoError(t, errors.Join(errA, errB))
				return
			}
			require.ErrorIs(t, errA, x.want)
			assert.ErrorContains(t, errA, "MaxStep is 6")
		})
	}
}
