package lab_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

type mixed struct {
	Density float64
	Radius  uint8
	Torus   bool
	Small   float32
	Name    string
}

func TestParseAxis(t *testing.T) {
	for text, want := range map[string][]float64{
		"a=0.2..0.9/8":  {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9},
		"a=1..3/3":      {1, 2, 3},
		"a=3..1/3":      {3, 2, 1},
		"a=-1e3..1e3/2": {-1000, 1000},
		"a=3,4,5":       {3, 4, 5},
		"a=7":           {7},
		"a=true,false":  {1, 0},
	} {
		assert.Equal(t, lab.Axis{Name: "a", Values: want}, world.Must(lab.ParseAxis(text)), text)
	}
	for _, text := range []string{
		"", "a", "=1", "a=", "a=x", "a=1,,2", "a=1..2", "a=1..2/1", "a=1../2", "a=..2/2", "a=1..2/x",
		"a=NaN", "a=Inf", "a=1..NaN/3", "a=1..2/99999999", "a=1e999",
	} {
		_, err := lab.ParseAxis(text)
		assert.ErrorContains(t, err, "write name=", text)
	}
}

func TestGrid(t *testing.T) {
	sets, err := lab.Grid(mixed{Name: "base", Radius: 9}, lab.Axis{"density", []float64{.1, .2}},
		lab.Range("radius", 1, 3, 3), lab.Axis{"torus", []float64{0, 1}})
	require.NoError(t, err)
	require.Len(t, sets, 12)
	assert.Equal(t, mixed{Density: .1, Radius: 1, Name: "base"}, sets[0])
	assert.Equal(t, mixed{Density: .1, Radius: 1, Torus: true, Name: "base"}, sets[1])
	assert.Equal(t, mixed{Density: .1, Radius: 2, Name: "base"}, sets[2])
	assert.Equal(t, mixed{Density: .2, Radius: 3, Torus: true, Name: "base"}, sets[11])
	assert.Equal(t, []mixed{{Radius: 9}}, world.Must(lab.Grid(mixed{Radius: 9})))
	for _, c := range []struct {
		axis lab.Axis
		says string
	}{
		{lab.Axis{"dansity", []float64{1}}, "no parameter dansity; give one of density, radius, torus, small, name"},
		{lab.Axis{"radius", []float64{2.5}}, "parameter radius cannot be 2.5; give values of type uint8"},
		{lab.Axis{"radius", []float64{256}}, "uint8"},
		{lab.Axis{"radius", []float64{-1}}, "uint8"},
		{lab.Axis{"torus", []float64{2}}, "bool"},
		{lab.Axis{"density", []float64{math.NaN()}}, "parameter density cannot be NaN"},
		{lab.Axis{"small", []float64{1e300}}, "float32"},
		{lab.Axis{"name", []float64{1}}, "string"},
		{lab.Axis{"radius", nil}, "0 values"},
		{lab.Range("density", 0, 1, 1<<16), "sets"},
	} {
		other := "density"
		if c.axis.Name == other {
			other = "small"
		}
		_, err := lab.Grid(mixed{}, c.axis, lab.Range(other, 0, 1, 32))
		assert.ErrorContains(t, err, c.says)
	}
}

// The later of two axes of one parameter would win, and sets would be there twice.
func TestAxesAreGivenOnce(t *testing.T) {
	twice := []lab.Axis{
		lab.Range("density", 0, 1, 3), lab.Range("radius", 1, 3, 2), lab.Range("density", 2, 3, 3),
	}
	const says = "lab: axis density is given twice; give all its values in one"
	_, err := lab.Grid(mixed{}, twice...)
	require.EqualError(t, err, says)
	_, err = lab.Hypercube(mixed{}, 3, 1, twice...)
	require.EqualError(t, err, says)
}

func TestRangesAreFinite(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, ends := range [][2]float64{
		{nan, 1}, {0, nan}, {inf, 0}, {0, -inf}, {0, math.MaxFloat64}, {-1e308, 1e308},
	} {
		assert.PanicsWithValue(t, fmt.Sprintf("lab: Range x of 8 values from %v to %v; give two "+
			"finite numbers, and none of the largest", ends[0], ends[1]),
			func() { lab.Range("x", ends[0], ends[1], 8) })
	}
	assert.PanicsWithValue(t, "lab: Range x of 1 values; give 2 to 65536",
		func() { lab.Range("x", 0, 1, 1) })
	_, err := lab.ParseAxis("x=0..1e308/8")
	require.ErrorContains(t, err, "lab: Range x of 8 values from 0 to 1e+308; give two finite numbers")
	for _, x := range lab.Range("x", -1e300, 1e300, 9).Values {
		assert.False(t, math.IsInf(x, 0) || math.IsNaN(x))
	}
}

// Every part of every axis is met once.
func TestHypercube(t *testing.T) {
	const n = 40
	axes := []lab.Axis{lab.Range("density", 2, 4, 2), lab.Range("radius", 10, 19, 2)}
	sets := world.Must(lab.Hypercube(mixed{Name: "x"}, n, 7, axes...))
	var density, order []int
	radius := map[uint8]int{}
	for _, s := range sets {
		density = append(density, int((s.Density-2)/2*n))
		radius[s.Radius]++
		require.Equal(t, "x", s.Name)
	}
	order = slices.Sorted(slices.Values(density))
	for i := range n {
		require.Equal(t, i, order[i])
	}
	assert.NotEqual(t, order, density, "shuffled")
	require.Len(t, radius, 10)
	for r, times := range radius {
		assert.Equal(t, 4, times, "radius %d", r)
	}
	assert.Equal(t, sets, world.Must(lab.Hypercube(mixed{Name: "x"}, n, 7, axes...)))
	assert.NotEqual(t, sets, world.Must(lab.Hypercube(mixed{Name: "x"}, n, 8, axes...)))
	_, err := lab.Hypercube(mixed{}, 0, 1, axes...)
	require.ErrorContains(t, err, "ask for 1")
	_, err = lab.Hypercube(mixed{}, 3, 1, lab.Axis{"density", []float64{1}})
	require.ErrorContains(t, err, "a first and a last one")
	_, err = lab.Hypercube(mixed{}, 3, 1, lab.Range("radios", 1, 2, 2))
	require.ErrorContains(t, err, "no parameter radios")
}

func TestSeeds(t *testing.T) {
	seeds := lab.Seeds(1, 1000)
	all := map[uint64]bool{}
	for base := range uint64(3) {
		for _, s := range lab.Seeds(base, 1000) {
			all[s] = true
		}
	}
	assert.Len(t, all, 3000)
	assert.Equal(t, seeds[:10], lab.Seeds(1, 10), "more replicates keep the first ones")
	assert.Equal(t, []uint64{0x16d0078c4a605356}, lab.Seeds(1, 1))
}
