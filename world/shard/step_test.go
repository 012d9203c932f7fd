package shard_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// Without MaxStep nobody knows which regions are wide enough, so no borders are moved.
func TestBordersMoveByAKnownStepAlone(t *testing.T) {
	c, nc := &scene{objects: 30}, connect(t, serve(t, server.Options{}))
	o := c.options(t, 0, shard.Strips(1, 0, side))
	o.MaxStep = 0
	s, err := start(t, nc, o)
	require.NoError(t, err)
	defer s.Close()
	_, err = shard.Propose(t.Context(), nc, "test", 0, shard.Plan{X: []float32{}})
	require.ErrorIs(t, err, shard.ErrPlan)
	require.ErrorContains(t, err, "Options.MaxStep")
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

// anyBorders returns borders of which many are as near as they may be, and many nearer.
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
	}{
		"too long": {reach, shard.ErrFar}, "long enough": {side/4 - radius, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := shard.Strips(2, 0, side)
			a, b := jump.options(t, 0, p), jump.options(t, 1, p)
			a.MaxStep, b.MaxStep = x.step, x.step
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
