//go:build unix

package save_test

import (
	"syscall"
	"time"
)

// cpuTime returns what this process has used of the processor: what others use does not count.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
