//go:build !linux

package main

import "time"

const measured = "by the clock"

// timed returns how long f took.
func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
