//go:build !linux

package harness

import "time"

var begun = time.Now()

// ThreadTime is what has gone by: programs beside this one count.
func ThreadTime() time.Duration { return time.Since(begun) }

// ProcessTime is what has gone by.
func ProcessTime() time.Duration { return time.Since(begun) }
