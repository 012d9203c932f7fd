//go:build !linux

package term

import (
	"os"
	"time"
)

// typed returns true immediately: the reader waits.
func typed(*os.File, time.Duration) bool { return true }
