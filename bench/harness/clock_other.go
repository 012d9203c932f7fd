//go:build !linux

package harness

import "time"

var begun = time.Now()

// ThreadTime returns the elapsed time, which includes other programs.
func ThreadTime() time.Duration { return time.Since(begun) }

// ProcessTime returns the elapsed time.
func ProcessTime() time.Duration { return time.Since(begun) }
