package lab_test

import (
	"context"
	"math"
	"reflect"
	"strings"
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

// Rows are selected by values, and their means are those of the columns by hand.
func TestMeansOfSelectedRows(t *testing.T) {
	var table lab.Table
	w := sweep(twoSets(t)...)
	w.Until = func(s world.State) bool { return world.Tick(s) > 12 } // after 12 steps
	w.Params[0].Width, w.Params[1].Width = 3e6, 3e6
	require.NoError(t, w.Run(t.Context(), &table))
	for column, values := range map[string][]any{
		"walkers": {50, uint8(50), 50.0, float32(50)}, "half width": {3000000, 3e6, float32(3e6)},
		"drift": {false}, "title": {"a,b"}, "error": {""},
	} {
		for _, value := range values {
			assert.Equal(t, table.Rows, table.Where(column, value).Rows, "%s %T", column, value)
		}
	}
	assert.Empty(t, table.Where("seed", w.Seeds[1]+1).Rows, "seeds are exact")
	half, steps := table.Where("stride", 0.5), []int{}
	for step, mean := range half.Mean("place") {
		steps = append(steps, step)
		rows := half.Where("step", step).Column("place")
		assert.Equal(t, (rows[0]+rows[1]+rows[2]+rows[3]+rows[4])/5, mean)
	}
	assert.Equal(t, []int{0, 5, 10, 12}, steps)
	assert.Empty(t, append(table.Column("title"), table.Column("error")...))
	for step := range table.Mean("title") {
		t.Error(step, "has no number")
	}
	all := "; give one of " + strings.Join(table.Columns, ", ")
	for says, f := range map[string]func(){
		"lab: there is no column ill" + all:  func() { table.Mean("ill") },
		"lab: there is no column wdth" + all: func() { table.Where("wdth", 1) },
		"lab: Table.Where of seed for a []int; give a number, a bool or a text": func() {
			table.Where("seed", []int{})
		},
	} {
		assert.PanicsWithValue(t, says, f)
	}
}
