//go:build !linux

package harness

import "time"

// ThreadTime is what has gone by: programs beside this one count.
func ThreadTime() time.Duration { return Wall() }

// ProcessTime is what has gone by.
func ProcessTime() time.Duration { return Wall() }
