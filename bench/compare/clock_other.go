//go:build !linux

package main

import "time"

// spentTime is what has gone by: programs beside this one count.
func spentTime() time.Duration { return time.Since(begun) }
