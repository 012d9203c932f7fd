package harness

import (
	"math"
	"slices"
	"strconv"
)

// Median returns the median of values, between two of them where it lies between; 0 of none.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// ratio is the median of the ratios a[i] / b[i] within each round, but for those with b[i] = 0.
func ratio(a, b []float64) float64 {
	var ratios []float64
	for i := range min(len(a), len(b)) {
		if b[i] > 0 {
			ratios = append(ratios, a[i]/b[i])
		}
	}
	return Median(ratios)
}

// Number writes a number with three digits that count; 0 is nothing.
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
