package harness

import (
	"math"
	"slices"
	"strconv"
)

// Quantile returns the q-th part of values, between two of them where it lies between; 0 of none.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// Median is the quantile at a half.
func Median(values []float64) float64 { return Quantile(values, .5) }

// Ratio is the median of the ratios a[i] / b[i] within each round, but for those with b[i] = 0.
func Ratio(a, b []float64) float64 {
	ratios := make([]float64, 0, len(a))
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
