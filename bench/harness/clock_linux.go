package harness

import (
	"time"

	"golang.org/x/sys/unix"
)

// ThreadTime returns the CPU time of this thread, which excludes other programs and the collector
// on other threads. Lock the goroutine to its thread.
func ThreadTime() time.Duration { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

// ProcessTime returns the CPU time of all threads of this process.
func ProcessTime() time.Duration { return clock(unix.CLOCK_PROCESS_CPUTIME_ID) }

func clock(id int32) time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(id, &t) // cannot fail: both clocks exist
	return time.Duration(t.Nano())
}
