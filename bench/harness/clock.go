package harness

import "time"

var begun = time.Now()

// Wall is the time that has gone by since the program began.
func Wall() time.Duration { return time.Since(begun) }

// Overhead is what looking at a clock twice takes when nothing is done in between.
func Overhead(clock func() time.Duration) time.Duration {
	times := make([]float64, 1001)
	for i := range times {
		start := clock()
		times[i] = float64(clock() - start)
	}
	return time.Duration(Median(times))
}
