//go:build !linux

package turns

import "time"

// ThreadTime is what has gone by: programs beside this one count.
func ThreadTime() time.Duration { return Wall() }

// ProcessTime is what has gone by.
func ProcessTime() time.Duration { return Wall() }
