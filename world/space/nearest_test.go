package space_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/space"
)

// checkNearest compares the nearest few within a radius with brute force.
func (m *model[T]) checkNearest(t *testing.T, at [3]float64, k int, radius float64) {
	t.Helper()
	point := m.at(at)
	got := m.view.Nearest(make([]space.Hit, k), point, radius)
	var want []space.Hit
	if finite(m.coordinates(point)) {
		for i, q := range m.view.Points() {
			if square := m.square(point, q); square <= float64(radius*radius) {
				want = append(want, space.Hit{Entry: i, Square: square})
			}
		}
	}
	slices.SortStableFunc(want, func(a, b space.Hit) int {
		switch {
		case a.Square < b.Square:
			return -1
		case a.Square > b.Square:
			return 1
		}
		return a.Entry - b.Entry
	})
	want = want[:min(k, len(want))]
	require.Equal(t, fmt.Sprint(want), fmt.Sprint(got), "%d nearest to %v, in %v", k, point, radius)
}
