package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// spentTime is what this thread has worked, so that programs beside it do not count, nor what the
// collector does on other threads.
func spentTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return time.Since(begun)
	}
	return time.Duration(t.Nano())
}
