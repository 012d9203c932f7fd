package lab_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

type every struct {
	Low   int8
	High  uint64
	Ratio float32
	On    bool
	Name  string
}

// Sinks of their own find out what a value is, and get whole numbers of 64 bits.
func TestValuesSayWhatTheyAre(t *testing.T) {
	var table lab.Table
	require.NoError(t, lab.Sweep[every]{
		Params: []every{{-3, math.MaxUint64, .5, true, "x"}, {3, 7, .5, true, "x"}},
		Seeds:  []uint64{1},
		Counts: func(every) world.Counts { return world.Counts{GameObjects: 1} },
		Step:   func(s world.State) (world.State, error) { return world.Advance(s), nil }, Steps: 1,
	}.Run(context.Background(), &table))
	first, second := table.Rows[0], table.Rows[1]
	kinds := []reflect.Kind{
		reflect.Int64, reflect.Uint64, reflect.Float64, reflect.Bool, reflect.String,
		reflect.Uint64, reflect.Int64, reflect.Invalid,
	}
	for i, want := range kinds {
		assert.Equal(t, want, first[i].Kind(), table.Columns[i])
	}
	low, ok := first[0].Int64()
	assert.True(t, ok && low == -3)
	_, ok = first[0].Uint64()
	assert.False(t, ok, "it is negative")
	high, ok := first[1].Uint64()
	assert.True(t, ok && high == math.MaxUint64)
	_, ok = first[1].Int64()
	assert.False(t, ok, "it is too large")
	for _, v := range second[:2] { // both are both
		_, asInt := v.Int64()
		_, asUint := v.Uint64()
		assert.True(t, asInt && asUint)
	}
	for _, v := range first[2:5] {
		_, asInt := v.Int64()
		_, asUint := v.Uint64()
		assert.False(t, asInt || asUint)
	}
}
