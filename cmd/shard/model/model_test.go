package model_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/cmd/shard/model"
)

const ms = time.Millisecond

// What can be said without a simulation.
func TestTheModelIsRightWhereItIsSimple(t *testing.T) {
	for name, c := range map[string]struct {
		o        model.Options
		messages int
		tick     time.Duration
		busy     float64
	}{
		"alone":    {model.Options{Columns: 1, Ticks: 10, Step: 5 * ms}, 0, 5 * ms, 0},
		"two":      {model.Options{Columns: 2, Ticks: 10, Step: 5 * ms, Transfer: 2 * ms}, 2, 7 * ms, 0},
		"strips":   {model.Options{Columns: 10, Ticks: 10, Step: 5 * ms, Transfer: 2 * ms}, 18, 7 * ms, 0},
		"grid":     {model.Options{Columns: 3, Rows: 3, Ticks: 10, Step: 5 * ms}, 40, 5 * ms, 0},
		"a stream": {model.Options{Columns: 2, Ticks: 10, Step: 5 * ms, Store: ms}, 2, 7 * ms, 2. / 7},
		"two streams": {
			model.Options{Columns: 2, Ticks: 10, Step: 5 * ms, Store: ms, Streams: 2}, 2, 6 * ms, 1. / 6,
		},
		"hot": {
			model.Options{Columns: 8, Ticks: 400, Step: 5 * ms, Hot: 3, Transfer: ms}, 14, 16 * ms, 0,
		},
	} {
		r := model.Run(c.o)
		assert.Equal(t, c.messages, r.Messages, name)
		assert.InDelta(t, c.tick.Seconds(), r.Tick.Seconds(), .02*c.tick.Seconds(), name)
		assert.InDelta(t, 1/c.tick.Seconds(), r.PerSecond, .02/c.tick.Seconds(), name)
		assert.InDelta(t, c.busy, r.Busy, .001, name)
	}
}

// A stream that stores one message after the other bounds all.
func TestAStreamBoundsAll(t *testing.T) {
	o := model.Options{Columns: 100, Ticks: 40, Step: 5 * ms, Spread: .2, Store: ms / 4}
	one := model.Run(o)
	assert.Greater(t, one.Busy, .85)
	assert.Less(t, one.PerSecond, 1/(198*.00025))
	o.Streams = 10
	assert.Greater(t, model.Run(o).PerSecond, 4*one.PerSecond)
}

// Shards are apart by a tick per region between them, four here, and by no more.
func TestShardsAreAheadByTheirDistance(t *testing.T) {
	o := model.Options{Columns: 6, Ticks: 100, Step: 5 * ms, Hot: 40}
	assert.Equal(t, 4, model.Run(o).Ahead)
}

func TestEqualOptionsHaveEqualResults(t *testing.T) {
	o := model.Options{
		Columns: 8, Rows: 8, Ticks: 50, Step: 5 * ms, Spread: .5, Store: ms / 10, Transfer: ms, Seed: 3,
	}
	first := model.Run(o)
	assert.Equal(t, first, model.Run(o))
}
