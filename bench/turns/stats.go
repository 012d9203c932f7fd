package turns

import "slices"

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
