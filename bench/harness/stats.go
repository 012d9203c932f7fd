package harness

import (
	"math"
	"slices"
	"strconv"
)

// Median returns the median of values: the mean of the two middle values if their number is even, 0
// if there are none.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// ratio returns the median of the ratios a[i] / b[i], without those with b[i] = 0.
func ratio(a, b []float64) float64 {
	var ratios []float64
	for i := range min(len(a), len(b)) {
		if b[i] > 0 {
			ratios = append(ratios, a[i]/b[i])
		}
	}
	return Median(ratios)
}

// Number formats a number with three significant digits; 0 is empty.
func Number(x float64) string {
	switch size := math.Abs(x); {
	case x == 0:
		return ""
	case size < 1:
		return strconv.FormatFloat(x, 'g', 3, 64)
	case size < 100:
		return strconv.FormatFloat(x, 'f', max(0, 2-int(math.Log10(size))), 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}
