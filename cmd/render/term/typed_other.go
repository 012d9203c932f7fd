//go:build !linux

package term

import (
	"os"
	"time"
)

// typed returns true at once: the reader waits.
func typed(*os.File, time.Duration) bool { return true }
